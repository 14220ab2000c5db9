use std::ffi::OsString;
use std::process::ExitCode;

use serde::de::DeserializeOwned;

use crate::{BenchError, limits};

/// To be called first in `main`: carries out a hidden subcommand if `args` (program name first) ask for one.
pub fn hidden_command(args: &[OsString]) -> Option<ExitCode> {
    let result = match args.get(1)?.to_str()? {
        LIMITED => limited(&args[2..]),
        LOAD => argument(args).and_then(|job| crate::load::serve(&job)),
        SYNTHETIC => argument(args).and_then(|job| crate::synthetic::serve(&job)),
        _ => return None,
    };
    Some(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("groma: {error}");
            ExitCode::from(error.exit_code())
        }
    })
}

fn limited(args: &[OsString]) -> Result<(), BenchError> {
    let [settings, separator, command @ ..] = args else {
        return Err(BenchError::Usage(format!("{LIMITED} needs settings, `--` and a command")));
    };
    if separator != "--" {
        return Err(BenchError::Usage(format!("{LIMITED} needs `--` before the command")));
    }
    Err(limits::exec(&parse(settings)?, command))
}

fn argument<T: DeserializeOwned>(args: &[OsString]) -> Result<T, BenchError> {
    args.get(2).map_or_else(|| Err(BenchError::Usage("a hidden command needs its settings".to_owned())), |a| parse(a))
}

fn parse<T: DeserializeOwned>(text: &OsString) -> Result<T, BenchError> {
    let wrong = |e: serde_json::Error| BenchError::Usage(format!("settings of a hidden command are malformed ({e})"));
    serde_json::from_str(&text.to_string_lossy()).map_err(wrong)
}

pub(crate) const LIMITED: &str = "__limited";
pub(crate) const LOAD: &str = "__load";
pub(crate) const SYNTHETIC: &str = "__synthetic";
