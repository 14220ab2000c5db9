use super::finding::Finding;
use super::ratchet::{Entry, Ratchet};
use super::source::Source;

const LARGEST_FILE: usize = 800;
const LONGEST_FUNCTION: usize = 70;

/// Files and functions over the limit, as the ratchet lists them.
pub(super) fn oversized(source: &Source) -> Vec<Entry> {
    if source.is_generated() {
        return Vec::new();
    }
    let lines = source.production().filter(|(_, code)| !code.trim().is_empty()).count();
    let file = Entry { path: source.path.clone(), function: None, lines, line: 0 };
    let functions = source.functions().into_iter().map(|function| Entry {
        path: source.path.clone(),
        function: Some(function.name),
        lines: function.length,
        line: function.line,
    });
    let files = (lines > LARGEST_FILE).then_some(file).into_iter();
    files.chain(functions.filter(|entry| entry.lines > LONGEST_FUNCTION)).collect()
}

/// Compares what is over the limit with the ratchet.
pub(super) fn check(found: &[Entry], ratchet: &Ratchet) -> Vec<Finding> {
    let mut findings: Vec<Finding> = found.iter().filter_map(|entry| grown(entry, ratchet)).collect();
    for listed in &ratchet.entries {
        let now = found.iter().find(|entry| entry.key() == listed.key()).map_or(0, |entry| entry.lines);
        if now < listed.lines {
            let sentence =
                format!("{} shrank from {} to {now}: run `cargo xtask tidy --lower`", listed.name(), listed.lines);
            findings.push(Finding::file(Ratchet::PATH, sentence));
        }
    }
    findings
}

fn grown(entry: &Entry, ratchet: &Ratchet) -> Option<Finding> {
    let limit = if entry.function.is_some() { LONGEST_FUNCTION } else { LARGEST_FILE };
    let listed = ratchet.entries.iter().find(|listed| listed.key() == entry.key()).map(|listed| listed.lines);
    let sentence = match listed {
        Some(lines) if entry.lines <= lines => return None,
        Some(lines) => format!("{} grew from {lines} to {} lines: split it", entry.name(), entry.lines),
        None => format!("{} has {} lines, over {limit}: split it", entry.name(), entry.lines),
    };
    Some(Finding::at(&entry.path, entry.line, sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(lines: usize) -> Source {
        let body = "    x();\n".repeat(lines);
        Source::new("crates/a/src/b.rs", &format!("fn f() {{\n{body}}}\n"))
    }

    #[test]
    fn the_limits_are_as_written() {
        assert!(oversized(&source(70)).is_empty());
        assert_eq!(oversized(&source(71)).len(), 1);
        assert_eq!(oversized(&source(799)).len(), 2);
    }

    #[test]
    fn a_ratchet_never_rises_and_is_lowered_when_the_code_shrinks() {
        let at = |lines| oversized(&source(lines));
        let ratchet = Ratchet { entries: at(80) };
        assert!(check(&at(80), &ratchet).is_empty());
        assert!(check(&at(81), &ratchet)[0].sentence.contains("grew from 80 to 81"));
        assert!(check(&at(79), &ratchet)[0].sentence.contains("--lower"));
        assert!(check(&at(60), &ratchet)[0].sentence.contains("--lower"));
        assert!(check(&at(71), &Ratchet { entries: Vec::new() })[0].sentence.contains("over 70"));
    }
}
