use std::fmt::Write;

use crate::{Now, Timeline};

/// A group in Prometheus' text format: what is now, and what its rebalances cost since the first fact.
pub fn metrics(now: &Now, timeline: &Timeline) -> String {
    let group = label(&timeline.group);
    let mut out = String::new();
    let settled = timeline.rebalances.iter().filter(|rebalance| rebalance.settled_ms.value.is_some());
    let bills = || timeline.rebalances.iter().map(|rebalance| &rebalance.bill);
    let stopped: u64 = bills().filter_map(|bill| bill.stopped_ms.value).fold(0, u64::saturating_add);
    let delayed: u64 = bills().filter_map(|bill| bill.delayed_records.value).fold(0, u64::saturating_add);
    let moves: u64 = timeline.rebalances.iter().filter_map(|rebalance| rebalance.moved.value).sum();
    let round = now.round.as_ref().map_or(0, |round| now.time_ms.saturating_sub(round.since_ms).max(0));
    for (name, kind, help, value) in [
        ("members", "gauge", "Members of the group.", now.members.len() as f64),
        ("lag_records", "gauge", "Records behind the committed offsets, all partitions.", now.lag() as f64),
        (
            "stable",
            "gauge",
            "Whether the group is stable.",
            f64::from(u8::from(now.round.is_none() && now.state == "Stable")),
        ),
        ("round_running_seconds", "gauge", "How long the running round has taken; 0 without one.", round as f64 / 1e3),
        ("generation", "gauge", "The generation, where it is known.", f64::from(now.generation.unwrap_or(-1))),
        ("rebalances_total", "counter", "Rebalances seen.", settled.count() as f64),
        ("moves_total", "counter", "Resources that got another owner.", moves as f64),
        (
            "stopped_resource_seconds_total",
            "counter",
            "Time in which resources did not run, as far as known.",
            stopped as f64 / 1e3,
        ),
        ("delayed_records_total", "counter", "Records that arrived meanwhile, as far as known.", delayed as f64),
    ] {
        let _ = writeln!(out, "# HELP groma_group_{name} {help}\n# TYPE groma_group_{name} {kind}");
        let _ = writeln!(out, "groma_group_{name}{{group=\"{group}\"}} {value}");
    }
    let _ = writeln!(out, "# HELP groma_group_partition_lag_records Records behind the committed offset.");
    let _ = writeln!(out, "# TYPE groma_group_partition_lag_records gauge");
    for (resource, place) in &now.partitions {
        if let Some(lag) = place.lag() {
            let _ = writeln!(
                out,
                "groma_group_partition_lag_records{{group=\"{group}\",partition=\"{}\"}} {lag}",
                label(resource)
            );
        }
    }
    out
}

/// A label's value, its quotes, backslashes and line ends escaped.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    #[test]
    fn the_format_is_what_prometheus_reads() {
        let mut now = Now { state: "Stable".into(), ..Now::default() };
        now.partitions.insert("t-0".into(), Place { committed: Some(4), end: Some(10) });
        let text = metrics(&now, &Timeline::of(&[], "a\"b"));
        for line in [
            "# TYPE groma_group_lag_records gauge",
            "groma_group_lag_records{group=\"a\\\"b\"} 6",
            "groma_group_stable{group=\"a\\\"b\"} 1",
            "groma_group_rebalances_total{group=\"a\\\"b\"} 0",
            "groma_group_partition_lag_records{group=\"a\\\"b\",partition=\"t-0\"} 6",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} is missing in\n{text}");
        }
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        assert!(samples.clone().all(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().is_ok()));
    }
}
