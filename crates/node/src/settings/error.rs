/// Why a setting was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this name.
    #[error("unknown setting {key}: did you mean {nearest}?")]
    UnknownKey {
        /// The name given.
        key: String,
        /// The known name closest to it.
        nearest: &'static str,
    },
    /// The value is of another kind or out of range.
    #[error("{key}={value} cannot be used: give {wanted}")]
    BadValue {
        /// The setting's name.
        key: String,
        /// The value given.
        value: String,
        /// What would do.
        wanted: String,
    },
}

/// The name among `known` that differs from `word` in the fewest letters.
pub(crate) fn nearest(word: &str, known: impl Iterator<Item = &'static str>) -> &'static str {
    known.min_by_key(|name| distance(word, name)).unwrap_or_default()
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(256).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let known = ["num.partitions", "group.max.size", "log.segment.bytes"];
        assert_eq!(nearest("num.partition", known.into_iter()), "num.partitions");
        assert_eq!(nearest("segment.bytes", known.into_iter()), "log.segment.bytes");
        assert_eq!(nearest("", known.into_iter()), "num.partitions");
    }
}
