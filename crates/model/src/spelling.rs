/// The name among `known` that `word` was most likely meant to be: it differs from it in a third of its letters at most.
/// None where no name is that close.
///
/// ```
/// # use groma_model::nearest;
/// assert_eq!(nearest("num.partition", ["num.partitions", "broker.id"]), Some("num.partitions"));
/// assert_eq!(nearest("colour", ["num.partitions", "broker.id"]), None);
/// ```
///
/// O(letters of `word` x letters of all names); of `word` only the first 256 letters count.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count().min(LETTERS_MAX);
    let ranked = known.into_iter().map(|name| (distance(word, name), name));
    let (distance, name) = ranked.min_by_key(|(distance, _)| *distance)?;
    (distance <= (letters / 3).max(1) && distance < letters).then_some(name)
}

/// How many letters have to be put in, left out or replaced to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(LETTERS_MAX).enumerate() {
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

const LETTERS_MAX: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour_and_a_foreign_one_nothing() {
        let known = ["num.partitions", "group.max.size", "log.segment.bytes", "sut"];
        for (word, meant) in [
            ("num.partition", Some("num.partitions")),
            ("segment.bytes", Some("log.segment.bytes")),
            ("sot", Some("sut")),
            ("xyz", None),
            ("a", None),
            ("", None),
            ("unclean.leader.election.enable", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest("word", []), None);
    }
}
