use std::collections::BTreeMap;
use std::fmt::{Display, Write};

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
    counted: Figures,
    /// Of rebalances whose facts were let go.
    forgotten: Figures,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    rebalances: u64,
    moves: u64,
    stopped_ms: u64,
    delayed_records: u64,
    breaches: u64,
}

impl Counters {
    /// Counts what a timeline shows beyond what was counted.
    pub fn take(&mut self, timeline: &Timeline) {
        let Figures { rebalances, moves, stopped_ms, delayed_records, breaches } = Figures::of(timeline);
        let add = |before: u64, counted: &mut u64, shown: u64| *counted = (*counted).max(before.saturating_add(shown));
        add(self.forgotten.rebalances, &mut self.counted.rebalances, rebalances);
        add(self.forgotten.moves, &mut self.counted.moves, moves);
        add(self.forgotten.stopped_ms, &mut self.counted.stopped_ms, stopped_ms);
        add(self.forgotten.delayed_records, &mut self.counted.delayed_records, delayed_records);
        add(self.forgotten.breaches, &mut self.counted.breaches, breaches);
    }

    /// The timeline was `before`, and is `after` now because the oldest facts were let go.
    pub fn forget(&mut self, before: &Timeline, after: &Timeline) {
        let (before, after) = (Figures::of(before), Figures::of(after));
        let add = |gone: &mut u64, before: u64, after: u64| *gone = gone.saturating_add(before.saturating_sub(after));
        add(&mut self.forgotten.rebalances, before.rebalances, after.rebalances);
        add(&mut self.forgotten.moves, before.moves, after.moves);
        add(&mut self.forgotten.stopped_ms, before.stopped_ms, after.stopped_ms);
        add(&mut self.forgotten.delayed_records, before.delayed_records, after.delayed_records);
        add(&mut self.forgotten.breaches, before.breaches, after.breaches);
    }
}

impl Figures {
    fn of(timeline: &Timeline) -> Self {
        let bills = || timeline.rebalances.iter().map(|rebalance| &rebalance.bill);
        let settled = timeline.rebalances.iter().filter(|rebalance| rebalance.settled_ms.value.is_some());
        let moves = timeline.rebalances.iter().filter_map(|rebalance| rebalance.moved.value).sum();
        let sum = |values: &mut dyn Iterator<Item = u64>| values.fold(0, u64::saturating_add);
        let stopped = sum(&mut bills().filter_map(|bill| bill.stopped_ms.value));
        let delayed = sum(&mut bills().filter_map(|bill| bill.delayed_records.value));
        let breaches = timeline.rebalances.iter().map(|rebalance| rebalance.breaches().count() as u64).sum();
        Self { rebalances: settled.count() as u64, moves, stopped_ms: stopped, delayed_records: delayed, breaches }
    }
}

/// A group in Prometheus' text format: what is now, and what its rebalances cost since the first fact.
pub fn metrics(now: &Now, timeline: &Timeline, (looks, counters): (Looks, &Counters)) -> String {
    let group = label(&timeline.group);
    let mut out = String::new();
    let totals = gauges(now, looks).into_iter().map(|(name, help, value)| (name, "gauge", help, value));
    let counted = counted(counters).into_iter().map(|(name, help, value)| (name, "counter", help, value));
    for (name, kind, help, value) in totals.chain(counted) {
        let _ = writeln!(out, "# HELP groma_group_{name} {help}\n# TYPE groma_group_{name} {kind}");
        let _ = writeln!(out, "groma_group_{name}{{group=\"{group}\"}} {value}");
    }
    let lags = now.partitions.iter().filter_map(|(name, place)| Some((name, place.lag()?)));
    let family = ("partition_lag_records", "partition", "Records behind the committed offset.");
    series(&mut out, &group, family, lags);
    of_members(&mut out, &group, now, timeline);
    out
}

fn gauges(now: &Now, looks: Looks) -> [(&'static str, &'static str, f64); 9] {
    let round = now.round.as_ref().map_or(0, |round| now.time_ms.saturating_sub(round.since_ms).max(0));
    let is_stable = looks.answered && now.round.is_none() && now.state == "Stable";
    let waiting: usize = now.waits.iter().map(|wait| wait.resources.len()).sum();
    let left = now.waits.iter().map(|wait| wait.left_ms(now.time_ms)).max().unwrap_or(0);
    let up = "Whether the cluster answers; while it does not, the rest is as it was.";
    [
        ("up", up, f64::from(u8::from(looks.answered))),
        ("last_look_timestamp_seconds", "When it last answered, in Unix time.", looks.last_ms as f64 / 1e3),
        ("members", "Members of the group.", now.members.len() as f64),
        ("lag_records", "Records behind the committed offsets, all partitions.", now.lag() as f64),
        ("stable", "Whether the group is known to be stable.", f64::from(u8::from(is_stable))),
        ("round_running_seconds", "How long the running round has taken; 0 without one.", round as f64 / 1e3),
        ("generation", "The generation, where it is known.", f64::from(now.generation.unwrap_or(-1))),
        ("waiting_resources", "Resources without an owner, left for theirs to come back.", waiting as f64),
        ("wait_left_seconds", "How long the longest of these waits may still take; 0 without one.", left as f64 / 1e3),
    ]
}

fn counted(counters: &Counters) -> [(&'static str, &'static str, f64); 5] {
    let Figures { rebalances, moves, stopped_ms, delayed_records, breaches } = counters.counted;
    let stopped = stopped_ms as f64 / 1e3;
    let broken = "Breaches of the rules seen, such as a leader's that gives away what another member holds.";
    [
        ("rebalances_total", "Rebalances seen.", rebalances as f64),
        ("moves_total", "Resources that got another owner.", moves as f64),
        ("stopped_resource_seconds_total", "Time in which resources did not run, as far as known.", stopped),
        ("delayed_records_total", "Records that arrived meanwhile, as far as known.", delayed_records as f64),
        ("rule_breaches_total", broken, breaches as f64),
    ]
}

/// What each member holds, and what waits for each that is gone.
fn of_members(out: &mut String, group: &str, now: &Now, timeline: &Timeline) {
    let names = timeline.names();
    let name = |member: &str| names.get(member).cloned().unwrap_or_else(|| member.to_owned());
    let shares = || now.members.iter().filter_map(|(member, seat)| Some((name(member), seat.assigned.as_ref()?)));
    let held = shares().map(|(member, held)| (member, held.len()));
    let family = ("member_held", "member", "Resources that the member holds, where that can be read.");
    series(out, group, family, held);
    let lag = |held: &Vec<String>| {
        held.iter().filter_map(|name| now.partitions.get(name)?.lag()).fold(0, u64::saturating_add)
    };
    let lags = shares().map(|(member, held)| (member, lag(held)));
    series(out, group, ("member_lag_records", "member", "Records behind in what the member holds."), lags);
    let mut awaited: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for wait in &now.waits {
        let (resources, left) = awaited.entry(wait.owner.as_deref().map_or_else(String::new, name)).or_default();
        *resources += wait.resources.len();
        *left = wait.left_ms(now.time_ms).max(*left);
    }
    let help = "Resources left for this member to come back; no name where nobody remembers whose they were.";
    let resources = awaited.iter().map(|(member, (resources, _))| (member, *resources));
    series(out, group, ("member_waiting_resources", "member", help), resources);
    let left = awaited.iter().map(|(member, (_, left))| (member, *left as f64 / 1e3));
    series(out, group, ("member_wait_left_seconds", "member", "How long that may still take."), left);
}

/// A gauge of many: its name, the label that tells them apart, and what it means.
fn series<T: AsRef<str>, V: Display>(
    out: &mut String,
    group: &str,
    (name, key, help): (&str, &str, &str),
    values: impl Iterator<Item = (T, V)>,
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
    fn what_waits_is_told_by_whom_it_waits_for() {
        let wait = |owner: Option<&str>, until_ms, resources: &[&str]| crate::Awaited {
            owner: owner.map(str::to_owned),
            until_ms,
            resources: resources.iter().map(|name| (*name).to_owned()).collect(),
        };
        let waits = vec![wait(Some("c"), 21_000, &["t-0", "t-1"]), wait(None, 4_500, &["u"]), wait(None, 500, &["v"])];
        let now = Now { time_ms: 1_000, waits, ..Now::default() };
        let text = metrics(&now, &Timeline::of(&[], "g"), (ANSWERED, &Counters::default()));
        for line in [
            "groma_group_waiting_resources{group=\"g\"} 4",
            "groma_group_wait_left_seconds{group=\"g\"} 20",
            "groma_group_member_waiting_resources{group=\"g\",member=\"c\"} 2",
            "groma_group_member_waiting_resources{group=\"g\",member=\"\"} 2",
            "groma_group_member_wait_left_seconds{group=\"g\",member=\"c\"} 20",
            "groma_group_member_wait_left_seconds{group=\"g\",member=\"\"} 3.5",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} is missing in\n{text}");
        }
        let nothing = metrics(&Now::default(), &Timeline::of(&[], "g"), (ANSWERED, &Counters::default()));
        assert!(nothing.contains("groma_group_waiting_resources{group=\"g\"} 0\n"), "{nothing}");
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
            assert!(
                counters.counted.moves >= before.counted.moves
                    && counters.counted.rebalances >= before.counted.rebalances
            );
        }
        assert_eq!((counters.counted.rebalances, counters.counted.moves), (3, 3));
        let (whole, rest) = (Timeline::of(&facts, "g"), Timeline::of(&facts[1..], "g"));
        counters.forget(&whole, &rest);
        counters.take(&Timeline::of(&[&facts[1..], &[generation(4, "b")]].concat(), "g"));
        assert_eq!(counters.counted.rebalances, 4, "what was let go stays counted");
    }
}
