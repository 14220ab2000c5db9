use std::fs;

/// What a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of all its threads, ended ones too, in nanoseconds; to a clock tick.
    pub cpu_ns: u64,
    /// Resident memory.
    pub rss_bytes: u64,
    /// Bytes read and written, over sockets and from files; 0 where the system does not say.
    pub io_bytes: u64,
    /// Bytes read from and written to disks.
    pub disk_bytes: u64,
}

impl Usage {
    /// What both have used.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            cpu_ns: self.cpu_ns + other.cpu_ns,
            rss_bytes: self.rss_bytes + other.rss_bytes,
            io_bytes: self.io_bytes + other.io_bytes,
            disk_bytes: self.disk_bytes + other.disk_bytes,
        }
    }
}

/// The use of process `id` now; zero for one that is gone.
pub fn usage(id: u32) -> Usage {
    let io = fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
    let [io_bytes, disk_bytes] = [["rchar", "wchar"], ["read_bytes", "write_bytes"]].map(|names| sum(&io, names));
    Usage { cpu_ns: cpu_ns(id), rss_bytes: rss_bytes(id), io_bytes, disk_bytes }
}

/// User and system time are the 14th and 15th field; the name before them may hold anything, but ends with the last
/// parenthesis.
fn cpu_ns(id: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = first_number(fields, 11).unwrap_or(0) + first_number(fields, 12).unwrap_or(0);
    ticks * 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)
}

fn rss_bytes(id: u32) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{id}/statm")).unwrap_or_default();
    first_number(&statm, 1).unwrap_or(0) * rustix::param::page_size() as u64
}

/// The sum of the fields with these names.
fn sum(text: &str, names: [&str; 2]) -> u64 {
    let pairs = text.lines().filter_map(|line| line.split_once(": "));
    pairs.filter(|(name, _)| names.contains(name)).filter_map(|(_, value)| value.trim().parse::<u64>().ok()).sum()
}

fn first_number(text: &str, index: usize) -> Option<u64> {
    text.split_whitespace().nth(index)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_something() {
        let mut sum = 0_u64;
        while usage(std::process::id()).cpu_ns == 0 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(usage(std::process::id()).rss_bytes > 100_000);
    }

    #[test]
    fn traffic_is_told_from_disks() {
        let io = "rchar: 10\nwchar: 5\nsyscr: 99\nread_bytes: 4\nwrite_bytes: 3\ncancelled_write_bytes: 50\n";
        assert_eq!((sum(io, ["rchar", "wchar"]), sum(io, ["read_bytes", "write_bytes"])), (15, 7));
    }

    #[test]
    fn a_process_that_is_gone_uses_nothing() {
        assert_eq!(usage(u32::MAX), Usage::default());
    }
}
