use std::fmt::{self, Debug, Formatter};

use bytes::{BufMut, Bytes};
use groma_model::TopicPartition;

use super::bytes::{Cursor, put_string};
use crate::embedded::EmbeddedError;

/// Partitions, topic by topic, as they lie in a report or an assignment: checked once, never copied.
///
/// Collecting partitions brings them in order, so that equal sets are equal bytes (KAFKA-12898).
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Partitions {
    /// The count of topics, then each with its numbers; no bytes at all if there are none.
    list: Bytes,
}

impl Partitions {
    /// The partitions one by one.
    pub fn iter(&self) -> impl Iterator<Item = TopicPartition> {
        self.by_topic().flat_map(|(topic, numbers)| numbers.map(move |number| TopicPartition::new(topic, number)))
    }

    /// Each topic with the numbers of its partitions; costs no allocation.
    pub fn by_topic(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = i32>)> {
        let named = |(topic, numbers)| Some((std::str::from_utf8(topic).ok()?, Self::each_number(numbers)));
        Self::groups(&self.list).map_while(named)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        Self::groups(&self.list).map(|(_, numbers)| numbers.len() / 4).sum()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes a list that was skipped over.
    pub(in crate::embedded) fn checked(list: Bytes, what: &'static str) -> Result<Self, EmbeddedError> {
        for (topic, _) in Self::groups(&list) {
            std::str::from_utf8(topic).map_err(|_| EmbeddedError::Utf8 { what })?;
        }
        Ok(if Self::groups(&list).next().is_some() { Self { list } } else { Self::default() })
    }

    /// Takes a list made here.
    pub(super) fn made(list: Bytes) -> Self {
        if list.len() > 4 { Self { list } } else { Self::default() }
    }

    pub(super) fn section(&self) -> &[u8] {
        &self.list
    }

    pub(in crate::embedded) fn skip<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], EmbeddedError> {
        cursor.section(|one| {
            one.name()?;
            one.numbers()
        })
    }

    /// Each topic and its numbers, as bytes; ends where they make no sense.
    pub(super) fn groups(list: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
        let (count, mut rest) = list.split_first_chunk().unwrap_or((&[0; 4], &[]));
        (0..i32::from_be_bytes(*count)).map_while(move |_| {
            let (topic, behind) = split_name(rest)?;
            let (numbers, behind) = split_numbers(behind)?;
            rest = behind;
            Some((topic, numbers))
        })
    }

    pub(super) fn each_number(numbers: &[u8]) -> impl Iterator<Item = i32> {
        numbers.chunks_exact(4).map(|b| i32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    pub(in crate::embedded) fn write(&self, out: &mut Vec<u8>) {
        match self.is_empty() {
            true => out.put_i32(0),
            false => out.put_slice(&self.list),
        }
    }
}

/// As [`Cursor::name`], but quick, as there is nothing to be said of a fault.
fn split_name(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(i16::from_be_bytes(*length)).ok()?)
}

/// As [`Cursor::numbers`].
fn split_numbers(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let count = match i32::from_be_bytes(*count) {
        -1 => 0,
        count => usize::try_from(count).ok()?,
    };
    rest.split_at_checked(count.saturating_mul(4))
}

impl<'a> FromIterator<&'a TopicPartition> for Partitions {
    fn from_iter<I: IntoIterator<Item = &'a TopicPartition>>(partitions: I) -> Self {
        let mut partitions: Vec<&TopicPartition> = partitions.into_iter().collect();
        if partitions.is_empty() {
            return Self::default();
        }
        partitions.sort_unstable();
        let topics = partitions.chunk_by(|a, b| a.topic == b.topic);
        let mut list = Vec::with_capacity(64);
        list.put_i32(topics.clone().count() as i32);
        for numbers in topics {
            put_string(&mut list, &numbers[0].topic);
            list.put_i32(numbers.len() as i32);
            numbers.iter().for_each(|one| list.put_i32(one.partition.0));
        }
        Self { list: list.into() }
    }
}

impl Debug for Partitions {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let lists = self.by_topic().map(|(topic, numbers)| (topic, numbers.collect::<Vec<_>>()));
        out.debug_map().entries(lists).finish()
    }
}
