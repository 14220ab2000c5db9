use groma_client::Admin;

/// Which Kafka answers, as far as it says so: no message carries the version, but since 3.3 brokers name the highest
/// `metadata.version` that they know (KIP-778), and each release has its own.
pub(super) async fn release(admin: &Admin) -> String {
    let features = admin.features().await.unwrap_or_default();
    named(features.get("metadata.version").copied())
}

fn named(level: Option<i16>) -> String {
    let Some(level) = level else { return "not told by the broker".to_owned() };
    match RELEASES.iter().rev().find(|(first, _)| *first <= level) {
        Some((first, release)) if level - first < NEWER || *first < NEWEST => {
            format!("Apache Kafka {release} (metadata.version {level})")
        }
        Some((_, release)) => format!("Apache Kafka after {release} (metadata.version {level})"),
        None => format!("Apache Kafka before 3.3 (metadata.version {level})"),
    }
}

/// The first `metadata.version` of each release, by Kafka's own list (`MetadataVersion` in `server-common`).
const RELEASES: [(i16, &str); 12] = [
    (4, "3.3"),
    (8, "3.4"),
    (9, "3.5"),
    (12, "3.6"),
    (15, "3.7"),
    (20, "3.8"),
    (21, "3.9"),
    (22, "4.0"),
    (26, "4.1"),
    (28, "4.2"),
    (30, "4.3"),
    (NEWEST, "4.4"),
];
const NEWEST: i16 = 31;
/// How many versions the newest release has: the next one begins behind them.
const NEWER: i16 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_known_by_its_metadata_version() {
        for (level, release) in [
            (Some(7), "Apache Kafka 3.3 (metadata.version 7)"),
            (Some(25), "Apache Kafka 4.0 (metadata.version 25)"),
            (Some(33), "Apache Kafka 4.4 (metadata.version 33)"),
            (Some(34), "Apache Kafka after 4.4 (metadata.version 34)"),
            (Some(1), "Apache Kafka before 3.3 (metadata.version 1)"),
            (None, "not told by the broker"),
        ] {
            assert_eq!(named(level), release);
        }
    }
}
