use std::collections::BTreeSet;

use bytes::Bytes;
use groma_model::{MemberId, Span, TopicPartition};

use super::Partitions;
use super::lead::{Lead, Seat};
use crate::embedded::{Shape, proposed};
use crate::share::{Plan, Situation};

/// What a plan tells all members alike.
pub(super) struct Told<'a> {
    pub(super) alarm: Option<Span>,
    pub(super) note: &'a Bytes,
}

impl Lead<'_> {
    /// For each member what it is given and what it is to give up, as the proposal has it. What does not exist any more
    /// is given up as well.
    pub(super) fn changes(
        &self,
        situation: &Situation,
        plan: &Plan,
        (shape, told): (Shape, &Told<'_>),
    ) -> Vec<(MemberId, Bytes)> {
        let mut owned: Vec<BTreeSet<TopicPartition>> = vec![BTreeSet::new(); self.seats.len()];
        for (owner, resource) in plan.owner.iter().zip(0..) {
            if let Some(set) = owned.get_mut(*owner as usize) {
                set.insert(self.name(situation, resource));
            }
        }
        let change = |(seat, owned): (&Seat<'_>, BTreeSet<TopicPartition>)| {
            let claimed: BTreeSet<TopicPartition> = seat.claims().collect();
            let assigned: Partitions = match shape {
                Shape::Full => owned.iter().collect(),
                Shape::Delta => owned.difference(&claimed).collect(),
            };
            let revoked: Partitions = claimed.difference(&owned).collect();
            let timeout = told.alarm.filter(|_| revoked.is_empty());
            let given = proposed::Assignment { assigned, revoked, timeout, note: Some(told.note.clone()) };
            (seat.member.clone(), given.encode(proposed::Assignment::VERSION))
        };
        self.seats.iter().zip(owned).map(change).collect()
    }
}
