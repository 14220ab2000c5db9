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
