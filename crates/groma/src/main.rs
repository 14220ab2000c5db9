//! The command line of Groma: what each command takes and prints is described in its `--help`.
//!
//! stdout carries results, stderr progress and diagnostics. Exit codes: 0 done, 1 measured and fallen short,
//! 2 could not be carried out, 130 interrupted with finished work kept.

mod args;
mod command;
mod exit;
mod group;
mod speed;
mod units;
mod usage;
mod version;

use std::process::ExitCode;

/// State tables and batch buffers are many small, short-lived allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(code) = groma_bench::hidden_command(&arguments) {
        return code;
    }
    groma_bench::follow_parent();
    exit::end_quietly_with_stdout();
    match usage::parse(arguments) {
        Ok(typed) => exit::code(command::run(typed)),
        Err(code) => code,
    }
}
