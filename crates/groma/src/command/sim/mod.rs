//! `groma sim`: groups in virtual time.

mod args;
mod compare;
mod crowd;
mod exhaust;
mod picture;
mod run;
mod scale;
mod tally;

pub(crate) use args::Sim;
pub(crate) use run::run;
