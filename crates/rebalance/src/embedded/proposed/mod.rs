//! The embedded protocol of the proposal itself: Subscription and Assignment with explicit revocations
//! (`RevokeTopicPartitions`) and a time to rejoin after (`ScheduledRebalanceTimeout`), which Kafka never shipped in
//! this form.
//!
//! The proposal's rules say that an assignment is all a member is to hold, its examples that it is only what is added;
//! here [`crate::embedded::Shape`] decides, and the two have protocols of different names.

mod assignment;
mod protocol;
mod subscription;

pub use assignment::Assignment;
pub use protocol::Proposed;
pub use subscription::Subscription;
