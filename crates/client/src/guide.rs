#![doc = include_str!("guide.md")]

#[cfg(test)]
mod tests {
    use crate::config::keys;

    #[test]
    fn every_setting_is_in_the_guide() {
        let guide = include_str!("guide.md");
        let missing: Vec<_> = keys().filter(|key| !guide.contains(&format!("`{key}`"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
