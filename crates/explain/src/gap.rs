use std::collections::BTreeSet;

use serde::Serialize;

use crate::evidence::{Act, Evidence, SKEW_MS};
use crate::rebalance::{Draft, End, Owners};
use crate::round::Round;
use crate::{Basis, Known, Removal, work};

/// A time in which a resource did not run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// What.
    pub resource: String,
    /// Who ran it before.
    pub from: Option<String>,
    /// Who ran it next.
    pub to: Option<String>,
    /// When it stopped.
    pub from_ms: Known<i64>,
    /// When it ran again.
    pub to_ms: Known<i64>,
}

/// Whether members keep what they hold through a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Everything stops for each round.
    Eager,
    /// Only what moves stops.
    Cooperative,
    /// Nobody here knows this protocol.
    Unknown,
}

impl Mode {
    /// The mode of an embedded protocol by its name, for those that Kafka ships and ours.
    pub(crate) fn of(protocol: Option<&str>) -> Self {
        match protocol.map(|name| name.strip_suffix("-delta").unwrap_or(name)) {
            Some("range" | "roundrobin" | "sticky" | "default") => Self::Eager,
            Some("cooperative-sticky" | "uniform" | "weighted" | "tasks" | "stream" | "compatible" | "sessioned") => {
                Self::Cooperative
            }
            _ => Self::Unknown,
        }
    }
}

impl Gap {
    /// How long it took; none where an end is not known.
    pub fn length_ms(&self) -> Option<u64> {
        let (from, to) = (self.from_ms.value?, self.to_ms.value?);
        u64::try_from(to.saturating_sub(from)).ok().or(Some(0))
    }
}

/// The gaps of a rebalance.
pub(crate) fn gaps(draft: &Draft, evidence: &Evidence) -> Vec<Gap> {
    let Some(before) = &draft.before.owners else { return Vec::new() };
    let nobodys = Owners::new();
    let after = draft.owners_so_far().unwrap_or(&nobodys);
    work::did(before.len() + after.len());
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut gaps = Vec::new();
    for resource in all {
        let (from, to) = (before.get(resource), after.get(resource));
        match (from, to) {
            (Some(owner), Some(same)) if owner == same => gaps.extend(pauses(draft, evidence, resource, owner)),
            (Some(_), _) => gaps.extend(handover(draft, evidence, resource, (from, to))),
            (None, _) => {}
        }
    }
    gaps
}

/// A resource that changes hands stops once, however many rounds that takes.
fn handover(
    draft: &Draft,
    evidence: &Evidence,
    resource: &str,
    (from, to): (Option<&String>, Option<&String>),
) -> Option<Gap> {
    let from = from?;
    let emptied = draft.last().and_then(|round| round.seats.as_ref()).is_some_and(Vec::is_empty);
    let to_ms = match (to, draft.end) {
        (Some(to), _) => started(draft, evidence, (to, resource)),
        (None, End::Stuck) => Known::unknown("nobody was given it in several rounds; it may not exist any more"),
        (None, End::Settled) if !emptied => return None,
        (None, End::Settled | End::Open) => Known::unknown("it has not run again yet"),
    };
    let (from_ms, to_ms) = in_order(stopped(draft, evidence, (from, resource)), to_ms);
    Some(Gap { resource: resource.to_owned(), from: Some(from.clone()), to: to.cloned(), from_ms, to_ms })
}

/// A gap begins before it ends, whatever clocks say: where one end is inferred it gives way to the one that was seen.
fn in_order(from: Known<i64>, to: Known<i64>) -> (Known<i64>, Known<i64>) {
    let (Some(stopped), Some(started)) = (from.value, to.value) else { return (from, to) };
    if stopped <= started {
        return (from, to);
    }
    match (from.basis, to.basis) {
        (Basis::Observed, Basis::Observed | Basis::Inferred) => {
            (from, Known::inferred(stopped, "not before its member before had stopped"))
        }
        _ => (Known::inferred(started, "at the latest when the next one ran it"), to),
    }
}

/// A resource that its member keeps stops in each eager round, and runs on through cooperative ones.
fn pauses(draft: &Draft, evidence: &Evidence, resource: &str, owner: &str) -> Vec<Gap> {
    draft.rounds.iter().filter_map(|round| pause(draft, round, evidence, (owner, resource))).collect()
}

fn pause(draft: &Draft, round: &Round, evidence: &Evidence, (owner, resource): (&str, &str)) -> Option<Gap> {
    let gap = |from_ms, to_ms| {
        let member = Some(owner.to_owned());
        Some(Gap { resource: resource.to_owned(), from: member.clone(), to: member, from_ms, to_ms })
    };
    let stable = round.stable_ms.value.unwrap_or(draft.until_ms);
    let begin = round.opened_ms.value.unwrap_or(stable);
    let is_stop = |act| act == Act::Stopped;
    if let Some((at, _)) = evidence.when((owner, resource), (begin.saturating_sub(SKEW_MS), stable), is_stop) {
        return gap(Known::observed(at), started_after(evidence, (owner, resource), (at, draft.until_ms), round));
    }
    if round.mode() != Mode::Eager {
        return None;
    }
    let rule = format!("under `{}` everything stops when its member joins a round", protocol(round));
    let from_ms = match (round.steps.get(owner).and_then(|steps| steps.joined_ms), round.opened_ms.value) {
        (Some(joined), _) => Known::inferred(joined, rule),
        (None, Some(opened)) => Known::inferred(opened, format!("{rule}; when it joined nobody saw")),
        (None, None) => Known::unknown(format!("{rule}; when it joined nobody saw")),
    };
    gap(from_ms, delivered(round, owner))
}

/// When the former owner stopped.
fn stopped(draft: &Draft, evidence: &Evidence, (owner, resource): (&str, &str)) -> Known<i64> {
    let window = draft.window();
    if let Some((at, _)) = evidence.when((owner, resource), window, |act| act == Act::Stopped) {
        return Known::observed(at);
    }
    if let Some((at, _)) = evidence.when((owner, resource), window, |act| act == Act::GivenUp) {
        return Known::inferred(at, "its coordinator had heard by then that its member gave it up");
    }
    if let Some(gone) = draft.gone_of(owner) {
        return match gone.cause {
            Removal::SessionExpired => last_sign(evidence, owner, gone.at_ms),
            Removal::NotKnown => of_the_vanished(draft, evidence, resource),
            _ => Known::inferred(gone.at_ms, "its member was off the book then"),
        };
    }
    let mode = draft.rounds.first().map(Round::mode);
    let joins: Vec<i64> =
        draft.rounds.iter().filter_map(|round| round.steps.get(owner).and_then(|steps| steps.joined_ms)).collect();
    match (mode, joins.as_slice()) {
        (Some(Mode::Eager), [first, ..]) => Known::inferred(*first, "eager members stop when they join a round"),
        (Some(Mode::Cooperative), [_, second, ..]) => {
            Known::inferred(*second, "its member joined again then, with it given up")
        }
        _ => when_told(draft, mode),
    }
}

fn when_told(draft: &Draft, mode: Option<Mode>) -> Known<i64> {
    let first = draft.rounds.first();
    let opened = first.and_then(|round| round.opened_ms.value);
    let decided = first.and_then(|round| round.stable_ms.value);
    match (mode, opened, decided) {
        (Some(Mode::Eager), Some(at), _) => {
            Known::inferred(at, "eager members stop in each round; when exactly nobody saw")
        }
        (Some(Mode::Cooperative), _, Some(at)) => Known::inferred(at, "its member was told to give it up then"),
        _ => Known::unknown("nobody saw when its member stopped"),
    }
}

/// A silent member is expelled when its session timeout has passed since its last sign of life.
fn last_sign(evidence: &Evidence, member: &str, expelled_ms: i64) -> Known<i64> {
    let session = evidence.seats.get(member).and_then(|seat| seat.session_timeout_ms);
    let heard = session.map(|session| expelled_ms.saturating_sub_unsigned(session));
    let written = evidence.last_words(member, expelled_ms);
    match (heard, written) {
        (_, Some(written)) if heard.is_none_or(|heard| written > heard) => {
            Known::inferred(written, "the last line of its own trace")
        }
        (Some(heard), _) => Known::inferred(
            heard,
            format!("its last sign of life, {} ms before it was expelled", session.unwrap_or_default()),
        ),
        (None, _) => Known::unknown("its session timeout is not known"),
    }
}

/// Of a member that nobody saw go only the commits tell, and those only roughly.
fn of_the_vanished(draft: &Draft, evidence: &Evidence, resource: &str) -> Known<i64> {
    let end = draft.rounds.first().and_then(Round::taken_from_ms).unwrap_or(draft.until_ms);
    match evidence.last_commit(resource, end) {
        Some(at) => Known::inferred(at, "the last commit before; it may have run longer"),
        None => Known::unknown("nobody saw its member go, and nothing was committed"),
    }
}

/// When the new owner ran it.
fn started(draft: &Draft, evidence: &Evidence, (owner, resource): (&str, &str)) -> Known<i64> {
    let Some(last) = draft.last() else { return Known::unknown("no round has ended") };
    let round = draft.rounds.iter().find(|round| gives(round, owner, resource)).unwrap_or(last);
    let from = round.opened_ms.value.or(round.stable_ms.value).unwrap_or(i64::MIN);
    started_after(evidence, (owner, resource), (from, draft.until_ms), round)
}

fn gives(round: &Round, owner: &str, resource: &str) -> bool {
    round.owners().is_some_and(|owners| owners.get(resource).is_some_and(|given| given == owner))
}

fn started_after(
    evidence: &Evidence,
    (owner, resource): (&str, &str),
    window: (i64, i64),
    round: &Round,
) -> Known<i64> {
    let running = evidence.when((owner, resource), window, |act| matches!(act, Act::Running(_)));
    let given = || evidence.when((owner, resource), window, |act| act == Act::Given);
    match running {
        Some((at, _)) => Known::observed(at),
        None => match given() {
            Some((at, _)) => Known::inferred(at, "its member had it then"),
            None => delivered(round, owner),
        },
    }
}

fn delivered(round: &Round, owner: &str) -> Known<i64> {
    match round.delivered_ms(owner) {
        Some((at, Basis::Observed)) => Known::inferred(at, "its member could have its assignment then"),
        Some((at, _)) => Known::inferred(at, "the group was seen settled then"),
        None => Known::unknown("the round has not ended yet"),
    }
}

fn protocol(round: &Round) -> &str {
    round.protocol.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_our_protocols_keep_over_a_round_is_known() {
        for cooperative in ["cooperative-sticky", "uniform", "weighted", "weighted-delta", "tasks"] {
            assert_eq!(Mode::of(Some(cooperative)), Mode::Cooperative, "{cooperative}");
        }
        assert_eq!(Mode::of(Some("sticky")), Mode::Eager);
        assert_eq!(Mode::of(Some("another")), Mode::Unknown);
    }
}
