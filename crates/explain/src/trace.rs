use crate::Fact;

/// The topic on which our own broker writes what its coordinators tell, once somebody has asked for it: one partition,
/// key group, value a line of a trace.
pub const ROUNDS_TOPIC: &str = "__groma_rounds";

/// Facts as text, one JSON object a line: what `groma_explain::read` reads back.
pub fn line(fact: &Fact) -> String {
    let mut text = serde_json::to_string(fact).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads a trace. A last line without an end is passed over: whoever wrote it was killed.
///
/// # Errors
/// The first line that is none of a trace.
pub fn read(text: &str) -> Result<Vec<Fact>, TraceError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let (lines, torn) = text.split_at(whole);
    let mut facts = Vec::new();
    for (index, line) in lines.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let fact = serde_json::from_str(line);
        facts.push(fact.map_err(|error| TraceError { line: index + 1, offence: error.to_string() })?);
    }
    facts.extend(serde_json::from_str::<Fact>(torn));
    Ok(facts)
}

/// A text that is no trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} is none of a trace ({offence}); give a file that `groma group watch --trace` or `groma instance --trace` wrote"
)]
pub struct TraceError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub offence: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Removal, Source, What};

    fn fact() -> Fact {
        let what = What::Removed { cause: Removal::SessionExpired };
        Fact { time_ms: 5, group: "g".into(), source: Source::Broker, member: Some("m".into()), what }
    }

    #[test]
    fn a_fact_is_one_plain_line() {
        let text = line(&fact());
        let plain =
            r#"{"time_ms":5,"group":"g","source":"broker","member":"m","fact":"removed","cause":"session-expired"}"#;
        assert_eq!(text.trim_end(), plain);
        assert_eq!(read(&text).unwrap(), [fact()]);
    }

    #[test]
    fn a_torn_last_line_is_passed_over() {
        let text = line(&fact());
        let torn = format!("{text}{}", &text[..20]);
        assert_eq!(read(&torn).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_trace_is_named_with_its_line() {
        let text = format!("{}nonsense\n", line(&fact()));
        let said = read(&text).unwrap_err().to_string();
        assert!(said.starts_with("line 2 is none of a trace"), "{said}");
    }
}
