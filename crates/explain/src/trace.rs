use crate::{Fact, Source, Thinned, What};

/// The topic on which our own broker writes what its coordinators tell, once somebody has asked for it: one partition,
/// key group, value a line of a trace.
pub const ROUNDS_TOPIC: &str = "__groma_rounds";

/// Facts as text, one JSON object a line: what `groma_explain::read` reads back.
pub fn line(fact: &Fact) -> String {
    let mut text = serde_json::to_string(fact).unwrap_or_default();
    text.push('\n');
    text
}

/// Reads a trace. A last line without an end is passed over: whoever wrote it was killed. Commits that tell nothing more
/// are left out (see [`Thinned`]), so that what stays grows with what happened, not with time.
///
/// # Errors
/// The first line that is none of a trace.
pub fn read(text: &str) -> Result<Vec<Fact>, TraceError> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let (lines, torn) = text.split_at(whole);
    let mut facts = Thinned::default();
    for (index, line) in lines.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        facts.push(fact(line).map_err(|offence| TraceError { line: index + 1, offence })?);
    }
    facts.extend(fact(torn));
    let mut facts = facts.into_facts();
    name_joiners(&mut facts);
    Ok(facts)
}

/// A member's own trace does not name it before its coordinator has; whoever it names next is meant.
fn name_joiners(facts: &mut [Fact]) {
    let mut next = None;
    for fact in facts.iter_mut().rev().filter(|fact| fact.source == Source::Member) {
        match &fact.member {
            Some(member) => next = Some(member.clone()),
            None if matches!(fact.what, What::Joining { .. }) => fact.member.clone_from(&next),
            None => {}
        }
    }
}

fn fact(line: &str) -> Result<Fact, String> {
    let fact: Fact = serde_json::from_str(line).map_err(|error| error.to_string())?;
    match fact.is_dated() {
        true => Ok(fact),
        false => Err(format!("time_ms {} lies outside the years 1 to 9999", fact.time_ms)),
    }
}

/// A text that is no trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} is none of a trace ({offence}); give a file that `groma group watch --trace`, `groma instance --trace` or a member of a group wrote"
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
    fn times_that_no_clock_shows_are_refused() {
        for (time_ms, is_fine) in [
            (i64::MIN, false),
            (-62_135_596_800_001, false),
            (-62_135_596_800_000, true),
            (253_402_300_799_999, true),
            (253_402_300_800_000, false),
            (i64::MAX, false),
        ] {
            let text = line(&Fact { time_ms, ..fact() });
            assert_eq!(read(&text).is_ok(), is_fine, "{time_ms}");
            assert_eq!(read(text.trim_end()).unwrap().is_empty(), !is_fine, "torn: {time_ms}");
        }
        let said = read(&line(&Fact { time_ms: i64::MAX, ..fact() })).unwrap_err().to_string();
        assert!(said.contains("time_ms 9223372036854775807 lies outside the years 1 to 9999"), "{said}");
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
