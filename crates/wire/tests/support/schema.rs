use std::ops::RangeInclusive;

/// A definition out of `schema.txt`.
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) flexible: RangeInclusive<i16>,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    /// The type of the field, or of its items.
    pub(crate) kind: String,
    pub(crate) is_array: bool,
    pub(crate) versions: RangeInclusive<i16>,
    pub(crate) nullable: RangeInclusive<i16>,
    pub(crate) tag: Option<u32>,
    pub(crate) fields: Vec<Self>,
}

pub(crate) fn definitions() -> Vec<Definition> {
    let mut lines = include_str!("schema.txt").lines().filter(|line| !line.starts_with('#')).peekable();
    let mut found = vec![];
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split(' ').collect();
        let fields = fields(&mut lines, 1);
        found.push(Definition { name: words[0].to_owned(), flexible: range(words[2]), fields });
    }
    found
}

fn fields<'a, I: Iterator<Item = &'a str>>(lines: &mut std::iter::Peekable<I>, depth: usize) -> Vec<Field> {
    let mut found = vec![];
    while let Some(line) = lines.next_if(|line| line.len() - line.trim_start().len() == depth) {
        let words: Vec<&str> = line.trim_start().split(' ').collect();
        found.push(Field {
            kind: words[1].trim_start_matches("[]").to_owned(),
            is_array: words[1].starts_with("[]"),
            versions: range(words[2]),
            nullable: range(words[3]),
            tag: words[4].parse().ok(),
            fields: fields(lines, depth + 1),
        });
    }
    found
}

fn range(text: &str) -> RangeInclusive<i16> {
    match text.split_once('-') {
        Some((low, high)) if !low.is_empty() => low.parse().expect("low")..=high.parse().expect("high"),
        _ => RangeInclusive::new(0, -1),
    }
}
