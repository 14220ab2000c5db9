use bytes::Bytes;
use groma_model::{Offset, TopicId};
use groma_wire::Segment;

use super::{ConnectionId, EffectId};
use crate::log::{FileRange, LogId};
use crate::topic::TopicDefinition;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send the answer to the connection's request.
    Respond {
        /// The connection.
        connection: ConnectionId,
        /// The frame, in order, its size included.
        parts: Vec<Segment>,
        /// What the tokens of external parts name, by position.
        ranges: Vec<FileRange>,
    },
    /// The connection's request wants no answer: go on with the next.
    Accept(ConnectionId),
    /// End the connection.
    Close {
        /// The connection.
        connection: ConnectionId,
        /// What its client did.
        offence: Offence,
    },
    /// Write a batch at the end of a log; the file is made if it is not there. Answer with [`super::Input::Done`].
    Append(Append),
    /// Read bytes; answer with [`super::Input::Read`].
    Read {
        /// Names it in the answer.
        effect: EffectId,
        /// Which bytes.
        range: FileRange,
    },
    /// Keep a topic's definition, in place of the one kept before; answer with [`super::Input::Done`].
    KeepTopic {
        /// Names it in the answer.
        effect: EffectId,
        /// The definition.
        topic: TopicDefinition,
    },
    /// Delete a topic with all its records; answer with [`super::Input::Done`].
    DeleteTopic {
        /// Names it in the answer.
        effect: EffectId,
        /// Its id.
        topic: TopicId,
    },
    /// Make an empty segment file, so that the log's end is known after a restart.
    MakeSegment {
        /// The log.
        log: LogId,
        /// The first offset it may hold.
        base: Offset,
    },
    /// Delete a segment file.
    DropSegment {
        /// The log.
        log: LogId,
        /// The first offset it may hold.
        base: Offset,
    },
    /// One line for people.
    Tell(Notice),
}

/// A batch to be written. Where `position` is not the file's end, an append before it failed, and this one must too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Names it in the answer.
    pub effect: EffectId,
    /// The log.
    pub log: LogId,
    /// The segment, by the first offset it may hold.
    pub segment: Offset,
    /// Where in the file.
    pub position: u64,
    /// The batch's first bytes, in place of as many of `batch`.
    pub head: [u8; Self::HEAD],
    /// The batch as it arrived.
    pub batch: Bytes,
}

impl Append {
    /// Bytes of a batch that the broker sets: base offset, length, leader epoch.
    pub const HEAD: usize = 16;
}

/// Why a connection is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offence {
    /// The frame is no request that Kafka's protocol knows.
    Malformed(String),
    /// An API or a version of it that is not served.
    Unsupported {
        /// The API's number.
        api: i16,
        /// The version asked for.
        version: i16,
    },
    /// A produce without acknowledgement failed, and there is no other way to say so.
    UnacknowledgedProduce,
}

/// When the node wants to be woken, see [`crate::Node::deadline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A parked fetch has waited long enough.
    FetchWait,
    /// A group's own deadline.
    Group,
    /// Logs are looked at for records to delete.
    Retention,
    /// Offsets of empty groups are looked at.
    OffsetsRetention,
}

/// Something to tell people, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Records were deleted because a setting says so.
    Retired {
        /// The topic's name.
        topic: String,
        /// The partition.
        partition: i32,
        /// The first offset still held.
        start: Offset,
        /// Bytes deleted.
        bytes: u64,
        /// Why.
        cause: RetireCause,
    },
    /// The logs hold as many bytes as they may.
    Full {
        /// The limit in bytes.
        max_bytes: u64,
    },
    /// The offsets of an empty group, or an idle topic's in it, were deleted.
    OffsetsExpired {
        /// The group.
        group: String,
        /// How many offsets.
        offsets: usize,
    },
}

/// Why segments were deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetireCause {
    /// Their newest record is older than `retention.ms`.
    Age,
    /// The log is larger than `retention.bytes`.
    Size,
}
