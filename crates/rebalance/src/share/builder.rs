use std::collections::BTreeMap;

use groma_model::Generation;

use super::{Kind, NOBODY, Situation};
use crate::cause::MoveCause;

/// Makes a [`Situation`]: first all kinds in order of their names, then all members in Kafka's order, then claims.
#[derive(Clone, Debug, Default)]
pub struct SituationBuilder {
    situation: Situation,
    known: BTreeMap<Vec<u32>, u32>,
    /// The generation of all claims, as long as they agree.
    common: Option<Option<Generation>>,
    /// Once they do not: for each resource the generation of the best claim.
    right: Vec<Option<Generation>>,
    /// Resources claimed by two in the same generation; nobody has the better right.
    tied: Vec<u32>,
}

impl SituationBuilder {
    /// Nothing to share out among nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next kind; yields its number.
    pub fn kind(&mut self, count: u32) -> u32 {
        let first = self.situation.holder.len() as u32;
        let count = count.min(NOBODY - 1 - first);
        self.situation.holder.resize((first + count) as usize, NOBODY);
        self.situation.kinds.push(Kind { first, count });
        self.situation.kinds.len() as u32 - 1
    }

    /// Makes a set of kinds known, for [`Self::member_like`].
    pub fn subscription(&mut self, mut kinds: Vec<u32>) -> u32 {
        kinds.sort_unstable();
        kinds.dedup();
        let next = self.situation.subscriptions.len() as u32;
        let number = *self.known.entry(kinds.clone()).or_insert(next);
        if number == next {
            self.situation.subscriptions.push(kinds);
        }
        number
    }

    /// Adds the next member, which asks for these kinds; yields its number.
    pub fn member(&mut self, kinds: Vec<u32>) -> u32 {
        let set = self.subscription(kinds);
        self.member_like(set)
    }

    /// Adds the next member, which asks for a known set of kinds; yields its number.
    pub fn member_like(&mut self, subscription: u32) -> u32 {
        self.situation.subscribed.push(subscription);
        self.situation.subscribed.len() as u32 - 1
    }

    /// A member claims a resource since a generation. The later generation has the better right; of two claims in the
    /// same generation neither counts (KAFKA-13419).
    pub fn claim(&mut self, member: u32, resource: u32, since: Option<Generation>) {
        if resource as usize >= self.situation.holder.len() {
            return;
        }
        if !self.is_plain(since) && self.right.is_empty() {
            self.right = vec![self.common.flatten(); self.situation.holder.len()];
        }
        self.contend(member, resource, since);
    }

    /// As [`Self::claim`], for resources by their kind and their numbers within it; what does not exist is left out.
    /// Yields whether there are any, all exist, and they are in order.
    #[inline]
    pub fn claim_each(
        &mut self,
        (member, since): (u32, Option<Generation>),
        (kind, indices): (u32, impl Iterator<Item = u32>),
    ) -> bool {
        let Some(kind) = self.situation.kinds.get(kind as usize).copied() else { return false };
        let is_plain = self.is_plain(since);
        let (mut next, mut is_orderly) = (0, true);
        for index in indices {
            is_orderly &= (next..kind.count).contains(&index);
            if index < kind.count {
                let resource = kind.first + index;
                match self.situation.holder.get_mut(resource as usize) {
                    Some(holder) if is_plain && *holder == NOBODY && self.tied.is_empty() => *holder = member,
                    _ => self.claim(member, resource, since),
                }
                next = index + 1;
            }
        }
        is_orderly && next > 0
    }

    /// Whether nobody so far has claimed in another generation.
    #[inline]
    fn is_plain(&mut self, since: Option<Generation>) -> bool {
        *self.common.get_or_insert(since) == since && self.right.is_empty()
    }

    fn contend(&mut self, member: u32, resource: u32, since: Option<Generation>) {
        let holder = &mut self.situation.holder[resource as usize];
        let mut common = since;
        let right = self.right.get_mut(resource as usize).unwrap_or(&mut common);
        let before = *holder;
        if before == member {
            return;
        }
        if before == NOBODY && self.tied.binary_search(&resource).is_err() {
            (*holder, *right) = (member, since);
        } else if since > *right {
            (*holder, *right) = (member, since);
            if before != NOBODY {
                self.situation.lost.push((resource, before, MoveCause::Superseded));
            }
        } else if since < *right {
            self.situation.lost.push((resource, member, MoveCause::Superseded));
        } else {
            *holder = NOBODY;
            if let Err(place) = self.tied.binary_search(&resource) {
                self.tied.insert(place, resource);
            }
            if before != NOBODY {
                self.situation.lost.push((resource, before, MoveCause::Contested));
            }
            self.situation.lost.push((resource, member, MoveCause::Contested));
        }
    }

    /// The finished situation.
    pub fn build(mut self) -> Situation {
        self.situation.lost.sort_unstable();
        self.situation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_members() -> SituationBuilder {
        let mut builder = SituationBuilder::new();
        let kind = builder.kind(3);
        builder.member(vec![kind]);
        builder.member(vec![kind]);
        builder
    }

    #[test]
    fn b15_b71_the_later_generation_has_the_better_right() {
        let mut builder = two_members();
        builder.claim(0, 1, Some(Generation(1)));
        builder.claim(1, 1, Some(Generation(2)));
        builder.claim(0, 2, Some(Generation(1)));
        let situation = builder.build();
        assert_eq!(situation.holder(), [NOBODY, 1, 0]);
        assert_eq!(situation.lost_claims(), [(1, 0, MoveCause::Superseded)]);
    }

    #[test]
    fn b15_of_two_claims_in_one_generation_neither_counts() {
        let mut builder = two_members();
        builder.claim(0, 1, Some(Generation(2)));
        builder.claim(1, 1, Some(Generation(2)));
        let situation = builder.build();
        assert_eq!(situation.holder(), [NOBODY; 3]);
        assert_eq!(situation.lost_claims(), [(1, 0, MoveCause::Contested), (1, 1, MoveCause::Contested)]);
    }

    #[test]
    fn b31_a_third_and_later_claim_settles_a_tie() {
        let mut builder = two_members();
        let kind = 0;
        builder.member(vec![kind]);
        builder.claim(0, 0, None);
        builder.claim(1, 0, None);
        builder.claim(2, 0, Some(Generation(4)));
        assert_eq!(builder.build().holder()[0], 2);
    }
}
