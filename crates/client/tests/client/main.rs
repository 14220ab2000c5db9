//! The client against a real broker over sockets: our own, and the one `GROMA_REAL_KAFKA=host:port` names, if any.

mod admin;
mod band;
mod bars;
mod consume;
mod group;
mod killed;
mod own_code;
mod place;
mod produce;
mod reach;
mod resources;
mod restart;
mod tasks;
