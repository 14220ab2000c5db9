use groma_model::Generation;

use super::raw::{RawReport, claims_section, each_claim};
use super::{Memory, Subscription, TopicPartitions};

/// What a report claims, wherever it stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Claims<'a> {
    Bytes(&'a [u8]),
    Typed(&'a [TopicPartitions]),
}

impl<'a> Claims<'a> {
    /// What a report claims, and since when; unreadable memories count as none.
    pub(super) fn of_raw(memory: Memory, raw: &RawReport<'a>) -> (Self, Option<Generation>) {
        match memory {
            Memory::Forgetful => (Self::Bytes(raw.owned), raw.generation),
            Memory::Owned => (Self::Bytes(raw.owned), raw.generation.or_else(|| generation(raw.user_data))),
            Memory::UserData => Self::of_memory(raw.user_data),
        }
    }

    pub(super) fn of_subscription(memory: Memory, report: &'a Subscription) -> (Self, Option<Generation>) {
        let user_data = report.user_data.as_deref();
        match memory {
            Memory::Forgetful => (Self::Typed(&report.owned), report.generation),
            Memory::Owned => (Self::Typed(&report.owned), report.generation.or_else(|| generation(user_data))),
            Memory::UserData => Self::of_memory(user_data),
        }
    }

    /// Kafka's `sticky`: the previous assignment, since version 1 with its generation.
    fn of_memory(user_data: Option<&'a [u8]>) -> (Self, Option<Generation>) {
        match user_data.and_then(claims_section) {
            Some((section, rest)) => (Self::Bytes(section), generation(Some(rest))),
            None => (Self::Bytes(&[]), None),
        }
    }

    /// Calls back with each claim: the place of its topic among `topics`, which are sorted, and the partition.
    pub(super) fn hand_in(&self, topics: &[(&str, u32)], mut claim: impl FnMut(u32, u32)) {
        let mut finder = Finder { topics, next: 0 };
        match self {
            Self::Bytes(bytes) => each_claim(bytes, |topic, numbers| {
                let Some(kind) = finder.find(topic) else { return };
                let partitions = numbers.chunks_exact(4).map(|b| i32::from_be_bytes([b[0], b[1], b[2], b[3]]));
                partitions.filter_map(|p| u32::try_from(p).ok()).for_each(|p| claim(kind, p));
            }),
            Self::Typed(groups) => {
                for group in *groups {
                    let Some(kind) = finder.find(group.topic.as_bytes()) else { continue };
                    group.partitions.iter().filter_map(|p| u32::try_from(*p).ok()).for_each(|p| claim(kind, p));
                }
            }
        }
    }
}

/// Finds topics by name; mostly they come in order.
struct Finder<'a> {
    topics: &'a [(&'a str, u32)],
    next: usize,
}

impl Finder<'_> {
    fn find(&mut self, topic: &[u8]) -> Option<u32> {
        let expected = self.topics.get(self.next).is_some_and(|(t, _)| t.as_bytes() == topic);
        let place = match expected {
            true => self.next,
            false => self.topics.binary_search_by(|(t, _)| t.as_bytes().cmp(topic)).ok()?,
        };
        self.next = place + 1;
        Some(place as u32)
    }
}

fn generation(bytes: Option<&[u8]>) -> Option<Generation> {
    let number = i32::from_be_bytes(*bytes?.first_chunk()?);
    (number >= 0).then_some(Generation(number))
}
