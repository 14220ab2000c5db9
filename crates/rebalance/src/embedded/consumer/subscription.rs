use bytes::{BufMut, Bytes};
use groma_model::Generation;

use super::TopicPartitions;
use super::bytes::{Source, put_nullable_bytes, put_string};
use crate::embedded::EmbeddedError;

/// A member's report: what it asks for and what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subscription {
    /// Topics asked for.
    pub topics: Vec<String>,
    /// What only the assignor understands.
    pub user_data: Option<Bytes>,
    /// Partitions held (version 1, KIP-429).
    pub owned: Vec<TopicPartitions>,
    /// The generation in which that was confirmed (version 2, KIP-792).
    pub generation: Option<Generation>,
    /// Where the member runs (version 3, KIP-881).
    pub rack: Option<String>,
}

impl Subscription {
    /// The newest layout known here.
    pub const VERSION: i16 = 3;

    /// Reads any version; what a newer one appends is ignored.
    ///
    /// # Errors
    /// The bytes are no subscription.
    pub fn decode(payload: &Bytes) -> Result<Self, EmbeddedError> {
        let mut source = Source::new("a subscription", payload);
        let version = source.version()?;
        let mut read =
            Self { topics: source.array(2, Source::string)?, user_data: source.nullable_bytes()?, ..Self::default() };
        if version >= 1 && source.has_more() {
            read.owned = TopicPartitions::read_all(&mut source)?;
        }
        if version >= 2 && source.has_more() {
            read.generation = Some(source.i32()?).filter(|g| *g >= 0).map(Generation);
        }
        if version >= 3 && source.has_more() {
            read.rack = source.nullable_string()?;
        }
        Ok(read)
    }

    /// Writes the given version; topics and partitions in order, so that equal reports give equal bytes (KAFKA-12898).
    pub fn encode(&self, version: i16) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(version);
        let mut topics: Vec<&String> = self.topics.iter().collect();
        topics.sort_unstable();
        out.put_i32(topics.len() as i32);
        topics.into_iter().for_each(|t| put_string(&mut out, t));
        put_nullable_bytes(&mut out, self.user_data.as_ref());
        if version >= 1 {
            TopicPartitions::write_all(&self.owned_in_order(), &mut out);
        }
        if version >= 2 {
            out.put_i32(self.generation.map_or(-1, |g| g.0));
        }
        if version >= 3 {
            match &self.rack {
                None => out.put_i16(-1),
                Some(rack) => put_string(&mut out, rack),
            }
        }
        out.into()
    }

    fn owned_in_order(&self) -> Vec<TopicPartitions> {
        let mut owned = self.owned.clone();
        owned.iter_mut().for_each(|t| t.partitions.sort_unstable());
        owned.sort_unstable();
        owned
    }
}
