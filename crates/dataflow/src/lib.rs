//! Stream topologies, operators, windows and state: one task's step over a batch of records, without I/O.
//!
//! - A [`Task`] is a sub-topology over one input partition. [`Task::step`] is entered once for each [`BatchView`]; what
//!   it writes goes into an [`Outbox`] in record-batch layout, once.
//! - A [`Pipeline`] is a task made of [`Operator`]s nested in each other: up to the first state they are one
//!   monomorphised chain, and no record costs an allocation.
//! - [`Windowed`] is the keyed state: a key becomes a dense [`KeyId`], each open window holds one cell a key, and a
//!   window that closed gives its cells and keys back.
//! - A flush writes what changed, then a [`Marker`]; [`Restorer`] reads whole flushes back and nothing else.
//!
//! # Rules of time
//! Windows are `[start, start + size)` by floor division, before 1970 too. Stream time is the largest timestamp that a
//! task has accepted; a record whose window's end plus grace is at or below it is late: counted, never aggregated.
//! Records that were rejected (no key, no value, malformed, not a number) do not move stream time. Stream time belongs
//! to a partition: a quiet partition holds back its own windows only.

mod aggregate;
mod batch_view;
mod changelog;
mod counters;
mod event;
mod operator;
mod outbox;
mod partitioner;
mod pipeline;
mod reject;
mod state;
mod task;
mod window;

pub use aggregate::{Aggregate, Stats, StatsAggregate};
pub use batch_view::{BatchView, Stepped};
pub use changelog::{ChangelogError, Entry, FlushId, Marker, Restorer, append_fence, append_marker};
pub use counters::{Counters, Tally};
pub use event::Event;
pub use operator::{
    Chain, Counted, Counting, Decode, Decoder, Encoder, Filter, Map, Operator, Sink, Stateful, TextKey, Windowed,
};
pub use outbox::{Destination, Outbox, Parcel};
pub use partitioner::{murmur2, partition_of};
pub use pipeline::Pipeline;
pub use reject::{Policy, Reject};
pub use state::{KeyId, KeyTable, WindowStore};
pub use task::{StepError, Task};
pub use window::{Emission, Tumbling, Window, WindowEncoder};
