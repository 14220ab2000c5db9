/// Whether `name` may name a topic in Kafka.
///
/// # Errors
/// Why not, in one sentence.
pub fn check_topic_name(name: &str) -> Result<(), String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    match name {
        "" => Err("a topic name cannot be empty".to_owned()),
        "." | ".." => Err("a topic cannot be named '.' or '..'".to_owned()),
        _ if name.len() > NAME_BYTES_MAX => Err(format!("a topic name has at most {NAME_BYTES_MAX} characters")),
        _ if !name.bytes().all(allowed) => {
            Err(format!("topic name {name:?} may hold only letters, digits, '.', '_' and '-'"))
        }
        _ => Ok(()),
    }
}

const NAME_BYTES_MAX: usize = 249;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kafkas() {
        for name in ["a", "A.b_c-9", "..a", &"x".repeat(249)] {
            assert_eq!(check_topic_name(name), Ok(()));
        }
        for name in ["", ".", "..", "a b", "a/b", "ä", &"x".repeat(250)] {
            assert!(check_topic_name(name).is_err(), "{name}");
        }
    }
}
