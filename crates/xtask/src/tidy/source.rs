use super::mask::{is_word, mask};

/// A Rust file: its text, the code in it, and which of its lines are tests.
#[derive(Debug)]
pub(super) struct Source {
    /// Path from the workspace's root, with `/`.
    pub(super) path: String,
    /// The code, comments and literals blanked out.
    pub(super) code: String,
    /// The text as it stands.
    pub(super) text: String,
    test_lines: Vec<bool>,
}

/// A function as the size check sees it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    /// 1-based line of its name.
    pub(super) line: usize,
    /// Lines of code between its braces.
    pub(super) length: usize,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let code = mask(text);
        let test_lines = test_lines(path, &code);
        Self { path: path.to_owned(), code, text: text.to_owned(), test_lines }
    }

    /// The crate's folder under `crates/`, if it is in one.
    pub(super) fn crate_folder(&self) -> Option<&str> {
        self.path.strip_prefix("crates/")?.split('/').next()
    }

    /// Written by our generator, by its first line.
    pub(super) fn is_generated(&self) -> bool {
        self.text.lines().take(3).any(|line| line.starts_with("// Generated") || line.starts_with("// Written by"))
    }

    pub(super) fn is_test(&self, line: usize) -> bool {
        self.test_lines.get(line - 1).copied().unwrap_or(false)
    }

    /// Lines of production code, 1-based, with their code.
    pub(super) fn production(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(at, code)| (at + 1, code)).filter(|(line, _)| !self.is_test(*line))
    }

    /// All lines, 1-based, with their code.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(at, code)| (at + 1, code))
    }

    /// The functions with a body, tests left out.
    pub(super) fn functions(&self) -> Vec<Function> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices("fn ") {
            let starts_word = at == 0 || !is_word(self.code.as_bytes()[at - 1]);
            let line = line_of(&self.code, at);
            if starts_word && !self.is_test(line) {
                found.extend(function(&self.code, at + 3, line));
            }
        }
        found
    }
}

fn function(code: &str, name_at: usize, line: usize) -> Option<Function> {
    let name: String = code[name_at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let open = body(code, name_at)?;
    let close = closing_brace(code, open);
    let inside = code[open + 1..close].lines().filter(|text| !text.trim().is_empty()).count();
    (!name.is_empty()).then_some(Function { name, line, length: inside })
}

/// Where a function's body opens; none for a declaration.
fn body(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Where the brace that opens at `open` closes, or the end.
fn closing_brace(code: &str, open: usize) -> usize {
    let mut depth = 0i32;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    code.len() - 1
}

pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn test_lines(path: &str, code: &str) -> Vec<bool> {
    let count = code.lines().count();
    let in_src = path.contains("/src/") && !path.contains("/tests/") && !path.ends_with("/tests.rs");
    if !in_src {
        return vec![true; count];
    }
    let mut lines = vec![false; count];
    for (at, _) in code.match_indices("#[cfg(test)]") {
        let Some(end) = code[at..].find(['{', ';']).map(|offset| at + offset) else { continue };
        let last = if code.as_bytes()[end] == b'{' { closing_brace(code, end) } else { end };
        for line in line_of(code, at)..=line_of(code, last) {
            lines[line - 1] = true;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn long(a: [u8; 2]) {\n    one();\n\n    // no code\n    two();\n}\ntrait T { fn declared(&self); }\n\
                        #[cfg(test)]\nmod tests {\n    fn helper() {}\n}\nfn last() {}\n";

    #[test]
    fn functions_are_measured_in_lines_of_code() {
        let functions = Source::new("crates/a/src/b.rs", TEXT).functions();
        assert_eq!(
            functions,
            [
                Function { name: "long".to_owned(), line: 1, length: 2 },
                Function { name: "last".to_owned(), line: 12, length: 0 }
            ]
        );
    }

    #[test]
    fn test_modules_and_test_files_are_no_production_code() {
        let source = Source::new("crates/a/src/b.rs", TEXT);
        assert_eq!(
            (7..13).map(|line| source.is_test(line)).collect::<Vec<_>>(),
            [false, true, true, true, true, false]
        );
        assert_eq!(Source::new("crates/a/tests/b.rs", TEXT).production().count(), 0);
    }
}
