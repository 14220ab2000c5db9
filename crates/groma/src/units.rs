//! Durations, sizes and settings as people write them: `500ms`, `64MiB`, `key=value`.

pub(crate) use groma_bench::definition::{Duration, Size};

/// Splits `key=value`.
///
/// # Errors
/// A sentence that names the text and shows a right one.
pub(crate) fn setting(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| format!("`{text}` is not a setting; write it as key=value"))
}

/// A topic's name as Kafka takes it.
///
/// # Errors
/// Why it is none.
pub(crate) fn topic(text: &str) -> Result<String, String> {
    groma_model::check_topic_name(text).map(|()| text.to_owned())
}

/// A group's id.
///
/// # Errors
/// It is empty.
pub(crate) fn group(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("a group has a name, such as sensors".to_owned()) } else { Ok(text.to_owned()) }
}

/// A part of a name of a figure.
///
/// # Errors
/// It is empty, which every name begins with.
pub(crate) fn prefix(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("an empty prefix chooses nothing; leave it out to measure everything".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_keep_everything_after_the_first_equals_sign() {
        assert_eq!(setting("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert_eq!(setting("a="), Ok(("a".into(), String::new())));
        assert!(setting("=b").is_err());
        assert!(setting("a").is_err());
    }
}
