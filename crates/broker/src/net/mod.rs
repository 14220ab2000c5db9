//! Sockets: connections, their frames in order, answers with ranges of files.

mod budget;
mod connection;
mod listener;
mod reply;
mod send;

pub(crate) use listener::accept;
pub(crate) use reply::{Piece, Reply, ReplySlot};
