//! One file a command; each turns arguments into a request for the crate that does it.

mod bench;
mod broker;
mod cluster;
mod dispatch;
mod group;
mod instance;
mod load;
mod sim;
mod topic;

pub(crate) use cluster::{block_on, on_this_thread, print_json, print_table};
pub(crate) use dispatch::run;
pub(crate) use sim::Sim;
