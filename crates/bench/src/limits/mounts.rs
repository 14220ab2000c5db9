use std::path::PathBuf;

/// The two layouts of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One tree per controller.
    V1,
    /// One tree for all.
    V2,
}

/// Where a controller's tree is mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller {
    /// Its layout.
    pub layout: Layout,
    /// The mount point.
    pub mount: PathBuf,
}

/// The trees of the controllers that limits need; they may share mounts and even differ in layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controllers {
    /// Quotas.
    pub cpu: Option<Controller>,
    /// Accounting of processor time.
    pub cpuacct: Option<Controller>,
    /// Memory.
    pub memory: Option<Controller>,
}

impl Controllers {
    /// Reads the text of `/proc/self/mountinfo`; `v2_offers` gives the controllers of a version 2 mount (the words of
    /// its `cgroup.controllers`).
    pub fn parse(mountinfo: &str, v2_offers: impl Fn(&PathBuf) -> String) -> Self {
        let mut found = Self::default();
        for (kind, mount, options) in mountinfo.lines().filter_map(mount) {
            let (layout, offers) = match kind {
                "cgroup" => (Layout::V1, options.to_owned()),
                "cgroup2" => (Layout::V2, v2_offers(&mount).split_whitespace().collect::<Vec<_>>().join(",")),
                _ => continue,
            };
            let has = |name: &str| offers.split(',').any(|word| word == name);
            let controller = Controller { layout, mount };
            let accounts = if layout == Layout::V2 { "cpu" } else { "cpuacct" };
            for (slot, name) in [(&mut found.cpu, "cpu"), (&mut found.cpuacct, accounts), (&mut found.memory, "memory")]
            {
                if slot.is_none() && has(name) {
                    *slot = Some(controller.clone());
                }
            }
        }
        found
    }

    /// The controllers of this machine.
    pub fn here() -> Self {
        let mountinfo = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let offers = |mount: &PathBuf| std::fs::read_to_string(mount.join("cgroup.controllers")).unwrap_or_default();
        Self::parse(&mountinfo, offers)
    }

    /// The same with its version 2 tree cut down to the group that this process is in: all that a delegated group may
    /// use. None without such a tree.
    pub fn delegated(&self, own: &str) -> Option<Self> {
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let cut = |tree: &Option<Controller>| {
            let tree = tree.clone().filter(|tree| tree.layout == Layout::V2)?;
            Some(Controller { mount: tree.mount.join(own), ..tree })
        };
        let cut = Self { cpu: cut(&self.cpu), cpuacct: cut(&self.cpuacct), memory: cut(&self.memory) };
        cut.cpu.is_some().then_some(cut)
    }

    /// Each tree once.
    pub fn mounts(&self) -> Vec<&Controller> {
        let mut mounts: Vec<&Controller> = Vec::new();
        for controller in [&self.cpu, &self.cpuacct, &self.memory].into_iter().flatten() {
            if !mounts.contains(&controller) {
                mounts.push(controller);
            }
        }
        mounts
    }
}

/// Type, mount point and super options of one line: `id parent dev root MOUNT options [tags] - TYPE source OPTIONS`.
fn mount(line: &str) -> Option<(&str, PathBuf, &str)> {
    let (before, after) = line.split_once(" - ")?;
    let point = before.split(' ').nth(4)?;
    let mut after = after.split(' ');
    let kind = after.next()?;
    Some((kind, PathBuf::from(point.replace("\\040", " ")), after.nth(1).unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEPARATE: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime shared:7 - cgroup cgroup rw,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";
    const JOINT: &str = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";
    const UNIFIED: &str = "35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

    fn at(mount: &str, layout: Layout) -> Option<Controller> {
        Some(Controller { layout, mount: PathBuf::from(mount) })
    }

    #[test]
    fn separate_trees_are_found_beside_a_useless_unified_one() {
        let found = Controllers::parse(SEPARATE, |_| "hugetlb\n".to_owned());
        assert_eq!(found.cpu, at("/sys/fs/cgroup/cpu", Layout::V1));
        assert_eq!(found.cpuacct, at("/sys/fs/cgroup/cpuacct", Layout::V1));
        assert_eq!(found.memory, at("/sys/fs/cgroup/memory", Layout::V1));
        assert_eq!(found.mounts().len(), 3);
    }

    #[test]
    fn a_joint_tree_is_one_mount() {
        let found = Controllers::parse(JOINT, |_| String::new());
        assert_eq!(found.cpu, at("/sys/fs/cgroup/cpu,cpuacct", Layout::V1));
        assert_eq!(found.mounts().len(), 1);
    }

    #[test]
    fn the_unified_tree_serves_everything() {
        let found = Controllers::parse(UNIFIED, |_| "cpuset cpu io memory pids\n".to_owned());
        assert_eq!(found.cpu, at("/sys/fs/cgroup", Layout::V2));
        assert_eq!(found.cpuacct, found.cpu);
        assert_eq!(found.mounts().len(), 1);
    }

    #[test]
    fn a_delegated_group_is_used_from_its_own_place_on() {
        let found = Controllers::parse(UNIFIED, |_| "cpu memory\n".to_owned());
        let own = found.delegated("0::/user.slice/run-1.scope\n").unwrap();
        assert_eq!(own.cpu, at("/sys/fs/cgroup/user.slice/run-1.scope", Layout::V2));
        let separate = Controllers::parse(SEPARATE, |_| String::new());
        assert_eq!(separate.delegated("4:cpu:/\n0::/user.slice\n"), None);
    }

    #[test]
    fn no_tree_is_no_controller() {
        assert_eq!(
            Controllers::parse("1 2 0:1 / / rw - ext4 /dev/vda rw\n", |_| String::new()),
            Controllers::default()
        );
    }
}
