//! Sessions against a broker in memory, in virtual time.

mod broker;
mod consumer;
mod group;
mod log;
mod producer;
mod reach;
mod world;
