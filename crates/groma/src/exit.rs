//! What a command ends with, and the exit code that scripts see.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// How a command ended when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// Carried out (exit code 0).
    Fine,
    /// Measured, and what was measured falls short (exit code 1).
    Short,
    /// Stopped by the user with finished work kept (exit code 130).
    Interrupted,
}

/// Why a command could not be carried out: one sentence that names the thing and the mend (exit code 2).
#[derive(Debug)]
pub(crate) struct Failure(String);

/// What every command returns.
pub(crate) type Outcome = Result<Done, Failure>;

impl Failure {
    /// A failure that says `sentence`.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(whole_story(&error))
    }
}

/// The exit code of `outcome`; a failure's sentence goes to stderr.
pub(crate) fn code(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(Done::Fine) => ExitCode::SUCCESS,
        Ok(Done::Short) => ExitCode::from(1),
        Ok(Done::Interrupted) => ExitCode::from(130),
        Err(Failure(sentence)) => {
            // Nobody may be there to read it.
            let lines: Vec<_> = sentence.trim_end().lines().map(groma_explain::plain).collect();
            let _ = writeln!(std::io::stderr(), "groma: {}", lines.join("\n"));
            ExitCode::from(2)
        }
    }
}

/// When nobody reads stdout any more, or it is full, the program ends instead of panicking.
pub(crate) fn end_quietly_with_stdout() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        match text.strip_prefix("failed printing to stdout: ") {
            Some(cause) if cause.starts_with("Broken pipe") => std::process::exit(0),
            Some(cause) => {
                eprintln!("groma: cannot write to stdout ({cause}); let it go somewhere with room");
                std::process::exit(2);
            }
            None => usual(panic),
        }
    }));
}

fn whole_story(error: &dyn std::error::Error) -> String {
    let mut story = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        append_unless_said(&mut story, cause);
        source = cause.source();
    }
    story
}

fn append_unless_said(story: &mut String, cause: &dyn Display) {
    let cause = cause.to_string();
    if !story.contains(&cause) {
        story.push_str(": ");
        story.push_str(&cause);
    }
}
