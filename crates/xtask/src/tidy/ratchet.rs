/// A file or function over its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: String,
    /// The function's name; none for a whole file.
    pub(super) function: Option<String>,
    /// Lines of code.
    pub(super) lines: usize,
    /// 1-based line in the file, 0 when read from the list.
    pub(super) line: usize,
}

impl Entry {
    pub(super) fn key(&self) -> (&str, Option<&str>) {
        (&self.path, self.function.as_deref())
    }

    pub(super) fn name(&self) -> String {
        match &self.function {
            Some(function) => format!("function `{function}` in {}", self.path),
            None => format!("file {}", self.path),
        }
    }

    fn line_of_list(&self) -> String {
        match &self.function {
            Some(function) => format!("{} {} {function}\n", self.lines, self.path),
            None => format!("{} {}\n", self.lines, self.path),
        }
    }
}

/// What is over its limit and known to be: each entry may shrink, none may grow, none may be added.
#[derive(Debug)]
pub(super) struct Ratchet {
    pub(super) entries: Vec<Entry>,
}

impl Ratchet {
    /// Where the list lies; without it nothing is over its limit.
    pub(super) const PATH: &str = "crates/xtask/ratchet.txt";

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self { entries: lines.map(entry).collect::<Result<_, _>>()? })
    }

    /// The list with every entry lowered to what was found; entries that are gone fall out.
    pub(super) fn lowered(&self, found: &[Entry]) -> String {
        let now = |listed: &Entry| found.iter().find(|entry| entry.key() == listed.key()).map(|entry| entry.lines);
        let kept = self.entries.iter().filter_map(|listed| {
            now(listed).map(|lines| Entry { lines: lines.min(listed.lines), ..listed.clone() }.line_of_list())
        });
        HEADER.chars().chain(kept.collect::<String>().chars()).collect()
    }
}

const HEADER: &str =
    "# Lines of code, file, function: what is over its limit. Only ever lowered: `cargo xtask tidy --lower`.\n";

fn entry(line: &str) -> Result<Entry, String> {
    let mut words = line.split_whitespace();
    let lines = words.next().and_then(|word| word.parse().ok());
    let (Some(lines), Some(path)) = (lines, words.next()) else {
        return Err(format!("{}: cannot read {line:?}: write `LINES FILE [FUNCTION]`", Ratchet::PATH));
    };
    Ok(Entry { path: path.to_owned(), function: words.next().map(str::to_owned), lines, line: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_lowered_and_never_raised() {
        let ratchet = Ratchet::parse("# x\n90 a.rs f\n80 b.rs g\n900 c.rs\n").unwrap();
        let mut found = ratchet.entries.clone();
        found[0].lines = 85;
        found[1].lines = 95;
        found.remove(2);
        assert_eq!(ratchet.lowered(&found), format!("{HEADER}85 a.rs f\n80 b.rs g\n"));
    }

    #[test]
    fn a_malformed_line_is_quoted() {
        assert!(Ratchet::parse("many a.rs\n").unwrap_err().contains("many a.rs"));
    }
}
