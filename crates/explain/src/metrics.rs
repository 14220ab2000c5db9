use std::fmt::Write;

use crate::{Now, Timeline};

/// When a group was last looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// The last answer, in milliseconds since the Unix epoch.
    pub last_ms: i64,
    /// Whether the answer to the last question has come, or is not late yet.
    pub answered: bool,
}

/// What has been counted since the first fact. Bills change when more becomes known; what was counted is never taken
/// back, because readers take a smaller count for a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    rebalances: u64,
    moves: u64,
    stopped_ms: u64,
    delayed_records: u64,
}

impl Counters {
    /// Counts what a timeline shows beyond what was counted.
    pub fn take(&mut self, timeline: &Timeline) {
        let bills = || timeline.rebalances.iter().map(|rebalance| &rebalance.bill);
        let settled = timeline.rebalances.iter().filter(|rebalance| rebalance.settled_ms.value.is_some());
        let moves = timeline.rebalances.iter().filter_map(|rebalance| rebalance.moved.value).sum();
        let sum = |values: &mut dyn Iterator<Item = u64>| values.fold(0, u64::saturating_add);
        let stopped = sum(&mut bills().filter_map(|bill| bill.stopped_ms.value));
        let delayed = sum(&mut bills().filter_map(|bill| bill.delayed_records.value));
        self.rebalances = self.rebalances.max(settled.count() as u64);
        self.moves = self.moves.max(moves);
        self.stopped_ms = self.stopped_ms.max(stopped);
        self.delayed_records = self.delayed_records.max(delayed);
    }
}

/// A group in Prometheus' text format: what is now, and what its rebalances cost since the first fact.
pub fn metrics(now: &Now, timeline: &Timeline, (looks, counters): (Looks, &Counters)) -> String {
    let group = label(&timeline.group);
    let mut out = String::new();
    let round = now.round.as_ref().map_or(0, |round| now.time_ms.saturating_sub(round.since_ms).max(0));
    let is_stable = looks.answered && now.round.is_none() && now.state == "Stable";
    for (name, kind, help, value) in [
        (
            "up",
            "gauge",
            "Whether the cluster answers; while it does not, the rest is as it was.",
            f64::from(u8::from(looks.answered)),
        ),
        ("last_look_timestamp_seconds", "gauge", "When it last answered, in Unix time.", looks.last_ms as f64 / 1e3),
        ("members", "gauge", "Members of the group.", now.members.len() as f64),
        ("lag_records", "gauge", "Records behind the committed offsets, all partitions.", now.lag() as f64),
        ("stable", "gauge", "Whether the group is known to be stable.", f64::from(u8::from(is_stable))),
        ("round_running_seconds", "gauge", "How long the running round has taken; 0 without one.", round as f64 / 1e3),
        ("generation", "gauge", "The generation, where it is known.", f64::from(now.generation.unwrap_or(-1))),
        ("rebalances_total", "counter", "Rebalances seen.", counters.rebalances as f64),
        ("moves_total", "counter", "Resources that got another owner.", counters.moves as f64),
        (
            "stopped_resource_seconds_total",
            "counter",
            "Time in which resources did not run, as far as known.",
            counters.stopped_ms as f64 / 1e3,
        ),
        (
            "delayed_records_total",
            "counter",
            "Records that arrived meanwhile, as far as known.",
            counters.delayed_records as f64,
        ),
    ] {
        let _ = writeln!(out, "# HELP groma_group_{name} {help}\n# TYPE groma_group_{name} {kind}");
        let _ = writeln!(out, "groma_group_{name}{{group=\"{group}\"}} {value}");
    }
    let lags = now.partitions.iter().filter_map(|(name, place)| Some((name, place.lag()?)));
    let family = ("partition_lag_records", "partition", "Records behind the committed offset.");
    series(&mut out, &group, family, lags);
    let names = timeline.names();
    let name = |member: &str| names.get(member).cloned().unwrap_or_else(|| member.to_owned());
    let shares = || now.members.iter().filter_map(|(member, seat)| Some((name(member), seat.assigned.as_ref()?)));
    let held = shares().map(|(member, held)| (member, held.len() as u64));
    series(
        &mut out,
        &group,
        ("member_held", "member", "Resources that the member holds, where that can be read."),
        held,
    );
    let lag = |held: &Vec<String>| {
        held.iter().filter_map(|name| now.partitions.get(name)?.lag()).fold(0, u64::saturating_add)
    };
    let lags = shares().map(|(member, held)| (member, lag(held)));
    series(&mut out, &group, ("member_lag_records", "member", "Records behind in what the member holds."), lags);
    out
}

/// A gauge of many: its name, the label that tells them apart, and what it means.
fn series<T: AsRef<str>>(
    out: &mut String,
    group: &str,
    (name, key, help): (&str, &str, &str),
    values: impl Iterator<Item = (T, u64)>,
) {
    let _ = writeln!(out, "# HELP groma_group_{name} {help}\n# TYPE groma_group_{name} gauge");
    for (of, value) in values {
        let _ = writeln!(out, "groma_group_{name}{{group=\"{group}\",{key}=\"{}\"}} {value}", label(of.as_ref()));
    }
}

/// A label's value, its quotes, backslashes and line ends escaped.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, Place, Seat, Source, What};

    const ANSWERED: Looks = Looks { last_ms: 1_500, answered: true };

    #[test]
    fn the_format_is_what_prometheus_reads() {
        let mut now = Now { state: "Stable".into(), ..Now::default() };
        now.partitions.insert("t-0".into(), Place { committed: Some(4), end: Some(10) });
        let seat = Seat { member: "m".into(), assigned: Some(vec!["t-0".into(), "t-1".into()]), ..Seat::default() };
        now.members.insert("m".into(), seat);
        let text = metrics(&now, &Timeline::of(&[], "a\"b"), (ANSWERED, &Counters::default()));
        for line in [
            "# TYPE groma_group_lag_records gauge",
            "groma_group_lag_records{group=\"a\\\"b\"} 6",
            "groma_group_stable{group=\"a\\\"b\"} 1",
            "groma_group_up{group=\"a\\\"b\"} 1",
            "groma_group_last_look_timestamp_seconds{group=\"a\\\"b\"} 1.5",
            "groma_group_member_held{group=\"a\\\"b\",member=\"m\"} 2",
            "groma_group_member_lag_records{group=\"a\\\"b\",member=\"m\"} 6",
            "groma_group_rebalances_total{group=\"a\\\"b\"} 0",
            "groma_group_partition_lag_records{group=\"a\\\"b\",partition=\"t-0\"} 6",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} is missing in\n{text}");
        }
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        assert!(samples.clone().all(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().is_ok()));
    }

    #[test]
    fn a_group_that_nobody_hears_of_is_neither_up_nor_stable() {
        let now = Now { state: "Stable".into(), ..Now::default() };
        let looks = Looks { answered: false, ..ANSWERED };
        let text = metrics(&now, &Timeline::of(&[], "g"), (looks, &Counters::default()));
        assert!(text.contains("groma_group_up{group=\"g\"} 0\n"), "{text}");
        assert!(text.contains("groma_group_stable{group=\"g\"} 0\n"), "{text}");
    }

    #[test]
    fn counters_never_fall() {
        let generation = |generation: i32, member: &str| {
            let seat = Seat { member: member.into(), assigned: Some(vec!["t-0".into()]), ..Seat::default() };
            let (protocol_type, protocol, members) = ("consumer".into(), None, vec![seat]);
            let what = What::Generation { generation, protocol_type, protocol, leader: None, members };
            let time_ms = i64::from(generation) * 1_000;
            Fact { time_ms, group: "g".into(), source: Source::Offsets, member: None, what }
        };
        let facts = [generation(1, "a"), generation(2, "b"), generation(3, "a")];
        let mut counters = Counters::default();
        for known in [&facts[..2], &facts[..], &facts[..1], &[]] {
            let before = counters;
            counters.take(&Timeline::of(known, "g"));
            assert!(counters.moves >= before.moves && counters.rebalances >= before.rebalances);
        }
        assert_eq!((counters.rebalances, counters.moves), (3, 3));
    }
}
