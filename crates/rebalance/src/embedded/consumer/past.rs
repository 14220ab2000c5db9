use std::collections::BTreeMap;

use groma_model::{Generation, Span, TopicPartition};

use super::Consumer;
use super::lead::{Lead, Seat};
use super::memory::{Beside, PlanMemory, here, number_among};
use super::pack::{Packed, owner};
use crate::embedded::{Council, Mode, Offence, Owner};
use crate::share::{
    Continuity, Echo, Former, Growth, NOBODY, Past, Recall, Remembered, Situation, Standing, Whereabouts,
};

/// What a leader finds out about earlier rounds from everybody's trail and its own memory.
pub(super) struct Lookback<'a> {
    lead: &'a Lead<'a>,
    /// The newest generation that anybody has taken an assignment of.
    newest: Option<Generation>,
    /// Former owners that are not in this round.
    pub(super) gone: Vec<Owner>,
    pub(super) offences: Vec<Offence<TopicPartition>>,
}

/// A wait as one or more members tell of it: by generation and owner.
type Told<'a> = BTreeMap<(Generation, (u8, &'a str)), (Span, Packed<'a>)>;

/// More offences than these are not named in one round.
const OFFENCES_MAX: usize = 100;

impl<'a> Lookback<'a> {
    pub(super) fn new(lead: &'a Lead<'a>) -> Self {
        let newest = lead.seats.iter().filter_map(Seat::since).max();
        Self { lead, newest, gone: Vec::new(), offences: Vec::new() }
    }

    /// Reports of members that took the last plan.
    fn current(&self) -> impl Iterator<Item = &'a Seat<'a>> + use<'a> {
        let newest = self.newest;
        self.lead.seats.iter().filter(move |s| newest.is_some() && s.since() == newest)
    }

    pub(super) fn past(&mut self, situation: &Situation, council: &Council<'_, Consumer>, stamp: u64) -> Past {
        let trails = || self.current().filter_map(|s| s.trail());
        let (pace, formation) = (trails().filter_map(|t| t.pace).min(), trails().filter_map(|t| t.formation).min());
        let recall = Recall {
            standing: self.lead.seats.iter().map(Seat::standing).collect(),
            growth: if trails().any(|t| t.catalog == Some(stamp)) { Growth::None } else { Growth::Possible },
            pace: earlier(pace, council.trail.pace),
            formation: earlier(formation, council.trail.formation).or(council.trail.formation),
            gathered: council.gathered,
            continuity: self.continuity(),
            ..Recall::default()
        };
        match self.last_plan(council) {
            None if situation.holder().iter().all(|h| *h != NOBODY) => recall.past(situation, None),
            memory => self.search(situation, (council, memory), recall),
        }
    }

    /// The leader's last plan, if it is the last that anybody has taken.
    pub(super) fn last_plan<'c>(&self, council: &Council<'c, Consumer>) -> Option<&'c PlanMemory> {
        let last = council.memory.iter().find(|(generation, _)| Some(*generation) == self.newest);
        last.map(|(_, plan)| plan).filter(|plan| plan.mode == Mode::Cooperative)
    }

    fn search(
        &mut self,
        situation: &Situation,
        (council, memory): (&Council<'_, Consumer>, Option<&PlanMemory>),
        mut recall: Recall,
    ) -> Past {
        recall.echoes = self.echoes(situation, council);
        recall.released = self.released(situation);
        recall.strangers = self.strangers();
        let beside = memory
            .map(|memory| Beside::new(memory, (situation, self.lead.topics()), (&self.lead.seats, &mut self.gone)));
        recall.departed = self.gone.iter().map(former).collect();
        recall.heirs = self.gone.iter().map(|gone| self.heir(gone)).collect();
        if let Some(beside) = &beside {
            self.offences = self.offences(situation, beside, &recall.released);
            recall.unheeded = self.unheeded(situation, beside);
        }
        match &beside {
            Some(beside) => recall.past(situation, Some(&|resource| beside.recall(resource))),
            None => recall.past(situation, None),
        }
    }

    /// How many members of the last generation are not here any more, if somebody tells how many there were.
    fn strangers(&self) -> Option<u32> {
        let then = self.current().filter_map(|seat| seat.trail()?.members).max()?;
        let still = self.lead.seats.iter().filter(|seat| seat.standing() != Standing::New).count();
        Some(then.saturating_sub(still as u32))
    }

    fn continuity(&self) -> Continuity {
        if self.lead.seats.iter().any(|seat| self.missed(seat)) { Continuity::Broken } else { Continuity::Whole }
    }

    /// Whether it has a past and has not taken the last plan.
    fn missed(&self, seat: &Seat<'_>) -> bool {
        seat.since().is_some() && seat.since() != self.newest
    }

    /// What the leader's last plan took from members that have missed it.
    fn unheeded(&self, situation: &Situation, beside: &Beside<'_>) -> Vec<u32> {
        let late: Vec<bool> = self.lead.seats.iter().map(|seat| self.missed(seat)).collect();
        if !late.contains(&true) {
            return Vec::new();
        }
        let is_late = |holder: u32| late.get(holder as usize).copied().unwrap_or_default();
        let taken = |(resource, holder): (u32, &u32)| {
            let kept = Remembered::Of(Whereabouts::Here(*holder));
            (is_late(*holder) && ![kept, Remembered::New].contains(&beside.recall(resource))).then_some(resource)
        };
        (0_u32..).zip(situation.holder()).filter_map(taken).collect()
    }

    /// Waits that members were told of with the last plan. What is left is the least that anybody reports, and for the
    /// leader itself what is left now.
    fn echoes(&mut self, situation: &Situation, council: &Council<'_, Consumer>) -> Vec<Echo> {
        let mut told: Told<'a> = BTreeMap::new();
        for wait in self.current().filter_map(|s| s.trail()).flat_map(|t| &t.waits) {
            let left = wait.left.unwrap_or_default();
            let entry = told.entry((wait.opened, wait.owner)).or_insert((left, wait.partitions));
            entry.0 = entry.0.min(left);
        }
        for wait in &council.trail.waits {
            let same =
                told.iter_mut().filter(|((opened, name), _)| *opened == wait.opened && owner(*name) == wait.owner);
            same.for_each(|(_, (left, _))| *left = (*left).min(wait.left));
        }
        let here = here(&self.lead.seats);
        let mut echo = |((opened, name), (left, partitions))| {
            let owner = match here.get(&name) {
                Some(member) => Whereabouts::Here(*member),
                None => Whereabouts::Gone(number_among(&mut self.gone, &owner(name))),
            };
            Echo { owner, opened, left, resources: self.lead.numbers(situation, partitions) }
        };
        told.into_iter().map(&mut echo).collect()
    }

    fn released(&self, situation: &Situation) -> Vec<u32> {
        let packed = self.current().filter_map(|s| s.trail()).map(|t| t.released);
        let mut released: Vec<u32> = packed.flat_map(|p| self.lead.numbers(situation, p)).collect();
        released.sort_unstable();
        released
    }

    /// The one new member whose name, but for the part that changes with each life, is that of a former owner.
    fn heir(&self, gone: &Owner) -> Option<u32> {
        let Owner::Member(gone) = gone else { return None };
        let gone = stem(gone.as_str())?;
        let same = |seat: &Seat<'_>| {
            seat.instance.is_none() && seat.standing() != Standing::Settled && stem(seat.member.as_str()) == Some(gone)
        };
        let mut alike = (0_u32..).zip(&self.lead.seats).filter(|(_, seat)| same(seat)).map(|(number, _)| number);
        alike.next().filter(|_| alike.next().is_none())
    }

    /// Members that took the leader's last plan must claim what it gave them, and nothing else, or name what they have
    /// released.
    fn offences(&self, situation: &Situation, beside: &Beside<'_>, released: &[u32]) -> Vec<Offence<TopicPartition>> {
        let took = |member: u32| self.lead.seats.get(member as usize).filter(|s| s.since() == self.newest);
        let breach = |(resource, holder): (u32, &u32)| {
            let name = || self.lead.name(situation, resource);
            match (*holder, beside.recall(resource)) {
                (NOBODY, Remembered::Of(Whereabouts::Here(owner))) if !situation.is_contested(resource) => {
                    let seat = took(owner).filter(|s| s.trail().is_some() && situation.asks_for(owner, resource))?;
                    let silent = released.binary_search(&resource).is_err();
                    silent.then(|| Offence::Dropped { member: seat.member.clone(), resource: name() })
                }
                (NOBODY, _) | (_, Remembered::New) => None,
                (holder, Remembered::Of(Whereabouts::Here(owner))) if holder == owner => None,
                (holder, _) => {
                    let seat = took(holder)?;
                    Some(Offence::Seized { member: seat.member.clone(), resource: name() })
                }
            }
        };
        (0_u32..).zip(situation.holder()).filter_map(breach).take(OFFENCES_MAX).collect()
    }
}

fn earlier(reported: Option<Span>, own: Option<Span>) -> Option<Span> {
    reported.map(|left| left.min(own.unwrap_or(left)))
}

const fn former(owner: &Owner) -> Former {
    match owner {
        Owner::Instance(_) => Former::Static,
        Owner::Member(_) => Former::Dynamic,
        Owner::Unknown(0) => Former::Unknown,
        Owner::Unknown(_) => Former::Dynamic,
    }
}

/// A member id without the part that a coordinator makes up: `-` and 36 characters of a UUID.
fn stem(member: &str) -> Option<&str> {
    let (stem, tail) = member.split_at_checked(member.len().checked_sub(37)?)?;
    let uuid = |(place, c): (usize, char)| c.is_ascii_hexdigit() || (c == '-' && [0, 9, 14, 19, 24].contains(&place));
    (!stem.is_empty() && tail.char_indices().all(uuid)).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_of_a_member_id_is_what_the_client_calls_itself() {
        assert_eq!(stem("app-1-01234567-89ab-cdef-0123-456789abcdef"), Some("app-1"));
        assert_eq!(stem("-01234567-89ab-cdef-0123-456789abcdef"), None);
        assert_eq!(stem("app-1"), None);
        assert_eq!(stem("a-name-that-is-long-enough-to-hold-a-tail-but-has-none"), None);
    }
}
