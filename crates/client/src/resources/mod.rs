//! Groups that share out an application's own resources, or tasks with state.

mod event;
mod group;
mod handover;
mod log;
mod membership;
mod mind;
mod tasks;

pub use event::ResourceEvent;
pub use group::ResourceGroup;
pub use handover::Handover;
pub use membership::Membership;
pub use tasks::TaskGroup;
