use std::fs;

use crate::limits::allowed_cores;
use crate::results::Machine;

/// The machine this runs on.
pub fn describe() -> Machine {
    let uname = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    Machine {
        processor: value(&read("/proc/cpuinfo"), "model name", ':').unwrap_or_else(|| text(uname.machine())),
        cores: u32::try_from(allowed_cores().len()).unwrap_or(u32::MAX),
        memory_bytes: memory_bytes(&read("/proc/meminfo"), "MemTotal"),
        kernel: format!("{} {}", text(uname.sysname()), text(uname.release())),
        system: value(&read("/etc/os-release"), "PRETTY_NAME", '=').unwrap_or_else(|| text(uname.sysname())),
        clock_ticks_per_s: ticks_per_s(),
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn value(text: &str, key: &str, separator: char) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(separator));
    let (_, value) = pairs.find(|(name, _)| name.trim() == key)?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// Memory that can still be had without swapping.
pub(super) fn memory_available_bytes() -> u64 {
    memory_bytes(&read("/proc/meminfo"), "MemAvailable")
}

pub(super) fn memory_bytes(meminfo: &str, which: &str) -> u64 {
    let line = value(meminfo, which, ':').unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The scheduler's tick: the coarse monotonic clock moves once per tick, and its resolution is known to user space.
fn ticks_per_s() -> u32 {
    let resolution = rustix::time::clock_getres(rustix::time::ClockId::MonotonicCoarse);
    let tick_ns = u64::try_from(resolution.tv_nsec).unwrap_or(0);
    1_000_000_000_u64.checked_div(tick_ns).and_then(|ticks| u32::try_from(ticks).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_key() {
        assert_eq!(value("PRETTY_NAME=\"Debian 12\"\n", "PRETTY_NAME", '='), Some("Debian 12".to_owned()));
        assert_eq!(memory_bytes("MemTotal:       2048 kB\nMemFree: 1 kB\n", "MemTotal"), 2048 * 1024);
    }

    #[test]
    fn this_machine_has_a_tick() {
        assert!((10..=10_000).contains(&describe().clock_ticks_per_s));
    }
}
