use crate::{Chance, Instances, Load, Sample};

/// A system under test in virtual time: each instance handles at most `capacity` records per second from the
/// partitions it owns. The known answer that the measuring chain must find.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueModel {
    /// Records per second that one instance handles.
    pub capacity: f64,
    /// Partitions of the input, spread as evenly as they go, all with the same rate.
    pub partitions: u32,
    /// Unevenness of an instance's speed from one tenth of a second to the next, as a share of its capacity.
    pub jitter: f64,
    /// How positions are reported.
    pub saw: Saw,
}

/// Positions are only seen in steps: what was handled since the last report still counts as lag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saw {
    /// Time between two reports of an instance, in milliseconds.
    pub period_ms: f64,
}

impl QueueModel {
    /// The lag of `instances` under `load`, ten samples a second with jitter, from the end of `warmup_ms` on for
    /// `window_ms`.
    pub fn lag(&self, load: Load, instances: Instances, window: (u64, u64), chance: &mut Chance) -> Vec<Sample> {
        let (warmup_ms, window_ms) = window;
        let mut servers: Vec<Server> = (0..instances.0).map(|i| self.server(load, instances, i, chance)).collect();
        let steps = (warmup_ms + window_ms) / STEP_MS;
        let mut samples = Vec::new();
        for step in 0..steps {
            let sample_at = chance.between(0.0, STEP_MS as f64);
            let start_ms = (step * STEP_MS) as f64;
            let lag = servers.iter_mut().map(|s| self.advance(s, start_ms, sample_at, chance)).sum();
            if step * STEP_MS >= warmup_ms {
                samples.push(Sample { at_ms: start_ms + sample_at - warmup_ms as f64, lag });
            }
        }
        samples
    }

    /// The fewest instances of `counts` whose fullest member keeps up with `load`.
    pub fn demand(&self, load: Load, counts: &[Instances]) -> Option<Instances> {
        let per_partition = load.per_second() / f64::from(self.partitions);
        let keeps_up = |n: &Instances| f64::from(self.partitions.div_ceil(n.0)) * per_partition <= self.capacity;
        counts.iter().copied().find(keeps_up)
    }

    fn server(&self, load: Load, instances: Instances, index: u32, chance: &mut Chance) -> Server {
        let owned = self.partitions / instances.0 + u32::from(index < self.partitions % instances.0);
        let arrival = load.per_second() * f64::from(owned) / f64::from(self.partitions);
        Server { arrival, queue: 0.0, unreported: 0.0, next_report_ms: chance.between(0.0, self.saw.period_ms) }
    }

    /// Moves `server` on by one step; its visible lag `sample_ms` into the step.
    fn advance(&self, server: &mut Server, start_ms: f64, sample_ms: f64, chance: &mut Chance) -> f64 {
        let speed = self.capacity * (1.0 + self.jitter * chance.between(-1.0, 1.0));
        server.run(speed, sample_ms);
        server.report(start_ms + sample_ms, self.saw);
        let visible = server.queue + server.unreported;
        server.run(speed, STEP_MS as f64 - sample_ms);
        visible
    }
}

#[derive(Clone, Debug)]
struct Server {
    arrival: f64,
    queue: f64,
    unreported: f64,
    next_report_ms: f64,
}

impl Server {
    fn run(&mut self, speed: f64, length_ms: f64) {
        let arrived = self.arrival * length_ms / 1000.0;
        let handled = (speed * length_ms / 1000.0).min(self.queue + arrived);
        self.queue += arrived - handled;
        self.unreported += handled;
    }

    fn report(&mut self, now_ms: f64, saw: Saw) {
        if now_ms >= self.next_report_ms {
            self.unreported = 0.0;
            let late = (now_ms - self.next_report_ms) / saw.period_ms;
            self.next_report_ms += saw.period_ms * (late.floor() + 1.0);
        }
    }
}

const STEP_MS: u64 = 100;
