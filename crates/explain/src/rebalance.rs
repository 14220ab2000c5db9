use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::evidence::Evidence;
use crate::gap::Gap;
use crate::remark::Remarked;
use crate::round::{Cause, Gone, Round};
use crate::step::Step;
use crate::{Basis, Bill, Known, PlannedMove, Reason, Remark, Removal, Seat, Trigger, work};

/// From an event to the next time everything has an owner: one round, or several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rebalance {
    /// Counts from 1.
    pub number: usize,
    /// When it began.
    pub began_ms: Known<i64>,
    /// When its last round was decided and everything had an owner again; unknown before.
    pub settled_ms: Known<i64>,
    /// What had an owner before and has none yet.
    pub unowned: Vec<String>,
    /// What began it.
    pub trigger: Cause,
    /// Members that were not there before.
    pub arrived: Vec<String>,
    /// Members that are not there any more.
    pub gone: Vec<Gone>,
    /// Resources that have another owner than before.
    pub moves: Vec<Moved>,
    /// How many of these somebody has now; unknown where nobody can read who owned what.
    pub moved: Known<u64>,
    /// The fewest that could have moved for shares as even as these.
    pub least_moves: Known<u64>,
    /// Its rounds.
    pub rounds: Vec<Round>,
    /// The steps that took longest, longest first.
    pub steps: Vec<Step>,
    /// What members noticed about how the group shares out: waits, policies that are not the configured one, breaches
    /// of the rules; in order of time.
    pub remarks: Vec<Remarked>,
    /// When resources did not run.
    pub gaps: Vec<Gap>,
    /// What it cost.
    pub bill: Bill,
}

impl Rebalance {
    /// Where somebody broke the rules, in order of time.
    pub fn breaches(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().map(|remarked| &remarked.remark).filter(|remark| remark.is_breach())
    }
}

/// A resource that has another owner than before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// What.
    pub resource: String,
    /// Who had it, if anybody.
    pub from: Option<String>,
    /// Who has it now, if anybody.
    pub to: Option<String>,
    /// Why.
    pub reason: Reason,
    /// How the reason is known: the leader's own word, or what follows from before and after.
    pub basis: Basis,
}

/// Owners by resource.
pub(crate) type Owners = BTreeMap<String, String>;

/// What is known of a group between two rebalances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calm {
    /// Who owns what; none where that is not known.
    pub(crate) owners: Option<Owners>,
    pub(crate) seats: Option<Vec<Seat>>,
    pub(crate) since_ms: Option<i64>,
}

/// A rebalance on its way to be judged: the calm before, its rounds, and when the next one begins.
pub(crate) struct Draft {
    pub(crate) before: Calm,
    pub(crate) rounds: Vec<Round>,
    pub(crate) until_ms: i64,
    pub(crate) end: End,
    /// The last fact's time.
    pub(crate) seen_ms: i64,
    /// Who owns what as far as it has come; none where that cannot be read.
    owners: Option<Owners>,
    /// Who is not there any more, by member, and in the order in which they went.
    gone: BTreeMap<String, usize>,
    went: Vec<Gone>,
    /// Identities that survive a restart, by member.
    identities: BTreeMap<String, String>,
}

/// How far a rebalance has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A round runs, or something that is asked for has no owner.
    Open,
    /// Everything that is asked for has an owner.
    Settled,
    /// Round after round left the same without an owner.
    Stuck,
}

/// A follow-up round that leaves as much without an owner as the ones before it does not lead anywhere: what has no
/// owner does not exist any more.
const STUCK_ROUNDS: usize = 3;

/// Cuts rounds into rebalances; the last fact is from `seen_ms`.
pub(crate) fn drafts(rounds: Vec<Round>, seen_ms: i64) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut before = fresh(rounds.first());
    let mut open: Vec<Round> = Vec::new();
    for round in rounds {
        if round.anew && !open.is_empty() {
            let since_ms = calm_after(&open).since_ms.or(before.since_ms);
            let unended = std::mem::replace(&mut before, nothing(since_ms));
            drafts.push(Draft::new(unended, std::mem::take(&mut open), (End::Stuck, seen_ms)));
        } else if round.anew {
            before = nothing(before.since_ms);
        }
        if open.is_empty()
            && let (Some(last), Some(began)) = (drafts.last_mut(), began(&round))
        {
            last.until_ms = began;
        }
        open.push(round);
        let end = end(&before, &open);
        if end != End::Open {
            let after = calm_after(&open);
            drafts.push(Draft::new(before, std::mem::take(&mut open), (end, seen_ms)));
            before = after;
        }
    }
    if !open.is_empty() {
        drafts.push(Draft::new(before, open, (End::Open, seen_ms)));
    }
    drafts
}

/// Before the first generation ever there was nothing; before one that merely is the first on record, who knows.
fn fresh(first: Option<&Round>) -> Calm {
    match first {
        Some(round) if round.anew || round.generation == Some(1) => nothing(None),
        _ => Calm::default(),
    }
}

const fn nothing(since_ms: Option<i64>) -> Calm {
    Calm { owners: Some(Owners::new()), seats: Some(Vec::new()), since_ms }
}

fn calm_after(rounds: &[Round]) -> Calm {
    let last = rounds.last();
    Calm {
        owners: last.and_then(Round::owners).cloned(),
        seats: last.and_then(|round| round.seats.clone()),
        since_ms: last.and_then(|round| round.stable_ms.value),
    }
}

fn began(round: &Round) -> Option<i64> {
    round.opened_ms.value.or(round.stable_ms.value)
}

fn end(before: &Calm, rounds: &[Round]) -> End {
    let Some(last) = rounds.last().filter(|round| round.stable_ms.value.is_some()) else { return End::Open };
    if last.seats.as_ref().is_none_or(Vec::is_empty) {
        return End::Settled;
    }
    let missing = missing(before, last).unwrap_or_default();
    if missing.is_empty() {
        return End::Settled;
    }
    let mut tail = rounds.iter().rev().take(STUCK_ROUNDS);
    let alike = tail.all(|round| self::missing(before, round).as_ref() == Some(&missing));
    if rounds.len() >= STUCK_ROUNDS && alike { End::Stuck } else { End::Open }
}

/// What was owned before, is still asked for, and has no owner after the round.
fn missing(before: &Calm, round: &Round) -> Option<BTreeSet<String>> {
    let (held, now, seats) = (before.owners.as_ref()?, round.owners()?, round.seats.as_ref()?);
    let wanted = wanted(seats);
    Some(
        held.keys()
            .filter(|resource| !now.contains_key(*resource) && is_wanted(resource, wanted.as_ref()))
            .cloned()
            .collect(),
    )
}

/// The topics that anybody asks for; none where names do not tell.
fn wanted(seats: &[Seat]) -> Option<BTreeSet<&str>> {
    let asked: Option<Vec<_>> = seats.iter().map(Seat::asks).collect();
    Some(asked?.into_iter().flatten().collect())
}

fn is_wanted(resource: &str, wanted: Option<&BTreeSet<&str>>) -> bool {
    resource.rsplit_once('-').zip(wanted).is_none_or(|((topic, _), wanted)| wanted.contains(topic))
}

impl Draft {
    /// What those had who are gone, and nobody has in the round that was decided at that time, in order.
    pub(crate) fn lost_at(&self, at_ms: i64) -> Vec<String> {
        let round = self.rounds.iter().find(|round| round.stable_ms.value.is_some_and(|stable| stable >= at_ms));
        let Some((owners, seats)) = round.and_then(|round| round.owners().zip(round.seats.as_ref())) else {
            return Vec::new();
        };
        let stays: BTreeSet<&str> = seats.iter().map(|seat| seat.member.as_str()).collect();
        let before = self.before.owners.iter().flatten();
        let lost = before.filter(|(name, owner)| !owners.contains_key(*name) && !stays.contains(owner.as_str()));
        lost.map(|(name, _)| name.clone()).collect()
    }

    fn new(before: Calm, rounds: Vec<Round>, (end, seen_ms): (End, i64)) -> Self {
        let (until_ms, owners, gone, went) = (i64::MAX, None, BTreeMap::new(), Vec::new());
        let mut draft =
            Self { before, rounds, until_ms, end, seen_ms, owners, gone, went, identities: BTreeMap::new() };
        draft.owners = draft.find_owners();
        draft.identities = draft.find_identities();
        draft.went = draft.find_gone();
        draft.gone = draft.went.iter().enumerate().rev().map(|(at, gone)| (gone.member.clone(), at)).collect();
        draft
    }

    pub(crate) fn last(&self) -> Option<&Round> {
        self.rounds.last()
    }

    /// Who owns what as far as it has come; none where that cannot be read.
    pub(crate) const fn owners_so_far(&self) -> Option<&Owners> {
        self.owners.as_ref()
    }

    fn find_owners(&self) -> Option<Owners> {
        let settled = self.rounds.iter().rev().find(|round| round.stable_ms.value.is_some());
        let mut owners = settled.map_or(self.before.owners.as_ref(), Round::owners)?.clone();
        let removed = self.rounds.iter().flat_map(|round| &round.removed);
        let removed: BTreeSet<&str> = removed.map(|gone| gone.member.as_str()).collect();
        owners.retain(|_, owner| !removed.contains(owner.as_str()));
        Some(owners)
    }

    /// What had an owner before, is asked for, and has none yet.
    pub(crate) fn unowned(&self) -> Vec<String> {
        if self.end != End::Open {
            return Vec::new();
        }
        let (Some(before), Some(now)) = (&self.before.owners, self.owners_so_far()) else { return Vec::new() };
        let seats = self.rounds.iter().rev().find_map(|round| round.seats.as_ref()).or(self.before.seats.as_ref());
        let wanted = wanted(seats.map(Vec::as_slice).unwrap_or_default());
        before
            .keys()
            .filter(|resource| !now.contains_key(*resource) && is_wanted(resource, wanted.as_ref()))
            .cloned()
            .collect()
    }

    /// When it was over.
    pub(crate) fn settled_ms(&self) -> Known<i64> {
        match self.last() {
            Some(_) if !self.unowned().is_empty() => Known::unknown("not everything has an owner yet"),
            Some(last) => last.stable_ms.clone(),
            None => Known::unknown("it has no round"),
        }
    }

    /// When it began, or at the latest had begun.
    pub(crate) fn began_ms(&self) -> Known<i64> {
        let Some(first) = self.rounds.first() else { return Known::unknown("it has no round") };
        first.opened_ms.clone().or(|| {
            let note = "its first decision: when the round began nobody saw";
            first.stable_ms.clone().value.map_or_else(|| first.opened_ms.clone(), |at| Known::inferred(at, note))
        })
    }

    /// From the calm before to the beginning of the next rebalance.
    pub(crate) fn window(&self) -> (i64, i64) {
        (self.before.since_ms.unwrap_or(i64::MIN), self.until_ms)
    }

    /// From its own beginning to that of the next rebalance.
    pub(crate) fn span(&self) -> (i64, i64) {
        (self.began_ms().value.unwrap_or_else(|| self.window().0), self.until_ms)
    }

    /// Identities that survive a restart: the stable one where there is one.
    pub(crate) fn identity<'a>(&'a self, member: &'a str) -> &'a str {
        self.identities.get(member).map_or(member, String::as_str)
    }

    fn find_identities(&self) -> BTreeMap<String, String> {
        let before = self.before.seats.iter().flatten();
        let now = self.rounds.iter().filter_map(|round| round.seats.as_ref()).flatten();
        let mut identities = BTreeMap::new();
        for seat in before.chain(now) {
            work::did(1);
            let identity = || seat.instance.clone().unwrap_or_else(|| seat.member.clone());
            identities.entry(seat.member.clone()).or_insert_with(identity);
        }
        identities
    }

    pub(crate) fn members_before(&self) -> BTreeSet<&str> {
        self.before.seats.iter().flatten().map(|seat| seat.member.as_str()).collect()
    }

    pub(crate) fn members_after(&self) -> BTreeSet<&str> {
        let seats = self.last().and_then(|round| round.seats.as_ref());
        seats.into_iter().flatten().map(|seat| seat.member.as_str()).collect()
    }

    /// Members that are not there any more, and why.
    pub(crate) fn gone(&self) -> &[Gone] {
        &self.went
    }

    /// When and why this member went.
    pub(crate) fn gone_of(&self, member: &str) -> Option<&Gone> {
        self.went.get(*self.gone.get(member)?)
    }

    fn find_gone(&self) -> Vec<Gone> {
        let mut gone: Vec<Gone> = self.rounds.iter().flat_map(|round| round.removed.clone()).collect();
        let (Some(last), true) = (self.last(), self.before.seats.is_some()) else { return gone };
        if last.seats.is_none() {
            return gone;
        }
        let after = self.members_after();
        let at_ms = last.stable_ms.value.unwrap_or_default();
        let silent = self.members_before().into_iter().filter(|member| !after.contains(member));
        let told: BTreeSet<String> = gone.iter().map(|gone| gone.member.clone()).collect();
        let silent = silent.filter(|member| !told.contains(*member));
        gone.extend(silent.map(|member| Gone { member: member.to_owned(), cause: Removal::NotKnown, at_ms }));
        gone
    }

    pub(crate) fn arrived(&self) -> Vec<String> {
        if self.before.seats.is_none() {
            return Vec::new();
        }
        let before = self.members_before();
        self.members_after().into_iter().filter(|member| !before.contains(member)).map(str::to_owned).collect()
    }

    /// What the coordinator gave for a cause, or what follows from before and after.
    pub(crate) fn trigger(&self) -> Cause {
        let told = self.rounds.first().and_then(|round| round.causes.first());
        told.cloned().unwrap_or_else(|| self.inferred_trigger())
    }

    fn inferred_trigger(&self) -> Cause {
        let inferred = |trigger, member| Cause { trigger, member, says: None, basis: Basis::Inferred };
        let Some(first) = self.rounds.first() else { return unknown_cause() };
        let (Some(before), Some(now)) = (&self.before.seats, &first.seats) else { return unknown_cause() };
        let find = |seats: &[Seat], member: &str| seats.iter().find(|seat| seat.member == member).cloned();
        if let Some(gone) = before.iter().find(|seat| find(now, &seat.member).is_none()) {
            let heir = now.iter().find(|seat| seat.instance.is_some() && seat.instance == gone.instance);
            return match heir {
                Some(heir) => inferred(Trigger::InstanceReplaced, Some(heir.member.clone())),
                None => inferred(Trigger::MemberGone, Some(gone.member.clone())),
            };
        }
        if let Some(new) = now.iter().find(|seat| find(before, &seat.member).is_none()) {
            return inferred(Trigger::MemberJoined, Some(new.member.clone()));
        }
        let other_wish = |seat: &&Seat| find(before, &seat.member).is_some_and(|was| was.topics != seat.topics);
        if let Some(seat) = now.iter().find(other_wish) {
            return inferred(Trigger::SubscriptionChanged, Some(seat.member.clone()));
        }
        let names = |owners: Option<&Owners>| owners.map(|owners| owners.keys().cloned().collect::<Vec<_>>());
        if names(self.before.owners.as_ref()) != names(first.owners()) {
            return inferred(Trigger::ResourcesChanged, None);
        }
        unknown_cause()
    }

    /// What leaders planned in rounds that were carried out; a plan that was overtaken moved nothing.
    pub(crate) fn planned<'a>(&self, evidence: &'a Evidence) -> impl Iterator<Item = &'a PlannedMove> {
        let settled = self.rounds.iter().filter(|round| round.stable_ms.value.is_some());
        let settled: BTreeSet<i32> = settled.filter_map(|round| round.generation).collect();
        let planned = evidence.planned_within(self.window()).iter().map(|(_, planned)| planned);
        planned.filter(move |one| settled.contains(&one.generation)).map(|one| &one.planned)
    }

    /// Resources that have another owner than before; none where before or after is not known.
    pub(crate) fn moves(&self, evidence: &Evidence) -> Option<Vec<Moved>> {
        let (before, after) = (self.before.owners.as_ref()?, self.owners_so_far()?);
        let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let changed = all.into_iter().filter(|resource| {
            let identity = |owners: &Owners| owners.get(*resource).map(|owner| self.identity(owner).to_owned());
            identity(before) != identity(after)
        });
        let reasons = Reasons::of(self, evidence);
        let moved = changed.map(|resource| {
            let (from, to) = (before.get(resource), after.get(resource));
            let (reason, basis) = reasons.of_move(resource, (from, to));
            Moved { resource: resource.clone(), from: from.cloned(), to: to.cloned(), reason, basis }
        });
        Some(moved.collect())
    }

    /// The fewest moves that would have done.
    pub(crate) fn least(&self) -> Known<u64> {
        let Some(before) = &self.before.owners else { return Known::unknown("who owned what before is not known") };
        if self.end == End::Open {
            return Known::unknown("it is not over yet");
        }
        let last = self.last();
        let (Some(after), Some(seats)) = (last.and_then(Round::owners), last.and_then(|round| round.seats.as_ref()))
        else {
            return Known::unknown("who owns what now is not known");
        };
        let before: Owners =
            before.iter().map(|(resource, owner)| (resource.clone(), self.identity(owner).to_owned())).collect();
        crate::least::least(&before, after, seats, |member| self.identity(member).to_owned())
    }
}

/// Why resources move: the leader's word where it was heard, or else what follows from before and after.
struct Reasons<'a> {
    /// The first word of the leader about a resource, by whether anybody had it.
    planned: BTreeMap<(&'a str, bool), Reason>,
    /// What each member that is still there asks for.
    asks: BTreeMap<&'a str, Option<BTreeSet<&'a str>>>,
}

impl<'a> Reasons<'a> {
    fn of(draft: &'a Draft, evidence: &'a Evidence) -> Self {
        let mut planned = BTreeMap::new();
        for one in draft.planned(evidence) {
            work::did(1);
            planned.entry((one.resource.as_str(), one.from.is_some())).or_insert(one.cause);
        }
        let seats = draft.last().and_then(|round| round.seats.as_ref()).into_iter().flatten();
        Self { planned, asks: seats.map(|seat| (seat.member.as_str(), seat.asks())).collect() }
    }

    fn of_move(&self, resource: &str, (from, to): (Option<&String>, Option<&String>)) -> (Reason, Basis) {
        match self.planned.get(&(resource, from.is_some())) {
            Some(planned) if *planned != Reason::Free => (*planned, Basis::Observed),
            _ => (self.inferred(resource, (from, to)), Basis::Inferred),
        }
    }

    fn inferred(&self, resource: &str, (from, to): (Option<&String>, Option<&String>)) -> Reason {
        let Some(from) = from else { return Reason::New };
        let Some(asks) = self.asks.get(from.as_str()) else { return Reason::HolderGone };
        let topic = resource.rsplit_once('-').map(|(topic, _)| topic);
        let asks = asks.as_ref().zip(topic).is_none_or(|(all, one)| all.contains(one));
        match (asks, to) {
            (false, _) => Reason::Unsubscribed,
            (true, None) => Reason::Deleted,
            (true, Some(_)) => Reason::Balance,
        }
    }
}

const fn unknown_cause() -> Cause {
    Cause { trigger: Trigger::NotKnown, member: None, says: None, basis: Basis::Unknown }
}
