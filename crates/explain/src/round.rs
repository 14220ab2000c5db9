use std::collections::BTreeMap;

use serde::Serialize;

use crate::book::{Book, FIRST_EPOCHS, Shares};
use crate::gap::Mode;
use crate::own::OwnWord;
use crate::rebalance::Owners;
use crate::{Basis, Fact, Known, Removal, Seat, Source, Trigger, What, work};

/// One join and sync of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// The generation it ended in; none while it runs, or where nobody says.
    pub generation: Option<i32>,
    /// Who shared out in it.
    pub by: Sharer,
    /// When it began.
    pub opened_ms: Known<i64>,
    /// When everybody was in and the leader went to work; where the coordinator shares out, when it had decided what
    /// everybody is to have.
    pub closed_ms: Known<i64>,
    /// When the leader's decision was taken; where the coordinator shares out, when everybody had what they were to have.
    pub stable_ms: Known<i64>,
    /// Why it began, in order.
    pub causes: Vec<Cause>,
    /// Who led it.
    pub leader: Option<String>,
    /// The embedded protocol chosen.
    pub protocol: Option<String>,
    /// When each member joined and synced, by member.
    pub steps: BTreeMap<String, Steps>,
    /// What each member is to have in this epoch, where the coordinator shares out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Known<Shares>>,
    /// What each member had of that when the epoch ended, or has as far as facts go, where the coordinator shares out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Known<Shares>>,
    /// Who was taken off the book on the way.
    pub removed: Vec<Gone>,
    /// The members and what each was given; none where nobody says.
    #[serde(skip)]
    pub seats: Option<Vec<Seat>>,
    /// What follows from `seats`, found once: everything else asks for it resource by resource.
    #[serde(skip)]
    owners: Option<Owners>,
    /// Whether the group came to be with it: nobody had anything before.
    #[serde(skip)]
    pub(crate) anew: bool,
    /// Who led the generation that this round overtook before anybody was given anything.
    #[serde(skip)]
    pub(crate) overtaken: Option<String>,
    /// What members gave for a reason, by member.
    #[serde(skip)]
    reasons: BTreeMap<String, String>,
}

/// When a member took the steps of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Steps {
    /// When the coordinator had its join; none where nobody says.
    pub joined_ms: Option<i64>,
    /// When the coordinator had its sync, or where it shares out itself the member had what it is to have; none where
    /// nobody says.
    pub synced_ms: Option<i64>,
}

/// Who shares out in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharer {
    /// A member, for all of them at once: a round.
    #[default]
    Leader,
    /// The coordinator, to each member by itself (KIP-848): an epoch, which is told here as a round.
    Coordinator,
}

/// Why a round began.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cause {
    /// The cause.
    pub trigger: Trigger,
    /// The member it is about.
    pub member: Option<String>,
    /// What that member itself gave for a reason.
    pub says: Option<String>,
    /// How it is known.
    pub basis: Basis,
}

/// A member that is off the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gone {
    /// Who.
    pub member: String,
    /// Why.
    pub cause: Removal,
    /// When the coordinator took it off.
    pub at_ms: i64,
}

/// Where a round stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It began; who is missing holds it up.
    Open,
    /// The leader is at work.
    Closed,
    /// The decision is taken.
    Settled,
}

/// Puts facts together to rounds.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    done: Vec<Round>,
    current: Option<(Round, Stage)>,
    /// Joins and removals that the coordinator tells just before the round they open.
    joined_before: BTreeMap<String, (i64, Option<String>)>,
    removed_before: Vec<Gone>,
    /// Since when askers have seen the group unsettled.
    unsettled_since: Option<i64>,
    /// Whether the group was found not to exist, and no round has begun since.
    absent: bool,
    /// How many rounds had ended when the group was last gone.
    forgotten: usize,
    interval_ms: Option<u64>,
    settings: Reading,
    /// What the records of a group whose coordinator shares out tell.
    book: Book,
    /// The assignor that askers were told.
    protocol_seen: Option<String>,
}

/// Whether generations are on record; if so what askers saw does not make rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reading {
    #[default]
    Records,
    Answers,
}

impl Round {
    fn new() -> Self {
        Self {
            generation: None,
            by: Sharer::Leader,
            target: None,
            current: None,
            opened_ms: Known::unknown("only our own broker tells when a round begins; polling shows it roughly"),
            closed_ms: Known::unknown("only our own broker tells when everybody has joined"),
            stable_ms: Known::unknown("it has not ended yet"),
            causes: Vec::new(),
            leader: None,
            protocol: None,
            steps: BTreeMap::new(),
            removed: Vec::new(),
            seats: None,
            owners: None,
            anew: false,
            overtaken: None,
            reasons: BTreeMap::new(),
        }
    }

    fn add_cause(&mut self, trigger: Trigger, member: Option<String>) {
        let says = member.as_ref().and_then(|member| self.reasons.get(member).cloned());
        self.causes.push(Cause { trigger, member, says, basis: Basis::Observed });
    }

    fn note_join(&mut self, member: &str, at: i64, reason: Option<String>) {
        self.steps.entry(member.to_owned()).or_default().joined_ms = Some(at);
        self.reasons.extend(reason.map(|reason| (member.to_owned(), reason)));
    }

    /// The owner of each resource; none where what members were given cannot be read.
    pub const fn owners(&self) -> Option<&BTreeMap<String, String>> {
        self.owners.as_ref()
    }

    /// Whether members keep what they hold through it.
    pub(crate) fn mode(&self) -> Mode {
        match self.by {
            Sharer::Coordinator => Mode::Cooperative,
            Sharer::Leader => Mode::of(self.protocol.as_deref()),
        }
    }

    /// The time up to which whoever is not there any more may have had anything.
    pub(crate) fn taken_from_ms(&self) -> Option<i64> {
        match self.by {
            Sharer::Coordinator => self.opened_ms.value,
            Sharer::Leader => self.stable_ms.value,
        }
    }

    fn seat(&mut self, seats: Vec<Seat>) {
        self.owners = owners(&seats);
        self.seats = Some(seats);
    }

    /// When the member had its assignment: its own sync, but not before a leader's decision.
    pub(crate) fn delivered_ms(&self, member: &str) -> Option<(i64, Basis)> {
        let stable = self.stable_ms.value?;
        let synced = self.steps.get(member).and_then(|steps| steps.synced_ms);
        if self.by == Sharer::Coordinator {
            return Some((synced.unwrap_or(stable), self.stable_ms.basis));
        }
        Some((synced.map_or(stable, |synced| synced.max(stable)), self.stable_ms.basis))
    }
}

impl Rounds {
    /// The rounds that these facts of one group, in order of time, tell of.
    pub(crate) fn of(facts: &[&Fact]) -> Vec<Round> {
        let on_record = facts.iter().any(|fact| matches!(fact.what, What::Generation { .. } | What::Epoch { .. }));
        let settings = if on_record { Reading::Records } else { Reading::Answers };
        let mut rounds = Self { settings, ..Self::default() };
        let mut own = OwnWord::default();
        for fact in facts {
            rounds.take(fact);
            own.take(fact);
        }
        rounds.stand();
        rounds.done.extend(rounds.current.map(|(round, _)| round));
        own.complete(&mut rounds.done);
        rounds.done
    }

    fn take(&mut self, fact: &Fact) {
        let at = fact.time_ms;
        match &fact.what {
            What::RoundOpened { after, cause } => {
                self.absent |= *after == 0;
                self.open(at);
                self.take_over();
                self.add_cause(*cause, fact.member.clone());
            }
            What::RoundAlso { cause } => self.add_cause(*cause, fact.member.clone()),
            What::Joined { reason } => self.joined(at, fact.member.as_deref(), reason.clone()),
            What::RoundClosed { generation, leader, .. } => self.closed(at, *generation, leader),
            What::Synced => self.synced(at, fact.member.as_deref()),
            What::RoundStable { generation } => {
                self.settle(at, Some(*generation)).stable_ms = Known::observed(at);
            }
            What::Emptied { generation } => {
                let round = self.settle(at, Some(*generation));
                round.stable_ms = Known::observed(at);
                round.seat(Vec::new());
            }
            What::Removed { cause } => {
                self.removed(at, fact.member.as_deref(), *cause);
                self.book.take(fact);
            }
            What::Epoch { .. } | What::Enrolled { .. } | What::Decided { .. } => self.reconcile(fact),
            What::Target { .. } | What::Holds { .. } => self.reconcile(fact),
            What::Generation { .. } | What::Seen { .. } | What::Forgotten => self.whole(fact),
            What::Watching { interval_ms } => self.interval_ms = Some(*interval_ms),
            _ => {}
        }
    }

    /// What is said about the group as a whole.
    fn whole(&mut self, fact: &Fact) {
        let at = fact.time_ms;
        match &fact.what {
            What::Generation { generation: 0, members, .. } if members.is_empty() => self.absent = true,
            What::Generation { generation, protocol, leader, members, .. } => {
                let Some(round) = self.unfilled(at, *generation, members) else { return };
                round.protocol.clone_from(protocol);
                round.leader.clone_from(leader);
                round.seat(members.clone());
            }
            What::Forgotten => self.forget(fact),
            What::Seen { state, protocol, members, .. } => self.seen(at, state, protocol.as_deref(), members),
            _ => {}
        }
    }

    fn add_cause(&mut self, trigger: Trigger, member: Option<String>) {
        if let Some((round, _)) = &mut self.current {
            round.add_cause(trigger, member);
        }
    }

    /// The group is gone; one of its name that comes later begins anew, and with the same generations.
    fn forget(&mut self, fact: &Fact) {
        self.book.take(fact);
        let is_empty = |(round, _): &(Round, Stage)| round.seats.as_ref().is_some_and(Vec::is_empty);
        if !self.current.as_ref().is_some_and(is_empty) {
            let round = self.settle(fact.time_ms, None);
            round.stable_ms = Known::observed(fact.time_ms);
            round.seat(Vec::new());
        }
        self.done.extend(self.current.take().map(|(round, _)| round));
        (self.absent, self.forgotten) = (true, self.done.len());
    }

    /// The open round, or a new one; a round that had closed and opens again is the same one, its steps begun anew.
    fn open(&mut self, at: i64) {
        let settled = self.current.as_ref().is_none_or(|(_, stage)| *stage == Stage::Settled);
        if settled {
            self.done.extend(self.current.take().map(|(round, _)| round));
        }
        let (round, stage) = self.current.get_or_insert_with(|| (Round::new(), Stage::Open));
        round.anew |= std::mem::take(&mut self.absent);
        if *stage == Stage::Closed {
            round.overtaken = round.leader.take();
            round.steps.clear();
            round.closed_ms = Round::new().closed_ms;
        }
        *stage = Stage::Open;
        if round.opened_ms.basis != Basis::Observed {
            round.opened_ms = Known::observed(at);
        }
    }

    /// Joins and removals told just before belong to the round that opens.
    fn take_over(&mut self) {
        let (joined, removed) = (std::mem::take(&mut self.joined_before), std::mem::take(&mut self.removed_before));
        let Some((round, _)) = &mut self.current else { return };
        round.removed.extend(removed);
        for (member, (at, reason)) in joined {
            round.note_join(&member, at, reason);
        }
    }

    fn joined(&mut self, at: i64, member: Option<&str>, reason: Option<String>) {
        let Some(member) = member else { return };
        match &mut self.current {
            Some((round, Stage::Open)) => round.note_join(member, at, reason),
            _ => drop(self.joined_before.insert(member.to_owned(), (at, reason))),
        }
    }

    fn removed(&mut self, at: i64, member: Option<&str>, cause: Removal) {
        let Some(member) = member else { return };
        let gone = Gone { member: member.to_owned(), cause, at_ms: at };
        match &mut self.current {
            Some((round, Stage::Open | Stage::Closed)) => round.removed.push(gone),
            _ => self.removed_before.push(gone),
        }
    }

    fn closed(&mut self, at: i64, generation: i32, leader: &str) {
        let Some((round, stage)) = &mut self.current else { return };
        *stage = Stage::Closed;
        round.generation = Some(generation);
        round.closed_ms = Known::observed(at);
        round.leader = Some(leader.to_owned());
    }

    fn synced(&mut self, at: i64, member: Option<&str>) {
        if let (Some((round, _)), Some(member)) = (&mut self.current, member) {
            round.steps.entry(member.to_owned()).or_default().synced_ms.get_or_insert(at);
        }
    }

    /// What a record of a group whose coordinator shares out says.
    fn reconcile(&mut self, fact: &Fact) {
        let at = fact.time_ms;
        if let What::Epoch { epoch } = &fact.what {
            self.next_epoch(at, *epoch);
        }
        self.book.take(fact);
        let epoch = self.book.epoch();
        if let Some((round, stage)) = self.current.as_mut().filter(|(round, _)| round.generation == epoch) {
            match (&fact.what, &fact.member) {
                (What::Decided { epoch: decided }, _) if Some(*decided) == epoch => {
                    *stage = if *stage == Stage::Open { Stage::Closed } else { *stage };
                    round.closed_ms = Known::observed(at);
                    round.target = Some(on_record(self.book.targets()));
                }
                (What::Holds { .. }, Some(member)) if self.book.has_reached(member) => {
                    round.steps.entry(member.clone()).or_default().synced_ms.get_or_insert(at);
                }
                _ => {}
            }
        }
        self.come_to_rest(at);
    }

    /// An epoch begins, whether or not everybody had come to the one before.
    fn next_epoch(&mut self, at: i64, epoch: i32) {
        self.stand();
        self.done.extend(self.current.take().map(|(round, _)| round));
        let is_first = self.book.epoch().is_none() && epoch <= FIRST_EPOCHS;
        let mut round = Round::new();
        round.by = Sharer::Coordinator;
        round.generation = Some(epoch);
        round.anew = std::mem::take(&mut self.absent) || is_first;
        round.opened_ms = Known::observed(at);
        round.closed_ms = Known::unknown("what everybody is to have was not decided");
        round.stable_ms = Known::unknown("not everybody has what they are to have");
        round.removed = std::mem::take(&mut self.removed_before);
        let cause = |(trigger, member)| Cause { trigger, member, says: None, basis: Basis::Inferred };
        round.causes = self.book.take_changes().into_iter().map(cause).collect();
        round.protocol = self.book.assignor().or_else(|| self.protocol_seen.clone());
        self.current = Some((round, Stage::Open));
    }

    /// Everybody has what they are to have; without a new epoch, where a member came back as another process.
    fn come_to_rest(&mut self, at: i64) {
        let Some(epoch) = self.book.settled() else { return };
        let is_known = |(round, stage): &(Round, Stage)| {
            *stage == Stage::Settled && !round.seats.as_ref().is_some_and(|known| self.book.has_newcomers(known))
        };
        if self.current.as_ref().is_none_or(is_known) {
            return;
        }
        let (seats, removed) = (self.book.seats(), std::mem::take(&mut self.removed_before));
        let (target, current) = (Some(on_record(self.book.targets())), Some(on_record(self.book.current())));
        let (is_whole, assignor) = (self.book.is_whole(), self.book.assignor().or_else(|| self.protocol_seen.clone()));
        let round = self.settle(at, Some(epoch));
        round.by = Sharer::Coordinator;
        round.stable_ms = match is_whole {
            true => Known::observed(at),
            false => Known::inferred(at, "as far as records are left: earlier ones were compacted away"),
        };
        if round.opened_ms.value.is_none() {
            round.opened_ms = round.stable_ms.clone();
        }
        round.protocol = assignor;
        round.removed.extend(removed);
        round.seat(seats);
        round.current = current;
        round.target = round.target.take().or(target);
    }

    /// Who has what as the newest epoch stands, unless it came to rest.
    fn stand(&mut self) {
        let running =
            |(round, stage): &&mut (Round, Stage)| round.by == Sharer::Coordinator && *stage != Stage::Settled;
        if let Some((round, _)) = self.current.as_mut().filter(running) {
            round.current = Some(on_record(self.book.current()));
            if round.closed_ms.value.is_none() {
                round.target = Some(Known::unknown("it was not decided"));
            }
        }
    }

    /// The round that ends now, in `generation` if that is known.
    fn settle(&mut self, at: i64, generation: Option<i32>) -> &mut Round {
        if self.current.as_ref().is_none_or(|(_, stage)| *stage == Stage::Settled) {
            self.done.extend(self.current.take().map(|(round, _)| round));
        }
        let since = self.unsettled_since.take().filter(|since| *since <= at);
        let note = self.interval_ms.map_or_else(String::new, |every| format!(", every {every} ms"));
        let (round, stage) = self.current.get_or_insert_with(|| (Round::new(), Stage::Settled));
        round.anew |= std::mem::take(&mut self.absent);
        *stage = Stage::Settled;
        round.generation = generation.or(round.generation);
        if let (None, Some(since)) = (round.opened_ms.value, since) {
            round.opened_ms = Known::inferred(since, format!("when polling first saw the group unsettled{note}"));
        }
        round
    }

    /// The round of a generation whose members are not known yet; none if they are. Other members in the same
    /// generation are a static member that came back as another process, without a round.
    fn unfilled(&mut self, at: i64, generation: i32, members: &[Seat]) -> Option<&mut Round> {
        let current = self.current.as_ref().filter(|(round, _)| round.generation == Some(generation));
        if let Some((round, _)) = current {
            match &round.seats {
                None => return self.current.as_mut().map(|(round, _)| round),
                Some(seats) if names(seats).eq(names(members)) => return None,
                Some(_) => {
                    let round = self.settle(at, Some(generation));
                    round.opened_ms = Known::observed(at);
                    round.stable_ms = Known::observed(at);
                    return Some(round);
                }
            }
        }
        let told = self.done.iter().rposition(|round| round.generation == Some(generation));
        if let Some(index) = told.filter(|index| *index >= self.forgotten) {
            return self.done.get_mut(index).filter(|round| round.seats.is_none());
        }
        let round = self.settle(at, Some(generation));
        round.stable_ms = Known::observed(at);
        Some(round)
    }

    fn seen(&mut self, at: i64, state: &str, protocol: Option<&str>, members: &[Seat]) {
        let settled = matches!(state, "Stable" | "Empty" | "Dead");
        self.protocol_seen = protocol.map(str::to_owned).or_else(|| self.protocol_seen.take());
        if !settled {
            self.unsettled_since.get_or_insert(at);
        }
        match state {
            "Stable" => self.absent = false,
            "Dead" | "Empty" if self.settings == Reading::Records => self.absent = true,
            _ => {}
        }
        if self.settings == Reading::Records || !settled {
            return;
        }
        let known = self.current.as_ref().and_then(|(round, _)| round.seats.as_deref());
        if known == Some(members) {
            self.unsettled_since = None;
            return;
        }
        let every = self.interval_ms.map_or_else(String::new, |every| format!(", every {every} ms"));
        let round = self.settle(at, None);
        round.stable_ms = Known::inferred(at, format!("when polling first saw it so{every}"));
        round.protocol = protocol.map(str::to_owned);
        round.seat(members.to_vec());
    }
}

fn owners(seats: &[Seat]) -> Option<Owners> {
    let mut owners = Owners::new();
    for seat in seats {
        let assigned = seat.assigned.as_ref()?;
        work::did(assigned.len());
        owners.extend(assigned.iter().map(|resource| (resource.clone(), seat.member.clone())));
    }
    Some(owners)
}

/// What records tell of every member.
fn on_record(shares: Option<Shares>) -> Known<Shares> {
    let missing = || Known::unknown("not every member's is on record any more");
    shares.map_or_else(missing, Known::observed)
}

fn names(seats: &[Seat]) -> impl Iterator<Item = &str> {
    seats.iter().map(|seat| seat.member.as_str())
}

/// Facts of one group in order of time; at the same time, whoever is nearer to the matter first.
pub(crate) fn in_order<'a>(facts: &'a [Fact], group: &str) -> Vec<&'a Fact> {
    let mut chosen: Vec<&Fact> = facts.iter().filter(|fact| fact.group == group).collect();
    chosen.sort_by_key(|fact| (fact.time_ms, fact.source));
    chosen
}

/// Whether any fact comes from this source.
pub(crate) fn has(facts: &[&Fact], source: Source) -> bool {
    facts.iter().any(|fact| fact.source == source)
}
