use bytes::Bytes;
use groma_model::{Span, TopicPartition};

use super::note::decode_note;
use super::{Assignment, Strategy};
use crate::embedded::{EmbeddedError, Grant, GrantChange, Shape, proposed};

/// How reports and assignments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::embedded) enum Layout {
    /// As Kafka's consumers do.
    Kafka,
    /// As the proposal has it.
    Proposed(Shape),
}

impl Layout {
    /// The name of a strategy as a protocol.
    pub(super) fn name(self, strategy: &Strategy) -> String {
        match self {
            Self::Kafka => strategy.name().to_owned(),
            Self::Proposed(shape) => shape.name(strategy.name()),
        }
    }

    /// Reads an assignment. Where no time is told, `configured` counts.
    pub(super) fn read(self, assignment: &Bytes, configured: Span) -> Result<Grant<TopicPartition>, EmbeddedError> {
        let (change, alarm, note) = match self {
            Self::Kafka => {
                let all = Assignment::decode(assignment)?;
                (GrantChange::Full(all.partitions.iter().collect()), None, all.user_data)
            }
            Self::Proposed(shape) => {
                let given = proposed::Assignment::decode(assignment)?;
                (given.change(shape), given.timeout, given.note)
            }
        };
        let told = note.as_ref().and_then(|note| decode_note(note, configured));
        let (note, alarm) = told.map_or((None, alarm), |(note, alarm)| (Some(note), alarm));
        Ok(Grant { change, alarm, note })
    }
}
