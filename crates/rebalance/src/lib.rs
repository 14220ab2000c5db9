//! Incremental cooperative rebalancing: group membership and the sharing out of any resource, as pure state machines.
//!
//! Read [`coordinator::Group`] and [`member::Member`] first: the two sides of a group, each by the contract
//! `handle(now, Input)`, `poll() -> Option<Output>`, `deadline() -> Option<(Time, Reason)>`. What they say to each
//! other is [`protocol`]; what members say to each other through it is [`embedded`].
//!
//! A leader turns everybody's report into a [`share::Situation`], an [`assignor`] computes the target, a [`policy`]
//! turns target and held resources into a plan that moves only what must move.

pub mod assignor;
mod cause;
pub mod coordinator;
pub mod embedded;
pub mod member;
pub mod policy;
pub mod protocol;
pub mod rpc;
pub mod share;

pub use cause::{MoveCause, RemovalCause, RoundCause};
