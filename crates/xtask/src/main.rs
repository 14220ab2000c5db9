//! Development tasks of the workspace.

mod codegen;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let done = match args.next().as_deref() {
        Some("codegen") => codegen::run(args),
        Some("tidy") => tidy::run(args),
        _ => Err("tasks: codegen [--check] [--jars DIR], tidy [--lower]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}
