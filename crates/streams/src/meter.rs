use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Large enough that the allocator may use its memory for blocks of any size afterwards.
const BLOCK: usize = 1 << 20;

/// Processor time of this process so far, in all its threads.
pub(crate) fn process_cpu() -> Duration {
    read(ClockId::ProcessCPUTime)
}

/// Processor time of this thread so far.
pub(crate) fn thread_cpu() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// Resident memory of this process in bytes; 0 where the system does not say.
pub(crate) fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok().and_then(|text| {
        let pages = text.split_whitespace().nth(1)?;
        pages.parse::<u64>().ok()
    });
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

/// Writes to so much memory and gives it back to the allocator, so that the first use of a page costs nothing later
/// (Java's `AlwaysPreTouch`).
pub(crate) fn touch(bytes: usize) {
    let touched: Vec<Vec<u8>> = (0..bytes / BLOCK).map(|_| vec![1; BLOCK]).collect();
    std::hint::black_box(&touched);
}

fn read(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
