//! An instance of known capacity: a member of a group that handles exactly so many records per second.

mod bucket;
mod instance;
mod shelf;

pub(crate) use instance::{SyntheticJob, serve};
