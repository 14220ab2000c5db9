use std::fmt;

use groma_model::Span;

use crate::cluster::Cluster;

/// One change to a group, and how long nothing else is changed after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What is done.
    pub change: Change,
    /// How long until the next step.
    pub wait: Span,
}

/// What is done to a group from outside. On a process that is not up nothing is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A process starts and subscribes to all topics that exist; a static member if its name begins with S.
    Start(String),
    /// A process leaves in good order.
    Leave(String),
    /// It leaves in good order and starts again after a time.
    Bounce(String, Span),
    /// It is killed.
    Kill(String),
    /// It is killed and starts again after a time.
    Replace(String, Span),
    /// It is frozen for a time.
    Freeze(String, Span),
    /// It asks for other topics.
    Subscribe(String, &'static [&'static str]),
    /// A topic gets so many partitions.
    Topic(&'static str, u32),
    /// A topic is deleted.
    DeleteTopic(&'static str),
    /// The coordinator is killed and returns from its records after a time.
    KillCoordinator(Span),
    /// The group moves to another coordinator.
    MoveCoordinator,
    /// The clock of a process jumps ahead.
    ClockJumps(String, Span),
    /// A second process starts with the stable identity of a first one.
    Twin(String),
    /// Nobody was there to be changed.
    Nothing,
}

impl Change {
    /// Whether a member comes or goes by it.
    pub const fn is_of_membership(&self) -> bool {
        matches!(
            self,
            Self::Start(_)
                | Self::Twin(_)
                | Self::Leave(_)
                | Self::Bounce(..)
                | Self::Kill(_)
                | Self::Replace(..)
                | Self::Freeze(..)
        )
    }

    /// Whether a process is killed or frozen by it.
    pub(super) const fn is_strike(&self) -> bool {
        matches!(self, Self::Kill(_) | Self::Replace(..) | Self::Freeze(..))
    }

    pub(super) fn apply(&self, cluster: &mut Cluster) {
        let up = |cluster: &Cluster, name: &String| cluster.up().contains(name);
        match self {
            Self::Start(name) if !up(cluster, name) => start(cluster, name),
            Self::Leave(name) if up(cluster, name) => cluster.leave(name),
            Self::Bounce(name, away) if up(cluster, name) => {
                cluster.leave(name);
                cluster.restart_after(name, *away);
            }
            Self::Kill(name) if up(cluster, name) => cluster.crash(name),
            Self::Replace(name, away) if up(cluster, name) => {
                cluster.crash(name);
                cluster.restart_after(name, *away);
            }
            Self::Freeze(name, span) if up(cluster, name) => cluster.freeze(name, *span),
            Self::Subscribe(name, topics) if up(cluster, name) => cluster.subscribe(name, topics),
            Self::Topic(name, partitions) => cluster.topic(name, *partitions),
            Self::DeleteTopic(name) => cluster.delete_topic(name),
            Self::KillCoordinator(down) => cluster.crash_coordinator(*down),
            Self::MoveCoordinator => cluster.move_coordinator(),
            Self::ClockJumps(name, ahead) if up(cluster, name) => cluster.jump_ahead(name, *ahead),
            Self::Twin(name) if up(cluster, name) && !up(cluster, &twin(name)) => cluster.join_twin(name, &twin(name)),
            _ => {}
        }
    }
}

fn twin(name: &str) -> String {
    format!("{name}+")
}

pub(super) fn start(cluster: &mut Cluster, name: &str) {
    if name.starts_with('S') { cluster.join_static(name) } else { cluster.join(name) }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.change {
            Change::Start(name) => write!(f, "start {name}"),
            Change::Leave(name) => write!(f, "{name} leaves"),
            Change::Bounce(name, away) => write!(f, "{name} leaves and is back after {away}"),
            Change::Kill(name) => write!(f, "kill {name}"),
            Change::Replace(name, away) => write!(f, "kill {name}, back after {away}"),
            Change::Freeze(name, span) => write!(f, "freeze {name} for {span}"),
            Change::Subscribe(name, topics) => write!(f, "{name} subscribes to {}", topics.join(" ")),
            Change::Topic(name, partitions) => write!(f, "topic {name} has {partitions} partitions"),
            Change::DeleteTopic(name) => write!(f, "delete topic {name}"),
            Change::KillCoordinator(down) => write!(f, "kill the coordinator, back after {down}"),
            Change::MoveCoordinator => f.write_str("the group moves to another coordinator"),
            Change::ClockJumps(name, ahead) => write!(f, "the clock of {name} jumps ahead by {ahead}"),
            Change::Twin(name) => write!(f, "start {} with the identity of {name}", twin(name)),
            Change::Nothing => f.write_str("nothing"),
        }?;
        write!(f, ", then wait {}", self.wait)
    }
}
