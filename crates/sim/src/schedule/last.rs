use std::fmt;

use groma_model::{Span, Time};
use groma_rebalance::policy::{PolicyName, PolicySettings};

use super::step::start;
use crate::cluster::{Cluster, Property};

/// The last change of a schedule, in peace.
#[derive(Clone, Debug)]
pub(super) enum LastChange {
    /// A process starts.
    Comes(String),
    /// A process leaves in good order.
    Goes(String),
    /// A process is killed and starts again within its session.
    IsReplaced(String),
}

/// How long the process that is replaced is away.
const AWAY: Span = Span::from_secs(2);

/// What a policy promises of a single change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promises {
    policy: PolicyName,
    /// How many resources a round moves for balance; all that have to if none.
    batch: Option<u32>,
    /// Rounds to each batch.
    each: u64,
}

/// How a group stood before a change.
struct Before {
    at: Time,
    rounds: u64,
    overtaken: u64,
    moves: u64,
    stops: u64,
    members: u64,
    /// What the process of the change ran.
    ran: String,
    resources: u64,
}

impl Promises {
    pub(super) fn of(settings: &PolicySettings) -> Self {
        let each = if settings.interval == Span::ZERO { 1 } else { 2 };
        Self { policy: settings.policy, batch: settings.moves_per_round, each }
    }

    /// Rounds that a change takes in which so many resources move (L3): one that settles who is there, one that grants
    /// what was revoked, and one or two for each further batch. A wait adds the round in which it ends, and members that
    /// ask for different topics may add one.
    fn rounds(self, moves: u64) -> u64 {
        let waits = matches!(self.policy, PolicyName::Deferred | PolicyName::DeferredIncremental);
        let batches = self.batch.map_or(0, |batch| moves.div_ceil(u64::from(batch.max(1))));
        2 + self.each * batches + u64::from(waits)
    }
}

impl fmt::Display for LastChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comes(name) => write!(f, "{name} came"),
            Self::Goes(name) => write!(f, "{name} left"),
            Self::IsReplaced(name) => write!(f, "{name} was killed and came back after {AWAY}"),
        }
    }
}

impl LastChange {
    /// Lets it happen and checks what a policy promises of it.
    pub(super) fn play(&self, cluster: &mut Cluster, promises: Option<Promises>) {
        let before = self.before(cluster);
        match self {
            Self::Comes(name) => start(cluster, name),
            Self::Goes(name) => cluster.leave(name),
            Self::IsReplaced(name) => {
                cluster.crash(name);
                cluster.restart_after(name, AWAY);
            }
        }
        cluster.drive();
        cluster.check_settled();
        if let Some(promises) = promises {
            self.judge(cluster, promises, &before);
        }
    }

    fn before(&self, cluster: &Cluster) -> Before {
        let (Self::Comes(name) | Self::Goes(name) | Self::IsReplaced(name)) = self;
        Before {
            at: cluster.now(),
            rounds: cluster.rounds_closed(),
            overtaken: cluster.overtaken(),
            moves: cluster.moves(),
            stops: cluster.stops(),
            members: cluster.up().len() as u64,
            ran: cluster.runs(name),
            resources: cluster.all_resources() as u64,
        }
    }

    fn judge(&self, cluster: &mut Cluster, promises: Promises, before: &Before) {
        let moves = cluster.moves() - before.moves;
        let rounds = cluster.rounds_closed() - before.rounds;
        // A replacement is two events: somebody is missed, and somebody comes.
        let events = if matches!(self, Self::IsReplaced(_)) { 2 } else { 1 };
        let overtaken = cluster.overtaken() - before.overtaken;
        let most = overtaken + events * (promises.rounds(moves) + u64::from(!cluster.is_uniform()));
        if rounds > most {
            cluster.violate(
                Property::RoundsFew,
                format!("{self}, which took {rounds} rounds for {moves} moves, {most} at most"),
            );
        }
        match self {
            Self::Comes(_) => self.judge_arrival(cluster, moves, before),
            Self::IsReplaced(name) => self.judge_return(cluster, promises, before, name),
            Self::Goes(_) => {}
        }
    }

    fn judge_arrival(&self, cluster: &mut Cluster, moves: u64, before: &Before) {
        let most = before.resources.div_ceil(before.members + 1);
        if before.members > 0 && cluster.is_uniform() && moves > most {
            cluster.violate(Property::Sticky, format!("{self}, which moved {moves} resources, {most} at most"));
        }
    }

    fn judge_return(&self, cluster: &mut Cluster, promises: Promises, before: &Before, name: &str) {
        let waits = matches!(promises.policy, PolicyName::Deferred | PolicyName::DeferredIncremental);
        let refused = cluster.member(name).is_none();
        if !waits || refused || !cluster.is_uniform() {
            return;
        }
        let stops = cluster.stops() - before.stops;
        if stops > 0 || cluster.runs(name) != before.ran {
            let what = format!("{name} had {} and has {}, others stopped {stops}", before.ran, cluster.runs(name));
            cluster.violate(Property::BackAtOnce, what);
        }
        let back = cluster.last_start().since(before.at);
        let longest = cluster.patience();
        if back > longest {
            cluster.violate(Property::BackAtOnce, format!("{name} has its work back after {back}, {longest} at most"));
        }
    }
}
