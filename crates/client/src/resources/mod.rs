//! Groups that share out an application's own resources.

mod event;
mod group;
mod handover;
mod mind;

pub use event::ResourceEvent;
pub use group::ResourceGroup;
pub use handover::Handover;
