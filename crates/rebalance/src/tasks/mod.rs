//! Tasks with state: where each is run, where its state is kept a second time, and where it is being built up.
//!
//! A task with state moves to a member only when that has caught up; until then it runs on where it is, or where its
//! state is newest, and is warmed up where it is to go. Of several ways to share out, the one is taken that lets most
//! tasks stay and moves the others to where their state already is.
//!
//! Standbys have equal shares too, and move in the same way: a copy is given up when another has been built up.
//!
//! The size of a task's state is what it costs ([`CatchUp::cost`]): so much may warm up at a time ([`CatchUp::warmups`]),
//! and shares may be equal by it ([`Balance::Size`]).

mod ask;
mod needs;
mod place;
mod shares;
mod standby;
mod weigh;

pub use ask::Ask;
pub use needs::{Balance, CatchUp, Task, Worker};
pub use place::{Placement, Post, place};
