/// Rust source with comments, strings and character literals blanked out, byte for byte, newlines kept: what is left is
/// code, so that a word in a comment is never taken for a call.
pub(super) fn mask(text: &str) -> String {
    let mut mask = Mask { bytes: text.as_bytes(), at: 0, out: Vec::with_capacity(text.len()) };
    while mask.at < mask.bytes.len() {
        mask.step();
    }
    String::from_utf8_lossy(&mask.out).into_owned()
}

struct Mask<'a> {
    bytes: &'a [u8],
    at: usize,
    out: Vec<u8>,
}

impl Mask<'_> {
    fn step(&mut self) {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"//") {
            self.blank(rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()));
        } else if rest.starts_with(b"/*") {
            self.blank(block_comment(rest));
        } else if let Some(length) = self.raw_string(rest) {
            self.blank(length);
        } else if rest[0] == b'"' {
            self.blank(quoted(rest, b'"'));
        } else if rest[0] == b'\'' && is_char(rest) {
            self.blank(quoted(rest, b'\''));
        } else {
            self.keep(rest[0]);
        }
    }

    /// The length of a raw string that starts here, if one does.
    fn raw_string(&self, rest: &[u8]) -> Option<usize> {
        let inside_word = self.at > 0 && is_word(self.bytes[self.at - 1]) && self.bytes[self.at - 1] != b'b';
        if rest[0] != b'r' || inside_word {
            return None;
        }
        let hashes = rest[1..].iter().take_while(|&&b| b == b'#').count();
        if rest.get(1 + hashes) != Some(&b'"') {
            return None;
        }
        let mut end = vec![b'"'];
        end.resize(1 + hashes, b'#');
        let body = 2 + hashes;
        let found = rest[body..].windows(end.len()).position(|window| window == end);
        Some(found.map_or(rest.len(), |at| body + at + end.len()))
    }

    fn keep(&mut self, byte: u8) {
        self.out.push(if byte.is_ascii() { byte } else { b' ' });
        self.at += 1;
    }

    fn blank(&mut self, length: usize) {
        let end = (self.at + length).min(self.bytes.len());
        for &byte in &self.bytes[self.at..end] {
            self.out.push(if byte == b'\n' { b'\n' } else { b' ' });
        }
        self.at = end;
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of a literal up to its closing quote, escapes skipped.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Whether a quote starts a character literal rather than a lifetime.
fn is_char(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(byte) if is_word(*byte) => rest.get(2) == Some(&b'\''),
        Some(_) => true,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn comments_and_literals_are_blanked_and_lines_kept() {
        let text = "let a = \"dbg!\"; // dbg!\n/* dbg!\n/* x */ */ let b = 'd';\nlet c = r#\"dbg!\"x\"#;\n";
        assert_eq!(
            mask(text).lines().map(str::trim_end).collect::<Vec<_>>(),
            ["let a =       ;", "", "           let b =    ;", "let c =            ;"]
        );
    }

    #[test]
    fn lifetimes_and_escapes_are_code() {
        assert_eq!(mask("fn f<'a>(x: &'a str) {}"), "fn f<'a>(x: &'a str) {}");
        assert_eq!(mask(r#"("\"dbg!", '\'', b)"#), "(        ,     , b)");
        assert_eq!(mask("for r in x {}"), "for r in x {}");
    }
}
