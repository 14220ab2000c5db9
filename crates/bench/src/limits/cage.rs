use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::mounts::{Controller, Controllers, Layout};
use crate::BenchError;
use crate::definition::Limits;

/// A control group for one process: made, read, and removed when dropped. The process puts itself into it, see
/// [`super::exec`].
#[derive(Debug)]
pub struct Cage {
    controllers: Controllers,
    name: String,
}

/// How often a quota held its processes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throttle {
    /// Periods in which there was work.
    pub periods: u64,
    /// Periods in which the quota ran out.
    pub throttled: u64,
}

impl Cage {
    /// Makes the group `name` in every tree.
    ///
    /// # Errors
    /// A tree cannot be written.
    pub fn create(controllers: &Controllers, name: &str) -> Result<Self, BenchError> {
        let cage = Self { controllers: controllers.clone(), name: name.to_owned() };
        for tree in cage.controllers.mounts() {
            let path = tree.mount.join(name);
            let parent = path.parent().unwrap_or(&tree.mount);
            make(parent)?;
            if tree.layout == Layout::V2 {
                [&tree.mount, parent].into_iter().for_each(hand_down);
            }
            make(&path)?;
        }
        Ok(cage)
    }

    /// The group's folders, one per tree.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.controllers.mounts().iter().map(|tree| tree.mount.join(&self.name)).collect()
    }

    /// Sets the processor quota; none lifts it.
    ///
    /// # Errors
    /// The kernel refuses the quota.
    pub fn set_cpu(&self, limits: &Limits) -> Result<(), BenchError> {
        let Some(tree) = &self.controllers.cpu else { return Ok(()) };
        let quota_us = limits.cpu.map(|cores| (cores * limits.period_us as f64).round() as u64);
        let path = tree.mount.join(&self.name);
        match (tree.layout, quota_us) {
            (Layout::V1, Some(quota_us)) => {
                write(&path.join("cpu.cfs_period_us"), &limits.period_us.to_string())?;
                write(&path.join("cpu.cfs_quota_us"), &quota_us.to_string())
            }
            (Layout::V1, None) => write(&path.join("cpu.cfs_quota_us"), "-1"),
            (Layout::V2, Some(quota_us)) => write(&path.join("cpu.max"), &format!("{quota_us} {}", limits.period_us)),
            (Layout::V2, None) => write(&path.join("cpu.max"), "max"),
        }
    }

    /// Sets the memory limit, if there is one.
    ///
    /// # Errors
    /// The kernel refuses it, or there is no memory controller.
    pub fn set_memory(&self, limits: &Limits) -> Result<(), BenchError> {
        let Some(bytes) = limits.memory_bytes else { return Ok(()) };
        let Some(tree) = &self.controllers.memory else {
            return Err(BenchError::Machine(
                "memory cannot be limited here: there is no writable memory controller; leave out `limits: memory`"
                    .to_owned(),
            ));
        };
        let file = if tree.layout == Layout::V1 { "memory.limit_in_bytes" } else { "memory.max" };
        write(&tree.mount.join(&self.name).join(file), &bytes.to_string())
    }

    /// Processor time used by the group so far, in nanoseconds.
    pub fn used_ns(&self) -> Option<u64> {
        let tree = self.controllers.cpuacct.as_ref()?;
        match tree.layout {
            Layout::V1 => self.read(tree, "cpuacct.usage")?.trim().parse().ok(),
            Layout::V2 => Some(field(&self.read(tree, "cpu.stat")?, "usage_usec")? * 1000),
        }
    }

    /// How often the quota held the group back so far.
    pub fn throttle(&self) -> Option<Throttle> {
        let text = self.read(self.controllers.cpu.as_ref()?, "cpu.stat")?;
        Some(Throttle { periods: field(&text, "nr_periods")?, throttled: field(&text, "nr_throttled")? })
    }

    fn read(&self, tree: &Controller, file: &str) -> Option<String> {
        fs::read_to_string(tree.mount.join(&self.name).join(file)).ok()
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        for path in self.paths() {
            remove(&path);
        }
    }
}

fn make(group: &Path) -> Result<(), BenchError> {
    fs::create_dir_all(group).map_err(|e| BenchError::file_mended("make the control group", group, e, CHECK_LIMITS))
}

/// Lets the groups below a group of version 2 have the controllers that it has itself.
pub(super) fn hand_down(group: &Path) {
    for controller in ["+cpu", "+memory"] {
        let _ = fs::write(group.join("cgroup.subtree_control"), controller);
    }
}

/// Removes a group once its last process is gone; the kernel takes a moment to notice.
pub(super) fn remove(path: &Path) {
    for _ in 0..REMOVE_TRIES {
        match fs::remove_dir(path) {
            Err(e) if e.raw_os_error() == Some(EBUSY) => std::thread::sleep(REMOVE_PAUSE),
            _ => return,
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    fs::write(path, text).map_err(|e: io::Error| BenchError::file_mended("write", path, e, CHECK_LIMITS))
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

/// What to do where a control group does not do as asked.
pub(super) const CHECK_LIMITS: &str =
    "`groma doctor` says how instances can be limited here; leave out `limits` or run where they hold";
const EBUSY: i32 = 16;
const REMOVE_TRIES: u32 = 50;
const REMOVE_PAUSE: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_statistics_are_found_by_their_whole_name() {
        let text = "nr_periods 42\nnr_throttled 39\nthrottled_time 5\n";
        assert_eq!(field(text, "nr_throttled"), Some(39));
        assert_eq!(field(text, "nr_thr"), None);
    }

    /// A folder stands in for a tree, so both layouts are tested wherever this runs.
    #[test]
    fn quotas_are_written_as_each_layout_wants_them() {
        let folder = std::env::temp_dir().join(format!("groma-cage-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let limits = Limits { cpu: Some(0.05), period_us: 20_000, memory_bytes: Some(1 << 26) };
        for (layout, files) in [
            (Layout::V1, [("cpu.cfs_quota_us", "1000"), ("memory.limit_in_bytes", "67108864")]),
            (Layout::V2, [("cpu.max", "1000 20000"), ("memory.max", "67108864")]),
        ] {
            let tree = Some(Controller { layout, mount: folder.clone() });
            let controllers = Controllers { cpu: tree.clone(), cpuacct: tree.clone(), memory: tree };
            let cage = Cage::create(&controllers, &format!("{layout:?}/instance-0")).unwrap();
            cage.set_cpu(&limits).unwrap();
            cage.set_memory(&limits).unwrap();
            for (file, content) in files {
                assert_eq!(fs::read_to_string(cage.paths()[0].join(file)).unwrap(), content);
            }
            let switches = [folder.clone(), cage.paths()[0].parent().unwrap().to_owned()];
            let handed_down = switches.map(|group| group.join("cgroup.subtree_control").exists());
            assert_eq!(handed_down, [layout == Layout::V2; 2], "the group's own parent must hand controllers down");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
