use std::fmt;

use super::cage::{Cage, remove};
use super::mounts::{Controllers, Layout};
use super::{scope, stale};
use crate::BenchError;
use crate::definition::Limits;

/// What holds instances to their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Control groups, version 1.
    CgroupV1,
    /// Control groups, version 2.
    CgroupV2,
    /// Control groups, version 2, below a scope that the user's systemd has handed to us.
    SystemdScope,
    /// Our instances watch their own thread clock; foreign engines run unlimited.
    OwnBudget,
}

/// Makes the groups of one benchmark.
#[derive(Debug)]
pub struct Limiter {
    kind: LimitKind,
    controllers: Controllers,
    folder: String,
}

impl Limiter {
    /// Finds out, by trying, what this machine allows.
    pub fn detect() -> Self {
        let here = Controllers::here();
        let folder = stale::folder_name();
        let forced = std::env::var(FORCED).unwrap_or_default();
        if forced == OWN {
            return Self { kind: LimitKind::OwnBudget, controllers: here, folder };
        }
        stale::sweep(&here);
        if let Some(tree) = here.cpu.as_ref().filter(|_| forced != SCOPE && works(&here, &folder)) {
            let kind = if tree.layout == Layout::V1 { LimitKind::CgroupV1 } else { LimitKind::CgroupV2 };
            return Self { kind, controllers: here, folder };
        }
        if let Some(own) = scope::own_group(&here).filter(|own| works(own, &folder)) {
            return Self { kind: LimitKind::SystemdScope, controllers: own, folder };
        }
        Self { kind: LimitKind::OwnBudget, controllers: here, folder }
    }

    /// What holds instances to their limits.
    pub const fn kind(&self) -> LimitKind {
        self.kind
    }

    /// A group for one instance; none where the limit is no control group of ours.
    ///
    /// # Errors
    /// The group cannot be made.
    pub fn cage(&self, name: &str) -> Result<Option<Cage>, BenchError> {
        match self.kind {
            LimitKind::CgroupV1 | LimitKind::CgroupV2 | LimitKind::SystemdScope => {
                Cage::create(&self.controllers, &format!("{}/{name}", self.folder)).map(Some)
            }
            LimitKind::OwnBudget => Ok(None),
        }
    }
}

/// To try a limit that this machine would not come to: set to `own`, instances keep to their budget by their own thread
/// clock; set to `scope`, the machine's own control groups are passed over.
const FORCED: &str = "GROMA_LIMIT";
const OWN: &str = "own";
const SCOPE: &str = "scope";

impl Drop for Limiter {
    fn drop(&mut self) {
        for tree in self.controllers.mounts() {
            remove(&tree.mount.join(&self.folder));
        }
    }
}

/// Whether own budgets were asked for.
pub(super) fn is_own_forced() -> bool {
    std::env::var(FORCED).is_ok_and(|forced| forced == OWN)
}

/// Whether a group can be made and given a quota.
fn works(controllers: &Controllers, folder: &str) -> bool {
    let trial = Limits { cpu: Some(0.5), period_us: 20_000, memory_bytes: None };
    let made = Cage::create(controllers, &format!("{folder}/trial"));
    made.is_ok_and(|cage| cage.set_cpu(&trial).is_ok() && cage.used_ns().is_some())
}

impl LimitKind {
    /// How the limit of an instance of `limits` is described in reports.
    pub fn describe(self, limits: &Limits) -> String {
        match limits.cpu {
            None => "none".to_owned(),
            Some(cores) => {
                let (quota, period) = (cores * limits.period_us as f64 / 1000.0, limits.period_us as f64 / 1000.0);
                match self {
                    Self::OwnBudget => format!("{self}, {cores} core"),
                    _ => format!("{self}, {quota} ms per {period} ms"),
                }
            }
        }
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CgroupV1 => "control groups version 1",
            Self::CgroupV2 => "control groups version 2",
            Self::SystemdScope => "control groups below a scope of the user's systemd",
            Self::OwnBudget => "own thread clock of our instances",
        })
    }
}
