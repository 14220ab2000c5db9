//! Wrong words on the command line, in one sentence like every other error.

use crate::args::Groma;
use crate::exit::Failure;
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// What was typed, or what to end with: help and version are printed and fine.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Groma, ExitCode> {
    Groma::try_parse_from(arguments).map_err(|error| {
        if error.use_stderr() && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return crate::exit::code(Err(Failure::new(sentence(&error.render().to_string()))));
        }
        let _ = error.print();
        ExitCode::from(if error.use_stderr() { 2 } else { 0 })
    })
}

/// One sentence of the paragraphs that are printed for an error: what is wrong, the tip, and where the right words are.
fn sentence(paragraphs: &str) -> String {
    let (mut sentence, mut command, mut has_tip) = (String::new(), "groma".to_owned(), false);
    for line in paragraphs.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(usage) = line.strip_prefix("Usage: ") {
            let words = usage.split(' ').take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            command = words.collect::<Vec<_>>().join(" ");
        } else if let Some(tip) = line.strip_prefix("tip: ") {
            sentence.push_str("; ");
            sentence.push_str(tip);
            has_tip = true;
        } else if !line.starts_with("For more information") {
            let joint = if sentence.is_empty() { "" } else { " " };
            sentence.push_str(joint);
            sentence.push_str(line.trim_start_matches("error: "));
        }
    }
    if has_tip || !paragraphs.contains("Usage: ") { sentence } else { format!("{sentence}; see `{command} --help`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &str) -> String {
        match Groma::try_parse_from(words.split(' ')) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => sentence(&error.render().to_string()),
        }
    }

    #[test]
    fn wrong_words_are_one_sentence() {
        for (words, sentence) in [
            ("groma bunch", "unrecognized subcommand 'bunch'; a similar subcommand exists: 'bench'"),
            ("groma xyzzy", "unrecognized subcommand 'xyzzy'; see `groma --help`"),
            ("groma broker --lisen x", "unexpected argument '--lisen' found; a similar argument exists: '--listen'"),
            (
                "groma topic create",
                "the following required arguments were not provided: <NAME>; see `groma topic create --help`",
            ),
            (
                "groma load --duration 5",
                "invalid value '5' for '--duration <DURATION>': `5` is no duration; write 500ms, 4s, 2m or 1h",
            ),
            (
                "groma load --rate fast",
                "invalid value 'fast' for '--rate <N>': give a whole number from 1 to 20,000,000",
            ),
            (
                "groma load --keys -1",
                "invalid value '-1' for '--keys <N>': give a whole number from 1 to 1,000,000,000",
            ),
            (
                "groma topic list --bootstrap k:port",
                "invalid value 'k:port' for '--bootstrap <HOST:PORT>': an address is host:port, such as 127.0.0.1:9092",
            ),
        ] {
            assert_eq!(said(words), sentence, "{words}");
        }
    }
}
