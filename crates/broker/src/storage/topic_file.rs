use std::collections::BTreeMap;

use groma_model::TopicId;
use groma_node::TopicDefinition;

/// A topic's definition as the text of its file.
pub(super) fn write(topic: &TopicDefinition) -> String {
    let mut text = format!("topic.id={:?}\npartitions={}\n", topic.id, topic.partitions);
    for (key, value) in &topic.settings {
        text.push_str(&format!("config.{key}={}\n", escape(value)));
    }
    text
}

/// Reads a definition; the error says what is wrong with the text.
pub(super) fn read(name: &str, text: &str) -> Result<TopicDefinition, String> {
    let (mut id, mut partitions, mut settings) = (None, None, BTreeMap::new());
    for line in text.lines() {
        let (key, value) = line.split_once('=').ok_or_else(|| format!("line {line:?} has no '='"))?;
        match key {
            "topic.id" => id = Some(parse_id(value).ok_or_else(|| format!("topic.id={value} is no id"))?),
            "partitions" => partitions = value.parse().ok().filter(|count| *count > 0),
            _ => {
                let key = key.strip_prefix("config.").ok_or_else(|| format!("unknown line {line:?}"))?;
                settings.insert(key.to_owned(), unescape(value));
            }
        }
    }
    Ok(TopicDefinition {
        id: id.ok_or("no line topic.id=")?,
        name: name.to_owned(),
        partitions: partitions.ok_or("no line partitions= with a positive number")?,
        settings,
    })
}

/// A value that fits into one line.
fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// Undoes [`escape`], each character once and from the left: a backslash before an `n` may itself be an escaped one.
fn unescape(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let meant = if letter == '\\' { letters.next().map(escaped) } else { Some(letter) };
        value.extend(meant);
    }
    value
}

/// What the letter behind a backslash stands for.
const fn escaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        'r' => '\r',
        other => other,
    }
}

/// 32 hexadecimal digits.
pub(super) fn parse_id(text: &str) -> Option<TopicId> {
    if text.len() != 32 || !text.is_ascii() {
        return None;
    }
    let mut id = [0; 16];
    for (byte, digits) in id.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(TopicId(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let topic = TopicDefinition {
            id: TopicId([7; 16]),
            name: "t".to_owned(),
            partitions: 3,
            settings: BTreeMap::from([("retention.ms".to_owned(), "-1".to_owned())]),
        };
        assert_eq!(read("t", &write(&topic)), Ok(topic));
        assert!(read("t", "partitions=3\n").is_err());
        assert!(read("t", "topic.id=zz\npartitions=3\n").is_err());
        assert!(read("t", "nonsense").is_err());
    }

    #[test]
    fn a_value_of_backslashes_and_line_ends_comes_back_as_it_was() {
        let letters = ['\\', 'n', 'r', '\n', '\r', '='];
        for number in 0..letters.len().pow(4) {
            let digit = |place: u32| letters[number / letters.len().pow(place) % letters.len()];
            let value: String = (0..4).map(digit).collect();
            let topic = TopicDefinition {
                id: TopicId([7; 16]),
                name: "t".to_owned(),
                partitions: 1,
                settings: BTreeMap::from([("cleanup.policy".to_owned(), value)]),
            };
            assert_eq!(read("t", &write(&topic)), Ok(topic));
        }
    }
}
