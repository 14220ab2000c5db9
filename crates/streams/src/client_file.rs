use std::time::Duration;

use groma_client::{Commit, GroupConfig, PolicySettings, Properties, Span};

use crate::{InstanceConfig, SettingError};

impl InstanceConfig {
    /// Takes the settings of a client configuration about the group, but for the group's name; what is set afterwards
    /// wins.
    ///
    /// # Errors
    /// Names a setting that an instance cannot follow.
    pub fn adopt(&mut self, properties: &Properties) -> Result<(), SettingError> {
        let (membership, keys) = properties.membership();
        keys.iter().try_for_each(|key| self.adopt_one(key, membership))
    }

    fn adopt_one(&mut self, key: &str, from: &GroupConfig) -> Result<(), SettingError> {
        let idle = |mend: &'static str| Err(SettingError::Idle { key: key.to_owned(), mend });
        match key {
            "group.instance.id" => self.instance_id = from.instance.as_ref().map(|id| id.as_str().to_owned()),
            "client.rack" => self.rack.clone_from(&from.rack),
            "session.timeout.ms" => self.session_timeout = duration(from.session_timeout),
            "heartbeat.interval.ms" => self.heartbeat_interval = duration(from.heartbeat_interval),
            "max.poll.interval.ms" | "rebalance.timeout.ms" => {
                self.rebalance_timeout = duration(from.rebalance_timeout);
            }
            key if PolicySettings::KEYS.contains(&key) => self.policy.clone_from(&from.policy),
            "partition.assignment.strategy" => {
                return idle("rebalance.policy and rebalance.protocol choose how tasks move");
            }
            "enable.auto.commit" if from.commit == Commit::Manual => {}
            "enable.auto.commit" | "auto.commit.interval.ms" => {
                return idle("it commits with each flush, see the setting commit");
            }
            _ => {}
        }
        Ok(())
    }
}

const fn duration(span: Span) -> Duration {
    Duration::from_nanos(span.0)
}

#[cfg(test)]
mod tests {
    use groma_client::{ClientConfig, PolicyName};

    use super::*;
    use crate::UseCase;

    fn adopted(pairs: &[(&str, &str)]) -> Result<InstanceConfig, SettingError> {
        let mut properties = Properties::new("127.0.0.1:9092");
        pairs.iter().for_each(|(key, value)| properties.set(key, value).expect("a known setting"));
        let mut config = InstanceConfig::new(UseCase::Uc2, "g", ClientConfig::new("127.0.0.1:9092"));
        config.adopt(&properties).map(|()| config)
    }

    #[test]
    fn what_a_client_file_says_of_the_group_counts() {
        let config = adopted(&[
            ("rebalance.policy", "deferred"),
            ("rebalance.max-delay", "20s"),
            ("group.instance.id", "abc"),
            ("client.rack", "r1"),
            ("session.timeout.ms", "6000"),
            ("heartbeat.interval.ms", "500"),
            ("max.poll.interval.ms", "90000"),
            ("enable.auto.commit", "false"),
        ]);
        let membership = config.expect("a configuration").membership();
        assert_eq!(membership.policy.policy, PolicyName::Deferred);
        assert_eq!(membership.policy.max_delay, Span::from_secs(20));
        assert_eq!(membership.instance, Some("abc".into()));
        assert_eq!(membership.rack.as_deref(), Some("r1"));
        assert_eq!(membership.session_timeout, Span::from_secs(6));
        assert_eq!(membership.heartbeat_interval, Span::from_millis(500));
        assert_eq!(membership.rebalance_timeout, Span::from_secs(90));
    }

    #[test]
    fn what_an_instance_cannot_follow_is_refused() {
        for (key, value, mend) in [
            ("partition.assignment.strategy", "range", "rebalance.policy"),
            ("enable.auto.commit", "true", "commit"),
            ("auto.commit.interval.ms", "100", "commit"),
        ] {
            let said = adopted(&[(key, value)]).expect_err("refused").to_string();
            assert!(said.contains(key) && said.contains(mend) && said.ends_with("leave it out"), "{said}");
        }
    }
}
