//! The program as users and scripts run it: exit codes, sentences, files, and what is left behind.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod benchmark;
mod foreign;
mod interrupt;
mod limits;
mod port;
mod program;
mod reach;
mod simulation;
mod wrong_input;
