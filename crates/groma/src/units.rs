//! Durations, sizes and settings as people write them: `500ms`, `64MiB`, `key=value`.

pub(crate) use groma_bench::definition::{Duration, Size};
use groma_client::{ConfigError, Properties};
use std::ops::RangeInclusive;

const LEAST_ROOM: u64 = 1 << 20;

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

/// A whole number of `range`.
///
/// # Errors
/// The range.
pub(crate) fn whole<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    let wanted = || format!("give {}", groma_bench::definition::whole(range.clone()));
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(wanted)
}

/// A number of the load generator, which `name` is there.
///
/// # Errors
/// The range.
pub(crate) fn of_load<T: TryFrom<u64>>(text: &str, name: &str) -> Result<T, String> {
    whole(text, groma_bench::load::range(name))
}

/// Addresses of a Kafka, as they are typed.
///
/// # Errors
/// What an address looks like.
pub(crate) fn addresses(text: &str) -> Result<String, String> {
    match Properties::new(text).set("bootstrap.servers", text) {
        Ok(()) => Ok(text.to_owned()),
        Err(ConfigError::BadValue { cause, .. }) => Err(cause),
        Err(error) => Err(error.to_string()),
    }
}

/// How much a broker's logs may take.
///
/// # Errors
/// Less than the topic of groups needs.
pub(crate) fn room(text: &str) -> Result<Size, String> {
    let size: Size = text.parse()?;
    if size.bytes < LEAST_ROOM {
        Err("give 1MiB or more: groups and their offsets need some".to_owned())
    } else {
        Ok(size)
    }
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

/// A time between two things that is not nothing.
///
/// # Errors
/// Why it is none.
pub(crate) fn pause(text: &str) -> Result<Duration, String> {
    let duration: Duration = text.parse()?;
    if duration.ms < PAUSE_LEAST_MS { Err(format!("at least {PAUSE_LEAST_MS}ms")) } else { Ok(duration) }
}

const PAUSE_LEAST_MS: u64 = 50;

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
