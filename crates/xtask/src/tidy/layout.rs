use super::finding::Finding;
use super::source::Source;

const ALLOWED: [&str; 5] = ["mod ", "use ", "#", "}", "extern crate "];
const MEND: &str =
    "lib.rs and mod.rs hold only docs, declarations and re-exports: move this item into a file named for it";

/// `lib.rs` and `mod.rs` hold nothing but docs, module declarations and re-exports.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let is_entry = source.path.ends_with("/lib.rs") || source.path.ends_with("/mod.rs");
    if !is_entry || source.is_generated() {
        return Vec::new();
    }
    let mut depth = 0i32;
    let mut findings = Vec::new();
    for (line, code) in source.production() {
        if depth == 0 && !is_allowed(code) {
            findings.push(Finding::at(&source.path, line, MEND));
        }
        depth += code.bytes().map(|byte| i32::from(byte == b'{') - i32::from(byte == b'}')).sum::<i32>();
    }
    findings
}

fn is_allowed(code: &str) -> bool {
    let code = without_visibility(code.trim());
    code.is_empty() || ALLOWED.iter().any(|start| code.starts_with(start))
}

fn without_visibility(code: &str) -> &str {
    let Some(rest) = code.strip_prefix("pub") else { return code };
    match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(") ").map_or(code, |(_, item)| item),
        None => rest.trim_start(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Source::new(path, text)).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn declarations_and_re_exports_pass() {
        let text = "//! Docs.\n\npub mod a;\nmod b;\n\npub use a::{\n    One,\n    Two,\n};\npub(crate) use b::Three;\n\
                    #[cfg(test)]\nmod tests {\n    fn x() {}\n}\n";
        assert!(lines("crates/x/src/lib.rs", text).is_empty());
    }

    #[test]
    fn an_item_is_found_with_its_line() {
        assert_eq!(lines("crates/x/src/a/mod.rs", "mod b;\n\npub struct S {\n    x: u8,\n}\nfn f() {}\n"), [3, 6]);
        assert!(lines("crates/x/src/main.rs", "fn main() {}\n").is_empty());
    }
}
