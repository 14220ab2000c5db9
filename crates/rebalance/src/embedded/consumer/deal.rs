use bytes::{BufMut, Bytes};

use super::bytes::{put_nullable_bytes, put_string};
use super::{Assignment, TopicPartitions};
use crate::share::{Plan, Situation};

/// What each member has after a round, by one pass over the owners.
pub(super) struct Deal<'a> {
    situation: &'a Situation,
    topics: &'a [(&'a str, u32)],
    /// All owned resources, member by member, each in order.
    resources: Vec<u32>,
    /// Where each member's begin; one more than there are members.
    starts: Vec<u32>,
}

impl<'a> Deal<'a> {
    pub(super) fn new(situation: &'a Situation, plan: &Plan, topics: &'a [(&'a str, u32)]) -> Self {
        let mut starts = vec![0_u32; situation.members() + 1];
        for owner in &plan.owner {
            if let Some(count) = starts.get_mut((*owner as usize).saturating_add(1)) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut resources = vec![0; total as usize];
        for (owner, resource) in plan.owner.iter().zip(0_u32..) {
            if (*owner as usize) < situation.members() {
                let place = &mut next[*owner as usize];
                resources[*place as usize] = resource;
                *place += 1;
            }
        }
        Self { situation, topics, resources, starts }
    }

    /// Calls back with each topic and partition of a member, in order.
    fn each(&self, member: u32, mut give: impl FnMut(usize, i32)) {
        let range = self.starts[member as usize] as usize..self.starts[member as usize + 1] as usize;
        let kinds = self.situation.kinds();
        let mut kind = 0;
        for resource in &self.resources[range] {
            while kinds[kind].range().end <= *resource {
                kind += 1;
            }
            give(kind, (*resource - kinds[kind].first) as i32);
        }
    }

    pub(super) fn assignment(&self, member: u32) -> Assignment {
        let mut partitions: Vec<TopicPartitions> = Vec::new();
        let mut last = usize::MAX;
        self.each(member, |kind, partition| {
            if kind != last {
                last = kind;
                partitions.push(TopicPartitions { topic: self.topics[kind].0.to_owned(), partitions: Vec::new() });
            }
            if let Some(group) = partitions.last_mut() {
                group.partitions.push(partition);
            }
        });
        Assignment { partitions, user_data: None }
    }

    /// The bytes of [`Assignment::encode`], straight from the numbers.
    pub(super) fn encoded(&self, member: u32, note: &Bytes) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(Assignment::VERSION);
        out.put_i32(0);
        let (mut last, mut groups, mut count_at, mut count) = (usize::MAX, 0_i32, 0, 0_i32);
        self.each(member, |kind, partition| {
            if kind != last {
                patch(&mut out, count_at, count);
                (last, groups, count) = (kind, groups + 1, 0);
                put_string(&mut out, self.topics[kind].0);
                count_at = out.len();
                out.put_i32(0);
            }
            count += 1;
            out.put_i32(partition);
        });
        patch(&mut out, count_at, count);
        patch(&mut out, 2, groups);
        put_nullable_bytes(&mut out, Some(note));
        out.into()
    }
}

/// Writes a count where a place was left for it; at 0 there is none.
fn patch(out: &mut [u8], at: usize, count: i32) {
    if let Some(place) = out.get_mut(at..at + 4).filter(|_| at > 0) {
        place.copy_from_slice(&count.to_be_bytes());
    }
}
