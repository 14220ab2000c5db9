use std::collections::{BTreeMap, BTreeSet};

use crate::{Basis, Fact, Known, PlannedMove, Progress, Remark, Seat, Source, What, work};

/// What facts say beside rounds: when resources ran, how far they got, where partitions ended.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// By member and resource, in order of time.
    acts: BTreeMap<String, BTreeMap<String, Vec<(i64, Act)>>>,
    /// By member, in order of time.
    deeds: BTreeMap<String, Vec<(i64, String, Act)>>,
    /// The furthest position so far, by resource and member, in order of time.
    reached: BTreeMap<String, BTreeMap<String, Vec<(i64, i64)>>>,
    committed: BTreeMap<String, Vec<(i64, i64)>>,
    ends: BTreeMap<String, Vec<(i64, i64)>>,
    /// Times of ends that were looked up afterwards, by the records' own times.
    by_record_time: BTreeSet<i64>,
    /// When each member last said anything itself.
    last_words: BTreeMap<String, i64>,
    /// What each member has and was told to give up, as far as its coordinator knows.
    holds: BTreeMap<String, (Vec<String>, Vec<String>)>,
    pub(crate) seats: BTreeMap<String, Seat>,
    planned: Vec<(i64, Planned)>,
    remarks: Vec<(i64, Remark)>,
}

/// Clocks of one machine agree, and those of a cluster nearly so.
pub(crate) const SKEW_MS: i64 = 5;

/// A move that a leader planned in a round.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) generation: i32,
    pub(crate) planned: PlannedMove,
}

/// What a member did with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Revoking,
    Stopped,
    /// Its coordinator had heard that it stopped.
    GivenUp,
    Given,
    Running(Option<i64>),
}

/// Tells an act.
pub(crate) type Is = fn(Act) -> bool;

impl Evidence {
    /// What these facts, in order of time, say.
    pub(crate) fn of(facts: &[&Fact]) -> Self {
        let mut evidence = Self::default();
        for fact in facts {
            evidence.take(fact);
        }
        evidence
    }

    fn take(&mut self, fact: &Fact) {
        let at = fact.time_ms;
        if let (Source::Member, Some(member)) = (fact.source, &fact.member) {
            self.last_words.insert(member.clone(), at);
        }
        match &fact.what {
            What::Revoking { resources } => self.act(fact, resources, Act::Revoking),
            What::Released { resources } | What::Lost { resources } => self.act(fact, resources, Act::Stopped),
            What::Assigned { resources } => self.act(fact, resources, Act::Given),
            What::Running { resource, position } => {
                self.act(fact, std::slice::from_ref(resource), Act::Running(*position));
            }
            What::Reached { positions } => {
                let member = fact.member.clone().unwrap_or_default();
                for (resource, position) in positions {
                    let so_far = self.reached.entry(resource.clone()).or_default().entry(member.clone()).or_default();
                    let furthest = so_far.last().map_or(*position, |(_, before)| *position.max(before));
                    so_far.push((at, furthest));
                }
            }
            What::Committed { offsets } => note(&mut self.committed, at, offsets),
            What::Ends { offsets } => {
                if fact.source == Source::Log {
                    self.by_record_time.insert(at);
                }
                note(&mut self.ends, at, offsets);
            }
            What::Planned { generation, moves, .. } => {
                let planned = |one: &PlannedMove| (at, Planned { generation: *generation, planned: one.clone() });
                self.planned.extend(moves.iter().map(planned));
            }
            What::Remarked(remark) => self.remarks.push((at, remark.clone())),
            What::Generation { members, .. } | What::Seen { members, .. } => {
                members.iter().for_each(|seat| self.seat(seat));
            }
            What::Enrolled { seat, .. } => self.seat(seat),
            What::Holds { progress, assigned, revoking, .. } => self.hold(fact, *progress, (assigned, revoking)),
            What::Removed { .. } => drop(fact.member.as_ref().and_then(|member| self.holds.remove(member))),
            _ => {}
        }
    }

    /// Askers are not told session timeouts; records have them.
    fn seat(&mut self, seat: &Seat) {
        let known = self.seats.get(&seat.member).and_then(|known| known.session_timeout_ms);
        let seat = Seat { session_timeout_ms: seat.session_timeout_ms.or(known), ..seat.clone() };
        self.seats.insert(seat.member.clone(), seat);
    }

    /// What has changed in what the member has since its coordinator last wrote that down.
    fn hold(&mut self, fact: &Fact, progress: Progress, (assigned, revoking): (&[String], &[String])) {
        let Some(member) = fact.member.clone() else { return };
        let now =
            if progress == Progress::Away { (Vec::new(), Vec::new()) } else { (assigned.to_vec(), revoking.to_vec()) };
        let (had, told) = self.holds.insert(member, now.clone()).unwrap_or_default();
        let sets = [&had, &told, &now.0, &now.1].map(|list| list.iter().collect::<BTreeSet<&String>>());
        let [had, told, has, giving_up] = &sets;
        let list =
            |resources: &mut dyn Iterator<Item = &&String>| resources.map(|one| (*one).clone()).collect::<Vec<_>>();
        let newly_told = list(&mut giving_up.difference(told));
        let given_up = list(&mut had.union(told).filter(|one| !has.contains(*one) && !giving_up.contains(*one)));
        let given = list(&mut has.iter().filter(|one| !had.contains(*one) && !told.contains(*one)));
        self.act(fact, &newly_told, Act::Revoking);
        self.act(fact, &given_up, Act::GivenUp);
        self.act(fact, &given, Act::Given);
    }

    fn act(&mut self, fact: &Fact, resources: &[String], act: Act) {
        let Some(member) = &fact.member else { return };
        let acts = self.acts.entry(member.clone()).or_default();
        let deeds = self.deeds.entry(member.clone()).or_default();
        for resource in resources {
            acts.entry(resource.clone()).or_default().push((fact.time_ms, act));
            deeds.push((fact.time_ms, resource.clone(), act));
        }
    }

    /// The first time within `window` at which the member did this with the resource.
    pub(crate) fn when(
        &self,
        (member, resource): (&str, &str),
        window: (i64, i64),
        is: impl Fn(Act) -> bool,
    ) -> Option<(i64, Act)> {
        let acts = within(self.acts.get(member)?.get(resource)?, window, |(at, _)| *at);
        acts.iter().copied().find(|(_, act)| is(*act))
    }

    /// When the member last wrote its own trace, up to `until`.
    pub(crate) fn last_words(&self, member: &str, until: i64) -> Option<i64> {
        self.last_words.get(member).copied().filter(|at| *at <= until)
    }

    /// The furthest position that the member is known to have reached by `until`.
    pub(crate) fn reached(&self, member: &str, resource: &str, until: i64) -> Option<i64> {
        last_until(self.reached.get(resource)?.get(member)?, until).map(|(_, position)| position)
    }

    /// The last offset committed by `until`.
    pub(crate) fn committed(&self, resource: &str, until: i64) -> Option<i64> {
        last_until(self.committed.get(resource)?, until).map(|(_, offset)| offset)
    }

    /// When something was last committed before `until`, or found to have moved.
    pub(crate) fn last_commit(&self, resource: &str, until: i64) -> Option<i64> {
        last_until(self.committed.get(resource)?, until).map(|(at, _)| at)
    }

    /// The longest that a member took from one act to another on the same resource.
    pub(crate) fn slowest(&self, member: &str, window: (i64, i64), (begins, ends): (Is, Is)) -> Option<u64> {
        let deeds = within(self.deeds.get(member)?, window, |(at, ..)| *at);
        let mut running: BTreeMap<&str, i64> = BTreeMap::new();
        let mut over: BTreeSet<&str> = BTreeSet::new();
        let mut slowest = None;
        for (at, resource, act) in deeds.iter().map(|(at, resource, act)| (*at, resource.as_str(), *act)) {
            work::did(1);
            if begins(act) {
                running.entry(resource).or_insert(at);
            }
            if let Some(from) = running.get(resource).filter(|_| ends(act) && over.insert(resource)) {
                slowest = slowest.max(u64::try_from(at.saturating_sub(*from)).ok());
            }
        }
        slowest
    }

    /// What leaders told of their plans within `window`, both ends included.
    pub(crate) fn planned_within(&self, window: (i64, i64)) -> &[(i64, Planned)] {
        within(&self.planned, window, |(at, _)| *at)
    }

    /// What members noticed within `window`, its end not included.
    pub(crate) fn remarks_within(&self, (from, until): (i64, i64)) -> &[(i64, Remark)] {
        within(&self.remarks, (from, until.saturating_sub(1)), |(at, _)| *at)
    }

    /// Whether something waited for its owner within `window`, and for whom if that is known.
    pub(crate) fn awaited(&self, (from, until): (i64, i64)) -> Option<Option<&String>> {
        let told = self.remarks_within((from.saturating_sub(SKEW_MS), until)).iter();
        let mut owners = told.filter_map(|(_, remark)| match remark {
            Remark::Waits { owner, .. } => Some(owner.as_ref()),
            _ => None,
        });
        let first = owners.next()?;
        Some(first.or_else(|| owners.flatten().next()))
    }

    /// Where the partition ended at a time: as asked for that time, or between two answers.
    pub(crate) fn end(&self, resource: &str, at: i64) -> Known<i64> {
        let missing = || Known::unknown("where the partition ended then was not seen");
        let Some(ends) = self.ends.get(resource) else { return missing() };
        let after = ends.partition_point(|(time, _)| *time < at);
        match (after.checked_sub(1).and_then(|before| ends.get(before)), ends.get(after)) {
            (_, Some((time, offset))) if *time == at && self.by_record_time.contains(time) => {
                Known::inferred(*offset, "by the records' own times")
            }
            (_, Some((time, offset))) if *time == at => Known::observed(*offset),
            (Some(from), Some(to)) => {
                let apart = to.0.saturating_sub(from.0).max(1);
                let share = at.saturating_sub(from.0) as f64 / apart as f64;
                let further = (to.1.saturating_sub(from.1) as f64 * share).round() as i64;
                Known::inferred(from.1.saturating_add(further), format!("between two looks {apart} ms apart"))
            }
            _ => missing(),
        }
    }
}

fn note(book: &mut BTreeMap<String, Vec<(i64, i64)>>, at: i64, offsets: &BTreeMap<String, i64>) {
    for (resource, offset) in offsets {
        book.entry(resource.clone()).or_default().push((at, *offset));
    }
}

/// The part of what is in order of time that lies within `window`, both ends included.
fn within<T>(all: &[T], window: (i64, i64), time: impl Fn(&T) -> i64) -> &[T] {
    let first = all.partition_point(|one| time(one) < window.0);
    let end = all.partition_point(|one| time(one) <= window.1);
    all.get(first..end).unwrap_or_default()
}

/// The last of what is in order of time, up to `until`.
fn last_until(all: &[(i64, i64)], until: i64) -> Option<(i64, i64)> {
    all.get(all.partition_point(|(at, _)| *at <= until).checked_sub(1)?).copied()
}

/// The weaker of two ways of knowing.
pub(crate) fn weaker(one: Basis, other: Basis) -> Basis {
    one.max(other)
}
