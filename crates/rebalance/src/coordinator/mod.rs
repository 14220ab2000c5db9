//! The coordinator's side of one classic group, as a state machine.
//!
//! [`Group`] follows the contract of every deciding machine: [`Group::handle`] takes what happened, [`Group::poll`]
//! yields what is to be done (drain it before the next `handle`), [`Group::deadline`] says when to come back with
//! [`Input::Tick`].
//!
//! Durable state changes by applying a [`GroupRecord`] alone, live and on recovery. A record is applied at once, in
//! order, and yielded as [`Output::Persist`]; the replies that depend on it are withheld until
//! [`Input::Persisted`]. The running round is not durable: after a restart members simply join again.

mod config;
mod decide;
mod digest;
mod durable;
mod group;
mod ident;
mod input;
mod output;
mod phase;
mod roster;
mod timers;
mod view;

pub use config::CoordinatorConfig;
pub use durable::{DurableMember, GroupMetadata, GroupRecord};
pub use group::Group;
pub use input::{Client, Input};
pub use output::{Event, Output, Ticket, Token};
pub use timers::Reason;
pub use view::{GroupState, GroupView, MemberView};
