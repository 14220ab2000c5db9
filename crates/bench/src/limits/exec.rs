use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use rustix::process::{Signal, set_parent_process_death_signal};
use serde::{Deserialize, Serialize};

use super::affinity::pin_self;
use super::cage::CHECK_LIMITS;
use crate::BenchError;

/// What a child does to itself before it becomes the program it was started for: no window in which it runs
/// unlimited, and no other process has to act on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limited {
    /// Control groups to join.
    pub groups: Vec<PathBuf>,
    /// Cores to keep to.
    pub cores: Vec<usize>,
}

/// Joins the groups, keeps to the cores, asks to be killed with the parent, and turns into `command`; returns only
/// when that fails.
pub fn exec(limited: &Limited, command: &[OsString]) -> BenchError {
    for group in &limited.groups {
        let path = group.join("cgroup.procs");
        if let Err(e) = std::fs::write(&path, std::process::id().to_string()) {
            return BenchError::file_mended("join", &path, e, CHECK_LIMITS);
        }
    }
    pin_self(&limited.cores);
    if let Err(e) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return BenchError::Machine(format!("a child cannot be tied to its parent ({e})"));
    }
    let Some((program, arguments)) = command.split_first() else {
        return BenchError::Usage("no command to run".to_owned());
    };
    let cause = Command::new(program).args(arguments).exec();
    BenchError::Child(format!("cannot start {} ({cause}); check the path", program.display()))
}
