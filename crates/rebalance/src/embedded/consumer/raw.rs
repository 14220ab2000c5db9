use groma_model::Generation;

use super::bytes::Cursor;
use super::{Memory, Partitions, Subscription};
use crate::embedded::EmbeddedError;

pub(super) const WHAT: &str = "a subscription";
/// So many bytes are a list without anything in it.
const NO_ITEMS: usize = 4;

/// A report where it lies: a leader reads thousands of them, most of which name the same topics.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawReport<'a> {
    pub(super) version: i16,
    /// The list of topics: its count and names.
    pub(super) topics: &'a [u8],
    pub(super) user_data: Option<&'a [u8]>,
    /// The list of partitions held: its count, topics and numbers; empty before version 1.
    pub(super) owned: &'a [u8],
    pub(super) generation: Option<Generation>,
    pub(super) rack: Option<&'a str>,
}

impl<'a> RawReport<'a> {
    /// Reads a report; if its list of topics is that of another one, which is given, it is not read again.
    pub(super) fn read(payload: &'a [u8], like: Option<&[u8]>) -> Result<Self, EmbeddedError> {
        let mut cursor = Cursor::new(WHAT, payload);
        let version = cursor.version()?;
        let topics = match like.filter(|l| cursor.rest().starts_with(l)) {
            Some(like) => cursor.take(like.len())?,
            None => cursor.section(Cursor::name)?,
        };
        let user_data = cursor.nullable_bytes()?;
        let mut report = Self { version, topics, user_data, owned: &[], generation: None, rack: None };
        if version >= 1 && !cursor.rest().is_empty() {
            report.owned = Partitions::skip(&mut cursor)?;
        }
        if version >= 2 && !cursor.rest().is_empty() {
            report.generation = Some(cursor.i32()?).filter(|g| *g >= 0).map(Generation);
        }
        if version >= 3 && !cursor.rest().is_empty() {
            let rack = cursor.nullable_name()?.map(std::str::from_utf8).transpose();
            report.rack = rack.map_err(|_| EmbeddedError::Utf8 { what: WHAT })?;
        }
        Ok(report)
    }

    pub(super) fn of(subscription: &'a Subscription) -> Self {
        Self {
            topics: subscription.topics.section(),
            user_data: subscription.user_data.as_deref(),
            version: Subscription::VERSION,
            owned: subscription.owned.section(),
            generation: subscription.generation,
            rack: subscription.rack.as_deref(),
        }
    }

    /// Whether a member without a generation says by that that it has none; older peers cannot.
    pub(super) fn tells_generation(&self) -> bool {
        self.version >= 2 || self.user_data.is_some_and(|data| data.len() >= 4)
    }

    /// The list of partitions it claims, and since when; unreadable memories count as none.
    pub(super) fn claims(&self, memory: Memory) -> (&'a [u8], Option<Generation>) {
        match memory {
            Memory::Forgetful => (self.owned, self.generation),
            Memory::Owned => (self.owned, self.generation.or_else(|| self.repeated_generation())),
            Memory::UserData => self.user_data.and_then(previous).unwrap_or_default(),
        }
    }

    /// The generation in the user data: asked for only where it can say more than its absence elsewhere does.
    fn repeated_generation(&self) -> Option<Generation> {
        let is_silent = self.version < 2 || self.owned.len() > NO_ITEMS;
        self.user_data.filter(|_| is_silent).and_then(generation)
    }

    /// Where a member of our make tells what it carries beside its claims.
    pub(super) fn trail(&self, memory: Memory) -> Option<&'a [u8]> {
        match memory {
            Memory::Owned => self.user_data?.get(4..),
            Memory::Forgetful | Memory::UserData => None,
        }
    }
}

/// Kafka's `sticky`: the previous assignment, since version 1 with its generation.
fn previous(user_data: &[u8]) -> Option<(&[u8], Option<Generation>)> {
    let mut cursor = Cursor::new(WHAT, user_data);
    let list = Partitions::skip(&mut cursor).ok()?;
    Some((list, generation(cursor.rest())))
}

fn generation(bytes: &[u8]) -> Option<Generation> {
    let number = i32::from_be_bytes(*bytes.first_chunk()?);
    (number >= 0).then_some(Generation(number))
}
