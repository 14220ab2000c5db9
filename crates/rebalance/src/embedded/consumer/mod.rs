//! The consumer protocol (`consumer`): topic partitions, granted as full sets.
//!
//! The bytes are those of Kafka's `ConsumerProtocolSubscription` (versions 0 to 3) and `ConsumerProtocolAssignment`,
//! so that members written in any language meet in one group, with the leader on either side.

mod assignment;
mod audit;
pub(super) mod bytes;
mod catalog;
mod change;
mod deal;
mod decide;
mod headers;
mod holdings;
mod index;
pub(super) mod layout;
mod lead;
mod memory;
pub(super) mod note;
pub(super) mod order;
pub(super) mod pack;
mod partitions;
mod past;
mod press;
mod protocol;
mod raw;
mod strategy;
mod streak;
mod subscription;
mod topics;
mod trail;

pub use assignment::Assignment;
pub use audit::{LateClaims, audit};
pub use catalog::TopicCatalog;
pub(crate) use lead::situation;
pub use lead::{Candidate, share_out};
pub use memory::PlanMemory;
pub use partitions::Partitions;
pub use protocol::Consumer;
pub use strategy::{Memory, Strategy};
pub use subscription::Subscription;
pub use topics::Topics;
