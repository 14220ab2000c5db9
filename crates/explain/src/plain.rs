use std::borrow::Cow;
use std::fmt::Write;

/// Text in which nothing steers a terminal: control characters, and those that turn the direction of writing round, are
/// written as escapes. Names come from whoever joins a group, and may hold anything.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            one if !steers(one) => shown.push(one),
            one if one.is_ascii() => drop(write!(shown, "\\x{:02x}", u32::from(one))),
            one => drop(write!(shown, "\\u{{{:x}}}", u32::from(one))),
        }
    }
    Cow::Owned(shown)
}

fn steers(one: char) -> bool {
    let turns = matches!(one, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || one.is_control() || matches!(one, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        for (text, shown) in [
            ("caméra-7 日本", "caméra-7 日本"),
            ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
            ("two\nlines\r\t\0\x7f", "two\\nlines\\r\\t\\x00\\x7f"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("\u{202e}evil\u{2028}", "\\u{202e}evil\\u{2028}"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }
}
