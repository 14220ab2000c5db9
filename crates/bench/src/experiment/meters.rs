use super::bed::Bed;
use super::instances::Fleet as Instances;
use super::probe::wall_ms;
use crate::load::Fleet as Generators;
use crate::machine::{self, Host, Usage};
use crate::results::Second;

/// What machine, broker, generators and instances have used since it was last read.
#[derive(Debug)]
pub(super) struct Meters {
    last: Reading,
}

/// All clocks at one moment.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) at_ms: f64,
    host: Host,
    broker: Usage,
    generators: Usage,
    instances: Usage,
}

impl Meters {
    pub(super) const fn new(first: Reading) -> Self {
        Self { last: first }
    }

    /// When it was last read.
    pub(super) const fn at_ms(&self) -> f64 {
        self.last.at_ms
    }

    /// What was used since the last reading; `began_ms` is when the measured window begins.
    pub(super) fn second(&mut self, bed: &Bed, now: Reading, began_ms: f64) -> Second {
        let second = now.since(&self.last, bed, began_ms);
        self.last = now;
        second
    }
}

impl Reading {
    pub(super) fn take(bed: &Bed, generators: &Generators, instances: &Instances) -> Self {
        let of = |ids: &[u32]| {
            ids.iter().map(|id| machine::usage(*id)).fold(Usage::default(), |sum, usage| Usage {
                cpu_ns: sum.cpu_ns + usage.cpu_ns,
                rss_bytes: sum.rss_bytes + usage.rss_bytes,
            })
        };
        Self {
            at_ms: wall_ms(),
            host: Host::read(),
            broker: of(&bed.broker_id().into_iter().collect::<Vec<_>>()),
            generators: of(&generators.ids()),
            instances: instances.usage(),
        }
    }

    /// Processor time of the instances since `earlier`, in ns.
    pub(super) const fn instances_ns(&self, earlier: &Self) -> u64 {
        self.instances.cpu_ns.saturating_sub(earlier.instances.cpu_ns)
    }

    /// What was used since `earlier`.
    pub(super) fn since(&self, earlier: &Self, bed: &Bed, began_ms: f64) -> Second {
        let took_ns = (self.at_ms - earlier.at_ms).max(1.0) * 1e6;
        let cores = |now: Usage, then: Usage| now.cpu_ns.saturating_sub(then.cpu_ns) as f64 / took_ns;
        let (all, others) = (&[][..], &bed.placement.others[..]);
        let (now, then) = (self.host.times(all), earlier.host.times(all));
        Second {
            at_ms: self.at_ms - began_ms,
            host_busy: now.busy_since(then),
            steal: now.stolen_since(then),
            generator_core: self.host.times(others).busy_since(earlier.host.times(others)),
            broker_cores: cores(self.broker, earlier.broker),
            generator_cores: cores(self.generators, earlier.generators),
            sut_cores: cores(self.instances, earlier.instances),
            broker_rss_bytes: self.broker.rss_bytes,
            generator_rss_bytes: self.generators.rss_bytes,
            sut_rss_bytes: self.instances.rss_bytes,
            network_bytes: self.host.network_bytes.saturating_sub(earlier.host.network_bytes),
            disk_bytes: self.host.disk_bytes.saturating_sub(earlier.host.disk_bytes),
        }
    }
}
