use std::fmt::Write;

/// A setting of an instance, for people.
struct Setting {
    key: &'static str,
    /// Its default, with the unit, or what it is without one.
    usual: &'static str,
    /// What it does.
    does: &'static str,
}

/// The names of all settings.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.key)
}

/// All settings, one a line: the name, its default, what it does.
pub fn settings_help() -> String {
    let widest = |text: fn(&Setting) -> &str| SETTINGS.iter().map(|s| text(s).len()).max().unwrap_or_default();
    let (keys, usual) = (widest(|s| s.key), widest(|s| s.usual));
    let mut help =
        String::from("Settings, as --set KEY=VALUE, with their defaults; times are such as 250ms, 5s, 2m or 1h:");
    for setting in &SETTINGS {
        let _ = write!(help, "\n  {:keys$}  {:usual$}  {}", setting.key, setting.usual, setting.does);
    }
    help
}

const fn setting(key: &'static str, usual: &'static str, does: &'static str) -> Setting {
    Setting { key, usual, does }
}

const SETTINGS: [Setting; 31] = [
    setting("input", "input", "the topic that is read"),
    setting("output", "output", "the topic results go to; made where it does not exist"),
    setting("window", "1m", "the length of a window (uc2)"),
    setting("grace", "0ms", "so long after a window's end records still count"),
    setting("emit", "updates", "each flush tells how far windows are, or `final`: only what they came to"),
    setting("rejects", "skip", "records that cannot be read: skip, stop, or dead-letter (a topic)"),
    setting("sink", "topic", "where results go: topic, or count, which only counts them (uc1)"),
    setting("commit", "5s", "between two flushes: what a kill makes others read again"),
    setting("compression", "none", "of results and changelog: none, gzip, snappy, lz4, zstd"),
    setting("threads", "1", "this version has one; start more instances"),
    setting("cpu", "none", "a share of one core, such as 0.05, where nothing else limits it"),
    setting("memory.pretouch", "none", "so much memory is touched before it begins, such as 64MiB"),
    setting("progress", "on", "reports ten times a second to groma-progress, to a topic of this name, or off"),
    setting("fault", "none", "where to abort, for tests"),
    setting("client.id", "groma", "the name that brokers are told"),
    setting("client.rack", "none", "where it runs: inputs with a copy there are preferred"),
    setting("request.timeout", "30s", "when an answer is given up"),
    setting("instance.id", "none", "a stable identity: back within the session timeout, it has its own tasks again"),
    setting("session.timeout", "45s", "silent for so long, it is dead to the group"),
    setting("heartbeat.interval", "3s", "how soon it hears of a round; shorter than the session timeout"),
    setting("rebalance.timeout", "5m", "a round waits so long for it, and so does giving up tasks"),
    setting("rebalance.policy", "two-round", "eager, two-round, deferred, incremental or deferred+incremental"),
    setting("rebalance.protocol", "cooperative", "what it announces: eager, compatible (both) or cooperative"),
    setting("rebalance.max-delay", "5m", "deferred: tasks of a dead instance wait so long for it"),
    setting("rebalance.delay-source", "plan", "deferred: the leader says the time, or `configuration` does"),
    setting("rebalance.returner", "at-once", "deferred: who comes back has its own in that round, or after-delay"),
    setting("rebalance.formation", "3s", "deferred: a group that begins waits so long for members"),
    setting("rebalance.moves-per-round", "1", "incremental: so many tasks move for balance at a time"),
    setting("rebalance.cost-per-round", "none", "incremental: or tasks of so much cost"),
    setting("rebalance.interval", "1s", "incremental: between one batch of moves and the next"),
    setting("rebalance.tolerance", "0", "incremental: per cent of imbalance that is left alone"),
];

#[cfg(test)]
mod tests {
    use groma_client::ClientConfig;

    use super::*;
    use crate::{InstanceConfig, UseCase};

    fn config() -> InstanceConfig {
        InstanceConfig::new(UseCase::Uc2, "g", ClientConfig::new("127.0.0.1:9092"))
    }

    #[test]
    fn the_defaults_are_those_that_are_told() {
        let implied = ["rebalance.protocol", "rebalance.moves-per-round"];
        for Setting { key, usual, .. } in SETTINGS.iter().filter(|s| s.usual != "none" && !implied.contains(&s.key)) {
            let mut set = config();
            set.set(key, usual).expect(key);
            assert_eq!(format!("{set:?}"), format!("{:?}", config()), "{key}");
        }
    }

    #[test]
    fn every_setting_has_a_line() {
        let help = settings_help();
        assert_eq!(help.lines().count(), 1 + keys().count());
        assert!(help.contains("\n  rebalance.max-delay        5m           deferred: "), "{help}");
        assert!(help.lines().all(|line| line.len() <= 120), "{help}");
    }
}
