use bytes::BufMut;
use groma_model::TopicPartition;

use super::bytes::{Source, put_string};
use crate::embedded::EmbeddedError;

/// Some partitions of one topic.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicPartitions {
    /// The topic's name.
    pub topic: String,
    /// Partition numbers.
    pub partitions: Vec<i32>,
}

impl TopicPartitions {
    /// Partitions in order, topic by topic.
    pub fn group<'a>(partitions: impl IntoIterator<Item = &'a TopicPartition>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for one in partitions {
            match groups.last_mut() {
                Some(last) if last.topic == one.topic => last.partitions.push(one.partition.0),
                _ => groups.push(Self { topic: one.topic.clone(), partitions: vec![one.partition.0] }),
            }
        }
        groups
    }

    /// The partitions one by one.
    pub fn iter(&self) -> impl Iterator<Item = TopicPartition> + '_ {
        self.partitions.iter().map(|p| TopicPartition::new(self.topic.clone(), *p))
    }

    pub(super) fn read_all(source: &mut Source) -> Result<Vec<Self>, EmbeddedError> {
        source.array(6, |s| Ok(Self { topic: s.string()?, partitions: s.array(4, Source::i32)? }))
    }

    pub(super) fn write_all(groups: &[Self], out: &mut Vec<u8>) {
        out.put_i32(groups.len() as i32);
        for group in groups {
            put_string(out, &group.topic);
            out.put_i32(group.partitions.len() as i32);
            group.partitions.iter().for_each(|p| out.put_i32(*p));
        }
    }
}
