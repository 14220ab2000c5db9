//! The nouns of Groma, shared by every crate: time, topics, partitions, offsets, groups, members, generations.
//!
//! Two kinds of time never mix: [`Time`] is nanoseconds since a shell started (it drives timers and can be written
//! to a trace and replayed), [`Timestamp`] is record time in milliseconds since the Unix epoch.

mod group;
mod spelling;
mod time;
mod topic;
mod topic_name;

pub use group::{Generation, GroupId, InstanceId, MemberId};
pub use spelling::nearest;
pub use time::{Span, Time, Timestamp};
pub use topic::{Offset, Partition, TopicId, TopicPartition};
pub use topic_name::check_topic_name;
