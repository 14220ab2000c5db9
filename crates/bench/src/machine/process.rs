use std::fs;

/// What a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of all its threads that still run, in nanoseconds.
    pub cpu_ns: u64,
    /// Resident memory.
    pub rss_bytes: u64,
}

/// The use of process `id` now; zero for one that is gone.
pub fn usage(id: u32) -> Usage {
    Usage { cpu_ns: cpu_ns(id), rss_bytes: rss_bytes(id) }
}

/// The scheduler's own clock, which is finer than the ticks of `stat`.
fn cpu_ns(id: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    threads.filter_map(|thread| first_number(&fs::read_to_string(thread.path().join("schedstat")).ok()?, 0)).sum()
}

fn rss_bytes(id: u32) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{id}/statm")).unwrap_or_default();
    first_number(&statm, 1).unwrap_or(0) * rustix::param::page_size() as u64
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
    fn a_process_that_is_gone_uses_nothing() {
        assert_eq!(usage(u32::MAX), Usage::default());
    }
}
