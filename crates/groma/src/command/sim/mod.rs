//! `groma sim`: groups in virtual time.

mod args;
mod crowd;
mod run;
mod tally;

pub(crate) use args::Sim;

use crate::exit::Outcome;
use groma_bench::Screen;

/// Carries out a `sim` command.
pub(crate) fn run(command: &Sim, screen: Screen) -> Outcome {
    match command {
        Sim::Run(arguments) => run::run(arguments, screen),
    }
}
