use serde::{Deserialize, Serialize};

use crate::{Cause, Instances, Load, MIN_SAMPLES, Verdict, Warning};

/// What was seen of everything but the lag while a cell was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The load asked for.
    pub asked: Load,
    /// Records per second that the generator had acknowledged over the measured window.
    pub achieved_per_s: f64,
    /// Processor use.
    pub cpu: Cpu,
    /// Instances of the cell.
    pub instances: Instances,
    /// Instances still alive when the window ended.
    pub alive: u32,
    /// Whether the group rebalanced inside the window.
    pub rebalanced: Option<u32>,
    /// Partitions of the input topic.
    pub partitions: u32,
    /// Records deleted from the input before they were read.
    pub deleted_records: u64,
    /// The longest silence of the probe, in milliseconds.
    pub longest_gap_ms: f64,
    /// Lag samples in the window.
    pub samples: usize,
}

/// Processor use over the measured window, as shares of 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cpu {
    /// The core that broker and generator share.
    pub generator_core: f64,
    /// Time of all cores taken by the hypervisor.
    pub steal: f64,
    /// The instances, as a share of their quota.
    pub instances: f64,
}

/// From where on conditions make a cell invalid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Validity {
    /// By how much the generator may be short, as a share of the load.
    pub generator_short: f64,
    /// How busy the core of broker and generator may be.
    pub generator_core: f64,
    /// How much time the hypervisor may take.
    pub steal: f64,
    /// How long the probe may be silent, in milliseconds.
    pub gap_ms: f64,
}

impl Default for Validity {
    /// Generator 1 % short, its core 90 % busy, 5 % steal, half a second of silence.
    fn default() -> Self {
        Self { generator_short: 0.01, generator_core: 0.90, steal: 0.05, gap_ms: 500.0 }
    }
}

impl Validity {
    /// The first reason, gravest first, why a cell under `seen` says nothing about its instances.
    pub fn cause(&self, seen: &Conditions) -> Option<Cause> {
        Self::of_system(seen).or_else(|| self.of_machine(seen)).or_else(|| self.of_probe(seen))
    }

    fn of_system(seen: &Conditions) -> Option<Cause> {
        if seen.instances.0 > seen.partitions {
            Some(Cause::MorePartitionsNeeded { instances: seen.instances, partitions: seen.partitions })
        } else if seen.alive < seen.instances.0 {
            Some(Cause::InstanceDied { left: seen.alive })
        } else if seen.rebalanced.is_some_and(|rounds| rounds > 0) {
            Some(Cause::InstanceJoined)
        } else if seen.deleted_records > 0 {
            Some(Cause::InputDeleted { records: seen.deleted_records })
        } else {
            None
        }
    }

    fn of_machine(&self, seen: &Conditions) -> Option<Cause> {
        let asked = seen.asked.per_second();
        if seen.cpu.steal > self.steal {
            Some(Cause::Steal { share: seen.cpu.steal })
        } else if seen.cpu.generator_core > self.generator_core {
            Some(Cause::HostBusy { busy: seen.cpu.generator_core })
        } else if seen.achieved_per_s < asked * (1.0 - self.generator_short) {
            Some(Cause::GeneratorShort { asked, achieved: seen.achieved_per_s })
        } else {
            None
        }
    }

    fn of_probe(&self, seen: &Conditions) -> Option<Cause> {
        if seen.longest_gap_ms > self.gap_ms {
            Some(Cause::ProbeGap { gap_ms: seen.longest_gap_ms })
        } else if seen.samples < MIN_SAMPLES {
            Some(Cause::TooFewSamples { samples: seen.samples })
        } else {
            None
        }
    }
}

impl Warning {
    /// The doubts that `seen` casts on `verdict`.
    pub fn about(verdict: &Verdict, seen: &Conditions) -> Vec<Self> {
        let busy = seen.cpu.instances;
        let idle = (*verdict == Verdict::Fail && busy < CPU_BOUND).then_some(Self::NotCpuBound { busy });
        let (partitions, instances) = (seen.partitions, seen.instances);
        let uneven = (instances.0 > 0 && !partitions.is_multiple_of(instances.0))
            .then_some(Self::UnevenPartitions { partitions, instances });
        idle.into_iter().chain(uneven).collect()
    }
}

/// Below this share of their quota, failing instances were held up by something else.
const CPU_BOUND: f64 = 0.80;

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Conditions {
        Conditions {
            asked: Load(1000),
            achieved_per_s: 999.0,
            cpu: Cpu { generator_core: 0.4, steal: 0.01, instances: 0.95 },
            instances: Instances(2),
            alive: 2,
            rebalanced: Some(0),
            partitions: 12,
            deleted_records: 0,
            longest_gap_ms: 210.0,
            samples: 40,
        }
    }

    #[test]
    fn sound_conditions_have_no_cause() {
        assert_eq!(Validity::default().cause(&sound()), None);
    }

    #[test]
    fn each_cause_is_found() {
        type Spoil = fn(&mut Conditions);
        let cases: [(Spoil, Cause); 9] = [
            (|c| c.achieved_per_s = 989.0, Cause::GeneratorShort { asked: 1000.0, achieved: 989.0 }),
            (|c| c.cpu.generator_core = 0.91, Cause::HostBusy { busy: 0.91 }),
            (|c| c.cpu.steal = 0.06, Cause::Steal { share: 0.06 }),
            (|c| c.alive = 1, Cause::InstanceDied { left: 1 }),
            (|c| c.rebalanced = Some(1), Cause::InstanceJoined),
            (|c| c.partitions = 1, Cause::MorePartitionsNeeded { instances: Instances(2), partitions: 1 }),
            (|c| c.longest_gap_ms = 501.0, Cause::ProbeGap { gap_ms: 501.0 }),
            (|c| c.deleted_records = 3, Cause::InputDeleted { records: 3 }),
            (|c| c.samples = 39, Cause::TooFewSamples { samples: 39 }),
        ];
        for (spoil, cause) in cases {
            let mut seen = sound();
            spoil(&mut seen);
            assert_eq!(Validity::default().cause(&seen), Some(cause));
        }
    }

    #[test]
    fn a_fail_with_idle_instances_is_doubted() {
        let mut seen = sound();
        seen.cpu.instances = 0.79;
        assert_eq!(Warning::about(&Verdict::Fail, &seen), [Warning::NotCpuBound { busy: 0.79 }]);
        assert_eq!(Warning::about(&Verdict::Pass, &seen), []);
    }

    #[test]
    fn uneven_partitions_are_doubted() {
        let mut seen = sound();
        (seen.instances, seen.alive) = (Instances(5), 5);
        let uneven = Warning::UnevenPartitions { partitions: 12, instances: Instances(5) };
        assert_eq!(Warning::about(&Verdict::Pass, &seen), [uneven]);
    }
}
