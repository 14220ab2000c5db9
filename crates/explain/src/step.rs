use serde::Serialize;

use crate::evidence::{Act, Evidence, Is, weaker};
use crate::rebalance::Draft;
use crate::round::{Round, Sharer};
use crate::{Basis, Known, Removal};

/// A stretch of time that a rebalance spent on one thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What kind.
    pub kind: StepKind,
    /// Who it waited for.
    pub member: Option<String>,
    /// The round's generation, if it belongs to one.
    pub generation: Option<i32>,
    /// How long it took, in milliseconds.
    pub took_ms: Known<u64>,
}

/// What a rebalance spends time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// Noticing that a member is dead: its session timeout.
    Detection,
    /// From the round's beginning to this member's join.
    Join,
    /// From the first member's join to its next one: it let others join before it shared anything out.
    Gather,
    /// From the last join to the end of the join phase: the coordinator waited for more members.
    Wait,
    /// From the end of the join phase to the leader's decision.
    Decision,
    /// From the leader's decision to this member's sync.
    Sync,
    /// From being told to give resources up to having stopped them.
    Release,
    /// From having resources to running them.
    Start,
    /// From a new epoch to what everybody is to have in it, where the coordinator shares out.
    Target,
    /// From there to this member having that.
    Reconcile,
    /// From a round's decision to the beginning of the follow-up round.
    FollowUp,
    /// The same, where resources waited for their owner.
    Return,
}

impl StepKind {
    /// The step in words; `{}` stands for the member.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Detection => "noticing that {} was dead",
            Self::Join => "waiting for {} to join",
            Self::Gather => "{} letting others join before it shares out (rebalance.formation)",
            Self::Wait => "the coordinator waiting for more members",
            Self::Decision => "the leader {} deciding",
            Self::Sync => "{} fetching its assignment",
            Self::Release => "{} stopping what it gives up",
            Self::Start => "{} starting what it was given",
            Self::Target => "the coordinator deciding what everybody is to have",
            Self::Reconcile => "{} coming to have what it is to have",
            Self::FollowUp => "waiting for the follow-up round to begin",
            Self::Return => "waiting for {} to come back (rebalance.max-delay)",
        }
    }
}

/// The steps of a rebalance, longest first; those of no length are left out.
pub(crate) fn steps(draft: &Draft, evidence: &Evidence) -> Vec<Step> {
    let mut steps = detections(draft, evidence);
    for (index, round) in draft.rounds.iter().enumerate() {
        steps.extend(of_round(round));
        if let Some(next) = draft.rounds.get(index + 1) {
            let (from, to) = (round.stable_ms.value, next.opened_ms.value);
            let known_by = weaker(round.stable_ms.basis, next.opened_ms.basis);
            let awaited = evidence.awaited((from.unwrap_or(i64::MAX), to.unwrap_or(i64::MIN)));
            let kind = if awaited.is_some() { StepKind::Return } else { StepKind::FollowUp };
            let paused = length(from, to).map(|took| timed(known_by, took));
            let gone = draft.gone().first().filter(|_| awaited.is_some() && draft.gone().len() == 1);
            let owner = awaited.flatten().or_else(|| gone.map(|gone| &gone.member));
            steps.extend(paused.map(|took| step(kind, owner, round, took)));
        }
    }
    steps.extend(of_members(draft, evidence));
    steps.retain(|step| step.took_ms.value != Some(0));
    steps.sort_by(|a, b| b.took_ms.value.cmp(&a.took_ms.value).then_with(|| a.kind.cmp(&b.kind)));
    steps
}

fn detections(draft: &Draft, evidence: &Evidence) -> Vec<Step> {
    let silent = draft.gone().iter().filter(|gone| gone.cause == Removal::SessionExpired);
    silent
        .map(|gone| {
            let session = evidence.seats.get(&gone.member).and_then(|seat| seat.session_timeout_ms);
            let took_ms = session.map_or_else(
                || Known::unknown("its session timeout is not known"),
                |session| Known::inferred(session, "its session timeout"),
            );
            Step { kind: StepKind::Detection, member: Some(gone.member.clone()), generation: None, took_ms }
        })
        .collect()
}

fn of_round(round: &Round) -> Vec<Step> {
    if round.by == Sharer::Coordinator {
        return of_epoch(round);
    }
    let mut steps = Vec::new();
    let (opened, closed, stable) = (round.opened_ms.value, round.closed_ms.value, round.stable_ms.value);
    for (member, at) in &round.steps {
        let joined = length(opened, at.joined_ms);
        let kind = if gathers(round, member) { StepKind::Gather } else { StepKind::Join };
        let known_by = if kind == StepKind::Gather { Basis::Inferred } else { round.opened_ms.basis };
        steps.extend(joined.map(|took| step(kind, Some(member), round, timed(known_by, took))));
        let synced = length(stable, at.synced_ms);
        steps.extend(synced.map(|took| step(StepKind::Sync, Some(member), round, Known::observed(took))));
    }
    let last_join = round.steps.values().filter_map(|at| at.joined_ms).max();
    let waited = length(last_join, closed);
    steps.extend(waited.map(|took| step(StepKind::Wait, None, round, timed(round.closed_ms.basis, took))));
    let decided = length(closed, stable);
    let leader = round.leader.as_ref();
    let known_by = weaker(round.closed_ms.basis, round.stable_ms.basis);
    steps.extend(decided.map(|took| step(StepKind::Decision, leader, round, timed(known_by, took))));
    steps
}

/// Of a group whose coordinator shares out.
fn of_epoch(round: &Round) -> Vec<Step> {
    let (opened, decided) = (round.opened_ms.value, round.closed_ms.value);
    let target = length(opened, decided).map(|took| step(StepKind::Target, None, round, Known::observed(took)));
    let reached = round.steps.iter().filter_map(|(member, at)| Some((member, length(decided, at.synced_ms)?)));
    let reached = reached.map(|(member, took)| step(StepKind::Reconcile, Some(member), round, Known::observed(took)));
    target.into_iter().chain(reached).collect()
}

/// Whether the member came first, and of our make, and so let others join before it shared out.
fn gathers(round: &Round, member: &str) -> bool {
    let ours = || round.seats.iter().flatten().any(|seat| seat.member == member && seat.ours == Some(true));
    round.anew && round.overtaken.as_deref() == Some(member) && ours()
}

/// A length between times of which the weaker is known like this.
fn timed(known_by: Basis, took: u64) -> Known<u64> {
    match known_by {
        Basis::Observed => Known::observed(took),
        Basis::Inferred | Basis::Unknown => Known::inferred(took, "by what members, records and polls tell of times"),
    }
}

/// What members' own traces tell of stopping and starting, the slowest resource of each.
fn of_members(draft: &Draft, evidence: &Evidence) -> Vec<Step> {
    let mut steps = Vec::new();
    let window = (draft.began_ms().value.unwrap_or(i64::MIN), draft.until_ms);
    for member in draft.members_before().union(&draft.members_after()) {
        for (kind, begins, ends) in
            [(StepKind::Release, is_revoking as Is, is_stopped as Is), (StepKind::Start, is_given, is_running)]
        {
            let took = evidence.slowest(member, window, (begins, ends));
            steps.extend(took.map(|took| Step {
                kind,
                member: Some((*member).to_owned()),
                generation: None,
                took_ms: Known::observed(took),
            }));
        }
    }
    steps
}

const fn is_revoking(act: Act) -> bool {
    matches!(act, Act::Revoking)
}

const fn is_stopped(act: Act) -> bool {
    matches!(act, Act::Stopped | Act::GivenUp)
}

const fn is_given(act: Act) -> bool {
    matches!(act, Act::Given)
}

const fn is_running(act: Act) -> bool {
    matches!(act, Act::Running(_))
}

fn step(kind: StepKind, member: Option<&String>, round: &Round, took_ms: Known<u64>) -> Step {
    Step { kind, member: member.cloned(), generation: round.generation, took_ms }
}

fn length(from: Option<i64>, to: Option<i64>) -> Option<u64> {
    u64::try_from(to?.saturating_sub(from?)).ok()
}
