use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::cage::hand_down;
use super::kind::{LimitKind, Limiter, is_own_forced};
use super::mounts::Controllers;
use crate::machine::find_program;

/// Starts this program anew in a scope of the user's systemd that may have control groups of its own, where that is the
/// only way to limit instances. Returns where it is not, or where it fails: then instances keep to their budget
/// themselves.
pub fn enter_scope() {
    let already = Limiter::detect().kind() == LimitKind::SystemdScope;
    if already || to_come() != LimitKind::SystemdScope {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let trial = in_scope().arg("true").output();
    let failure = match trial {
        Ok(trial) if trial.status.success() => {
            in_scope().arg(program).args(std::env::args_os().skip(1)).env(INSIDE, "1").exec().to_string()
        }
        Ok(trial) => String::from_utf8_lossy(&trial.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    eprintln!("groma: no scope of the user's systemd ({failure}); instances keep to their budget themselves");
}

fn in_scope() -> Command {
    let mut command = Command::new("systemd-run");
    command.args(["--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]);
    command
}

/// What will hold instances to their limits in a benchmark started here.
pub fn to_come() -> LimitKind {
    match Limiter::detect().kind() {
        LimitKind::OwnBudget if !is_own_forced() && std::env::var_os(INSIDE).is_none() && has_user_manager() => {
            LimitKind::SystemdScope
        }
        kind => kind,
    }
}

/// The control group that this process was given, made fit to have groups below it: version 2 wants processes in leaves
/// only.
pub(super) fn own_group(here: &Controllers) -> Option<Controllers> {
    let own = here.delegated(&fs::read_to_string("/proc/self/cgroup").ok()?)?;
    let group = &own.cpu.as_ref()?.mount;
    std::env::var_os(INSIDE)?;
    let leaf = group.join(LEAF);
    fs::create_dir_all(&leaf).ok()?;
    fs::write(leaf.join("cgroup.procs"), std::process::id().to_string()).ok()?;
    hand_down(group);
    Some(own)
}

fn has_user_manager() -> bool {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    let socket = runtime.map(|folder| Path::new(&folder).join("systemd/private"));
    socket.is_some_and(|socket| socket.exists()) && find_program("systemd-run").is_some()
}

/// Set in the environment of the program that runs inside the scope.
const INSIDE: &str = "GROMA_INSIDE_SCOPE";
/// Where the benchmark itself runs.
const LEAF: &str = "benchmark";
