use super::edges::{Kind, kind};
use super::finding::Finding;
use super::mask::is_word;
use super::source::Source;

/// A call nobody makes, and why.
struct Ban {
    call: &'static str,
    why: &'static str,
}

/// Banned in crates that decide: they take time, input and chance as values.
const DECIDING: &[Ban] = &[
    Ban { call: "Instant", why: "a deciding crate takes `Time` as a value" },
    Ban { call: "SystemTime", why: "a deciding crate takes `Timestamp` as a value" },
    Ban { call: "std::thread", why: "a deciding crate has no threads and never sleeps" },
    Ban { call: "thread::sleep", why: "a deciding crate never sleeps: give a deadline" },
    Ban {
        call: "std::collections::HashMap",
        why: "its order is random: use BTreeMap, or hashbrown with a fixed hasher",
    },
    Ban {
        call: "std::collections::HashSet",
        why: "its order is random: use BTreeSet, or hashbrown with a fixed hasher",
    },
    Ban { call: "RandomState", why: "random order: use a fixed hasher" },
    Ban { call: "rand", why: "a deciding crate takes chance as a value (entropy in its input)" },
    Ban { call: "getrandom", why: "a deciding crate takes chance as a value (entropy in its input)" },
    Ban { call: "tokio", why: "a deciding crate has no async: move this to its shell" },
    Ban { call: "async", why: "a deciding crate has no async: move this to its shell" },
    Ban { call: "std::fs", why: "a deciding crate has no files: output what is to be stored" },
    Ban { call: "std::net", why: "a deciding crate has no sockets: output what is to be sent" },
    Ban { call: "std::env", why: "a deciding crate reads no environment: take settings as values" },
    Ban { call: "println!", why: "a deciding crate prints nothing: return a value" },
    Ban { call: "eprintln!", why: "a deciding crate prints nothing: return a value" },
];

/// Banned in production code everywhere.
const PRODUCTION: &[Ban] = &[
    Ban { call: concat!("to", "do!"), why: "unfinished code does not land" },
    Ban { call: concat!("unimple", "mented!"), why: "unfinished code does not land" },
    Ban { call: ".unwrap()", why: "say what must hold: `expect(\"...\")`, or return an error" },
];

/// In two halves, as other words here, so that a search for it does not end here.
const ALLOW: &str = concat!("#[", "allow(");
/// The same for a whole file or module.
const ALLOW_INSIDE: &str = concat!("#![", "allow(");

/// Banned everywhere, tests included.
const EVERYWHERE: &[Ban] = &[
    Ban { call: "dbg!", why: "left from debugging: remove it" },
    Ban { call: concat!("#[", "ignore"), why: "a test that does not run shows nothing: mend or delete it" },
    Ban { call: concat!("assert!", "(true"), why: "this cannot fail: assert what matters" },
    Ban { call: ALLOW, why: "use `#[expect(lint, reason = \"...\")]`: it says why and goes when it is not needed" },
    Ban {
        call: ALLOW_INSIDE,
        why: "use `#![expect(lint, reason = \"...\")]`: it says why and goes when it is not needed",
    },
];

/// Finds banned calls.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = find(EVERYWHERE, source, source.all());
    findings.extend(find(PRODUCTION, source, source.production()));
    if source.crate_folder().and_then(kind) == Some(Kind::Decides) {
        findings.extend(find(DECIDING, source, source.production()));
        findings.extend(imports(source));
    }
    findings
}

fn find<'a>(bans: &[Ban], source: &Source, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Finding> {
    let generated = source.is_generated();
    let lines = lines.flat_map(|(line, code)| bans.iter().map(move |ban| (line, code, ban)));
    lines
        .filter(|(_, code, ban)| has_word(code, ban.call) && !(generated && [ALLOW, ALLOW_INSIDE].contains(&ban.call)))
        .map(|(line, _, ban)| Finding::at(&source.path, line, format!("`{}`: {}", ban.call, ban.why)))
        .collect()
}

/// Hash tables of the standard library that come in by a grouped import.
fn imports(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut open: Option<usize> = None;
    for (line, code) in source.production() {
        if code.contains("std::collections::{") {
            open = Some(line);
        }
        let inside = open.is_some();
        for name in ["HashMap", "HashSet"] {
            if inside && has_word(code, name) {
                let sentence = format!("`{name}` of std: its order is random: use BTree or hashbrown");
                findings.push(Finding::at(&source.path, line, sentence));
            }
        }
        if code.contains(';') {
            open = None;
        }
    }
    findings
}

/// Whether the code has the call as words of its own: `rand` is not in `operand`.
fn has_word(code: &str, call: &str) -> bool {
    code.match_indices(call).any(|(at, _)| {
        let bytes = code.as_bytes();
        let before = at > 0 && is_word(bytes[at - 1]) && is_word(call.as_bytes()[0]);
        let end = at + call.len();
        let after = end < bytes.len() && is_word(bytes[end]) && is_word(bytes[end - 1]);
        !before && !after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(path: &str, text: &str) -> Vec<(usize, String)> {
        let found = check(&Source::new(path, text));
        found.into_iter().map(|f| (f.line, f.sentence.split('`').nth(1).unwrap_or_default().to_owned())).collect()
    }

    #[test]
    fn a_deciding_crate_reads_no_clock() {
        let text = "fn f() {\n    let now = std::time::Instant::now();\n}\n";
        assert_eq!(calls("crates/node/src/x.rs", text), [(2, "Instant".to_owned())]);
        assert!(calls("crates/broker/src/x.rs", text).is_empty());
    }

    #[test]
    fn hash_tables_of_random_order_are_found_in_grouped_imports() {
        let text = "use std::collections::{\n    BTreeMap,\n    HashMap,\n};\nuse hashbrown::HashSet;\n";
        assert_eq!(calls("crates/node/src/x.rs", text), [(3, "HashMap".to_owned())]);
    }

    #[test]
    fn words_in_comments_strings_and_longer_words_are_no_calls() {
        let text = "// dbg!(x) async\nlet operand = \"dbg!\";\nlet unasync = 1;\n";
        assert!(calls("crates/node/src/x.rs", text).is_empty());
    }

    #[test]
    fn a_lint_is_never_let_off_without_an_end() {
        for call in [ALLOW, ALLOW_INSIDE] {
            let text = format!("{call}dead_code)]\nfn f() {{}}\n");
            assert_eq!(calls("crates/groma/tests/x.rs", &text), [(1, call.to_owned())]);
            assert!(calls("crates/groma/tests/x.rs", &format!("// Generated\n{text}")).is_empty());
        }
    }

    #[test]
    fn unwrap_is_for_tests() {
        let text = "fn f() { x.unwrap(); }\n#[cfg(test)]\nmod tests {\n    fn g() { x.unwrap(); dbg!(1); }\n}\n";
        assert_eq!(calls("crates/groma/src/x.rs", text), [(4, "dbg!".to_owned()), (1, ".unwrap()".to_owned())]);
    }
}
