use std::collections::{BTreeMap, BTreeSet};

use crate::{Basis, Fact, Known, PlannedMove, Remark, Seat, Source, What};

/// What facts say beside rounds: when resources ran, how far they got, where partitions ended.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    acts: BTreeMap<(String, String), Vec<(i64, Act)>>,
    reached: BTreeMap<String, Vec<(i64, String, i64)>>,
    committed: BTreeMap<String, Vec<(i64, i64)>>,
    ends: BTreeMap<String, Vec<(i64, i64)>>,
    /// Times of ends that were looked up afterwards, by the records' own times.
    by_record_time: BTreeSet<i64>,
    /// When each member last said anything itself.
    last_words: BTreeMap<String, i64>,
    pub(crate) seats: BTreeMap<String, Seat>,
    pub(crate) planned: Vec<(i64, PlannedMove)>,
    pub(crate) remarks: Vec<(i64, Remark)>,
}

/// What a member did with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Revoking,
    Stopped,
    Given,
    Running(Option<i64>),
}

/// Tells an act.
pub(crate) type Is = fn(Act) -> bool;

impl Evidence {
    /// What these facts, in order of time, say.
    pub(crate) fn of(facts: &[Fact]) -> Self {
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
                    self.reached.entry(resource.clone()).or_default().push((at, member.clone(), *position));
                }
            }
            What::Committed { offsets } => note(&mut self.committed, at, offsets),
            What::Ends { offsets } => {
                if fact.source == Source::Log {
                    self.by_record_time.insert(at);
                }
                note(&mut self.ends, at, offsets);
            }
            What::Planned { moves, .. } => self.planned.extend(moves.iter().map(|planned| (at, planned.clone()))),
            What::Remarked(remark) => self.remarks.push((at, remark.clone())),
            What::Generation { members, .. } | What::Seen { members, .. } => {
                members.iter().for_each(|seat| self.seat(seat));
            }
            _ => {}
        }
    }

    /// Askers are not told session timeouts; records have them.
    fn seat(&mut self, seat: &Seat) {
        let known = self.seats.get(&seat.member).and_then(|known| known.session_timeout_ms);
        let seat = Seat { session_timeout_ms: seat.session_timeout_ms.or(known), ..seat.clone() };
        self.seats.insert(seat.member.clone(), seat);
    }

    fn act(&mut self, fact: &Fact, resources: &[String], act: Act) {
        let Some(member) = &fact.member else { return };
        for resource in resources {
            self.acts.entry((member.clone(), resource.clone())).or_default().push((fact.time_ms, act));
        }
    }

    /// The first time within `window` at which the member did this with the resource.
    pub(crate) fn when(
        &self,
        (member, resource): (&str, &str),
        window: (i64, i64),
        is: impl Fn(Act) -> bool,
    ) -> Option<(i64, Act)> {
        let acts = self.acts.get(&(member.to_owned(), resource.to_owned()))?;
        acts.iter().copied().find(|(at, act)| (window.0..=window.1).contains(at) && is(*act))
    }

    /// When the member last wrote its own trace, up to `until`.
    pub(crate) fn last_words(&self, member: &str, until: i64) -> Option<i64> {
        self.last_words.get(member).copied().filter(|at| *at <= until)
    }

    /// The furthest position that the member is known to have reached by `until`.
    pub(crate) fn reached(&self, member: &str, resource: &str, until: i64) -> Option<i64> {
        let reached = self.reached.get(resource)?.iter();
        reached.filter(|(at, who, _)| *at <= until && who == member).map(|(_, _, position)| *position).max()
    }

    /// The last offset committed by `until`.
    pub(crate) fn committed(&self, resource: &str, until: i64) -> Option<i64> {
        let committed = self.committed.get(resource)?;
        committed.iter().rev().find(|(at, _)| *at <= until).map(|(_, offset)| *offset)
    }

    /// When something was last committed before `until`, or found to have moved.
    pub(crate) fn last_commit(&self, resource: &str, until: i64) -> Option<i64> {
        let committed = self.committed.get(resource)?;
        committed.iter().rev().find(|(at, _)| *at <= until).map(|(at, _)| *at)
    }

    /// The longest that a member took from one act to another on the same resource.
    pub(crate) fn slowest(&self, member: &str, window: (i64, i64), (begins, ends): (Is, Is)) -> Option<u64> {
        let of_member = self.acts.keys().filter(|(who, _)| who == member);
        let took = of_member.filter_map(|(_, resource)| {
            let (from, _) = self.when((member, resource), window, begins)?;
            let (to, _) = self.when((member, resource), (from, window.1), ends)?;
            u64::try_from(to - from).ok()
        });
        took.max()
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
                let share = (at - from.0) as f64 / ((to.0 - from.0).max(1)) as f64;
                let offset = from.1 + ((to.1 - from.1) as f64 * share).round() as i64;
                Known::inferred(offset, format!("between two looks {} ms apart", to.0 - from.0))
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

/// The weaker of two ways of knowing.
pub(crate) fn weaker(one: Basis, other: Basis) -> Basis {
    one.max(other)
}
