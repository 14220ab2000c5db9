use groma_model::check_topic_name;
use groma_usecases::progress;

use crate::config::Reporting;
use crate::{InstanceConfig, SettingError};

/// Refuses topics that are Kafka's own, and topics that would be used for two things.
pub(crate) fn check(config: &InstanceConfig) -> Result<(), SettingError> {
    let roles = roles(config);
    for (index, role) in roles.iter().enumerate() {
        role.check_name()?;
        if let Some(other) = roles[..index].iter().find(|other| other.topic == role.topic) {
            return Err(role.bad(format!("topic `{}` is {} already; choose another", role.topic, other.purpose)));
        }
    }
    Ok(())
}

/// A topic, what it is for, and the setting that it comes from.
struct Role<'a> {
    setting: (&'static str, &'a str),
    topic: String,
    purpose: &'static str,
}

/// The topics of an instance; what is said first wins.
fn roles(config: &InstanceConfig) -> Vec<Role<'_>> {
    let reports = match &config.progress {
        Reporting::To(topic) => topic,
        Reporting::Off => progress::TOPIC,
    };
    let role = |setting, topic: &str, purpose| Role { setting, topic: topic.to_owned(), purpose };
    let (progress, group) = (("progress", reports), ("group", config.group.as_str()));
    let mut roles = vec![
        role(progress, reports, "where instances report"),
        role(group, &config.changelog(), "the changelog of the group"),
        role(group, &config.dead_letters(), "where the group's rejected records go"),
        role(("input", &config.input), &config.input, "the input"),
        role(("output", &config.output), &config.output, "the output"),
    ];
    if reports != progress::TOPIC {
        roles.insert(0, role(progress, progress::TOPIC, "where instances report by default"));
    }
    roles
}

impl Role<'_> {
    fn check_name(&self) -> Result<(), SettingError> {
        if self.topic.starts_with("__") {
            return Err(self.bad("topics whose names begin with `__` are Kafka's own; choose another".to_owned()));
        }
        check_topic_name(&self.topic).map_err(|cause| self.bad(cause))
    }

    fn bad(&self, cause: String) -> SettingError {
        let (key, value) = self.setting;
        SettingError::Bad { key: key.to_owned(), value: value.to_owned(), cause }
    }
}

#[cfg(test)]
mod tests {
    use groma_client::ClientConfig;
    use groma_usecases::UseCase;

    use super::*;

    fn config(group: &str) -> InstanceConfig {
        InstanceConfig::new(UseCase::Uc2, group, ClientConfig::new("127.0.0.1:9092"))
    }

    #[test]
    fn no_topic_serves_two_ends_or_is_kafkas_own() {
        for (settings, part) in [
            (&[("output", "input")][..], "setting `output=input`: topic `input` is the input already"),
            (&[("input", "x"), ("output", "x")], "setting `output=x`"),
            (
                &[("input", "g-changelog")],
                "setting `input=g-changelog`: topic `g-changelog` is the changelog of the group",
            ),
            (&[("output", "g-changelog")], "setting `output=g-changelog`"),
            (&[("output", "g-dead-letters")], "rejected records"),
            (
                &[("input", "groma-progress")],
                "setting `input=groma-progress`: topic `groma-progress` is where instances",
            ),
            (&[("output", "groma-progress"), ("progress", "off")], "setting `output=groma-progress`"),
            (&[("output", "groma-progress"), ("progress", "p")], "report by default"),
            (&[("output", "p"), ("progress", "p")], "setting `output=p`"),
            (&[("progress", "input")], "setting `input=input`: topic `input` is where instances report"),
            (
                &[("input", "__consumer_offsets")],
                "setting `input=__consumer_offsets`: topics whose names begin with `__`",
            ),
            (&[("output", "__transaction_state")], "Kafka's own"),
        ] {
            let mut config = config("g");
            settings.iter().for_each(|(key, value)| config.set(key, value).unwrap());
            let said = config.check().unwrap_err().to_string();
            assert!(said.contains(part), "{settings:?}: {said}");
        }
        let named = |group: &str| config(group).check();
        assert!(named("a b").unwrap_err().to_string().contains("setting `group=a b`"));
        assert!(named("__g").is_err() && named(&"g".repeat(240)).is_err());
        assert_eq!(named("g"), Ok(()));
    }
}
