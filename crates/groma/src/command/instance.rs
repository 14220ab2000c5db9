use crate::args::Instance;
use crate::exit::{Failure, Outcome};

/// Runs one engine instance until it is asked to stop.
pub(crate) fn run(arguments: Instance) -> Outcome {
    Err(Failure::new(format!("{} cannot run yet", arguments.usecase)))
}
