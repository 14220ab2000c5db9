use std::collections::BTreeMap;

use super::describe::memory_bytes;

/// Counters of the whole machine at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Times of each core by its number.
    pub cores: BTreeMap<usize, CoreTimes>,
    /// Bytes received and sent over all interfaces.
    pub network_bytes: u64,
    /// Bytes read from and written to disks.
    pub disk_bytes: u64,
    /// Memory in use.
    pub memory_bytes: u64,
}

/// Times of one core, or of several added up, in clock ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreTimes {
    /// Everything, idle and stolen time included.
    pub total: u64,
    /// Idle, waiting for disks included.
    pub idle: u64,
    /// Taken by the hypervisor.
    pub steal: u64,
}

impl Host {
    /// Reads the counters now; what cannot be read is zero.
    pub fn read() -> Self {
        let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let meminfo = text("/proc/meminfo");
        Self {
            cores: cores(&text("/proc/stat")),
            network_bytes: network_bytes(&text("/proc/net/dev")),
            disk_bytes: disk_bytes(&text("/proc/vmstat")),
            memory_bytes: memory_bytes(&meminfo, "MemTotal").saturating_sub(memory_bytes(&meminfo, "MemAvailable")),
        }
    }

    /// The times of `cores` added up; of all cores when the list is empty.
    pub fn times(&self, cores: &[usize]) -> CoreTimes {
        let chosen = self.cores.iter().filter(|(core, _)| cores.is_empty() || cores.contains(core));
        chosen.fold(CoreTimes::default(), |sum, (_, times)| CoreTimes {
            total: sum.total + times.total,
            idle: sum.idle + times.idle,
            steal: sum.steal + times.steal,
        })
    }
}

impl CoreTimes {
    /// Share of the time since `earlier` that was busy, stolen time included, 0 to 1.
    pub fn busy_since(self, earlier: Self) -> f64 {
        let total = self.total.saturating_sub(earlier.total);
        let idle = self.idle.saturating_sub(earlier.idle);
        share(total.saturating_sub(idle), total)
    }

    /// Share of the time since `earlier` that was stolen, 0 to 1.
    pub fn stolen_since(self, earlier: Self) -> f64 {
        share(self.steal.saturating_sub(earlier.steal), self.total.saturating_sub(earlier.total))
    }
}

fn share(part: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { part as f64 / total as f64 }
}

/// `cpuN user nice system idle iowait irq softirq steal guest guest_nice`; guest time is part of user time.
fn cores(stat: &str) -> BTreeMap<usize, CoreTimes> {
    let lines = stat.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let core = words.next()?.strip_prefix("cpu")?.parse().ok()?;
        let times: Vec<u64> = words.take(8).filter_map(|word| word.parse().ok()).collect();
        let at = |index: usize| times.get(index).copied().unwrap_or(0);
        Some((core, CoreTimes { total: times.iter().sum(), idle: at(3) + at(4), steal: at(7) }))
    });
    lines.collect()
}

/// Columns 1 and 9 after the interface's name.
fn network_bytes(dev: &str) -> u64 {
    let counted = dev.lines().filter_map(|line| {
        let numbers: Vec<u64> = line.split_once(':')?.1.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        Some(numbers.first()? + numbers.get(8)?)
    });
    counted.sum()
}

/// `pgpgin` and `pgpgout` count KiB.
fn disk_bytes(vmstat: &str) -> u64 {
    let kib = vmstat.lines().filter_map(|line| {
        let (name, value) = line.split_once(' ')?;
        if matches!(name, "pgpgin" | "pgpgout") { value.parse::<u64>().ok() } else { None }
    });
    kib.sum::<u64>() * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  30 0 10 100 4 0 2 6 0 0\ncpu0 10 0 5 50 2 0 1 3 0 0\ncpu1 20 0 5 50 2 0 1 3 0 0\nintr 5\n";

    #[test]
    fn cores_are_read_one_by_one() {
        let cores = cores(STAT);
        assert_eq!(cores[&0], CoreTimes { total: 71, idle: 52, steal: 3 });
        assert_eq!(cores.len(), 2);
    }

    #[test]
    fn shares_are_of_the_time_between() {
        let earlier = CoreTimes { total: 100, idle: 80, steal: 0 };
        let later = CoreTimes { total: 200, idle: 120, steal: 10 };
        assert!((later.busy_since(earlier) - 0.6).abs() < 1e-9);
        assert!((later.stolen_since(earlier) - 0.1).abs() < 1e-9);
        assert_eq!(earlier.busy_since(earlier), 0.0);
    }

    #[test]
    fn traffic_is_added_over_interfaces() {
        let dev = "Inter-| Receive\n face |bytes\n    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n  eth0: 7 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0\n";
        assert_eq!(network_bytes(dev), 210);
        assert_eq!(disk_bytes("pgpgin 2\npgpgout 3\npgfault 9\n"), 5 * 1024);
    }

    #[test]
    fn this_machine_can_be_read() {
        assert!(!Host::read().cores.is_empty());
    }
}
