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
    generators: Vec<Usage>,
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
        Self {
            at_ms: wall_ms(),
            host: Host::read(),
            broker: bed.broker_id().map(machine::usage).unwrap_or_default(),
            generators: generators.ids().into_iter().map(machine::usage).collect(),
            instances: instances.usage(),
        }
    }

    /// Processor time of the instances since `earlier`, in ns.
    pub(super) const fn instances_ns(&self, earlier: &Self) -> u64 {
        self.instances.cpu_ns.saturating_sub(earlier.instances.cpu_ns)
    }

    /// How busy the busiest of what generates and serves the load was: their cores together, or a process that cannot
    /// use more than one of them.
    pub(super) fn bottleneck_since(&self, earlier: &Self, bed: &Bed) -> f64 {
        let took_ns = (self.at_ms - earlier.at_ms).max(1.0) * 1e6;
        let others = &bed.placement.others[..];
        let cores = self.host.times(others).busy_since(earlier.host.times(others));
        let pairs = self.generators.iter().zip(&earlier.generators).chain([(&self.broker, &earlier.broker)]);
        let alone = pairs.map(|(now, then)| now.cpu_ns.saturating_sub(then.cpu_ns) as f64 / took_ns);
        alone.fold(cores, f64::max)
    }

    /// What was used since `earlier`.
    pub(super) fn since(&self, earlier: &Self, bed: &Bed, began_ms: f64) -> Second {
        let took_ns = (self.at_ms - earlier.at_ms).max(1.0) * 1e6;
        let cores = |now: Usage, then: Usage| now.cpu_ns.saturating_sub(then.cpu_ns) as f64 / took_ns;
        let together = |all: &[Usage]| all.iter().fold(Usage::default(), |sum, usage| sum.and(*usage));
        let (generators, generators_then) = (together(&self.generators), together(&earlier.generators));
        let (all, others) = (&[][..], &bed.placement.others[..]);
        let (now, then) = (self.host.times(all), earlier.host.times(all));
        Second {
            at_ms: self.at_ms - began_ms,
            host_busy: now.busy_since(then),
            steal: now.stolen_since(then),
            generator_core: self.host.times(others).busy_since(earlier.host.times(others)),
            broker_cores: cores(self.broker, earlier.broker),
            generator_cores: cores(generators, generators_then),
            sut_cores: cores(self.instances, earlier.instances),
            broker_rss_bytes: self.broker.rss_bytes,
            generator_rss_bytes: generators.rss_bytes,
            sut_rss_bytes: self.instances.rss_bytes,
            host_memory_bytes: self.host.memory_bytes,
            broker_io_bytes: self.broker.io_bytes.saturating_sub(earlier.broker.io_bytes),
            generator_io_bytes: generators.io_bytes.saturating_sub(generators_then.io_bytes),
            broker_disk_bytes: self.broker.disk_bytes.saturating_sub(earlier.broker.disk_bytes),
            generator_disk_bytes: generators.disk_bytes.saturating_sub(generators_then.disk_bytes),
            network_bytes: self.host.network_bytes.saturating_sub(earlier.host.network_bytes),
            disk_bytes: self.host.disk_bytes.saturating_sub(earlier.host.disk_bytes),
        }
    }
}
