use bytes::Bytes;
use groma_model::Timestamp;

use crate::log::LogId;

/// Names a connection; never used again after it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// Names something the shell was asked to do, until it says how it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffectId(pub u64);

/// What happens to a node.
///
/// A connection hands in its next frame only when the one before it was answered, as in Kafka. What the shell is asked
/// to do ([`crate::Output::Append`] and the like) is done, in order, before anything else is handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A client connected.
    Connected {
        /// The connection.
        connection: ConnectionId,
        /// Where it comes from, as text.
        host: String,
    },
    /// A request, without the four bytes of its size.
    Frame {
        /// The connection it came on.
        connection: ConnectionId,
        /// The request.
        frame: Bytes,
    },
    /// A client went away.
    Disconnected(ConnectionId),
    /// Something was done, or could not be.
    Done {
        /// What.
        effect: EffectId,
        /// How it went.
        result: Result<(), StorageFailure>,
    },
    /// Bytes were read, or could not be.
    Read {
        /// What was asked for.
        effect: EffectId,
        /// The bytes.
        result: Result<Bytes, StorageFailure>,
    },
    /// Bytes of a log of `__consumer_offsets`, oldest first, in as many pieces as it takes; before [`Input::Ready`].
    Replay {
        /// The log.
        log: LogId,
        /// Whole batches.
        bytes: Bytes,
    },
    /// All that was found in the data folder has been handed in.
    Ready,
    /// The time of day, to be told every few seconds.
    Wall(Timestamp),
    /// Time has passed; see [`crate::Node::deadline`].
    Tick,
    /// The broker is about to stop: everybody parked is answered.
    Stop,
}

/// The storage did not do what it was asked: full, or broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StorageFailure;
