use std::time::{Duration, Instant};

use groma_bench::Screen;
use groma_sim::{Policy, ScaleBill, ScaleEvent};
use serde::Serialize;

use super::args::Scale;
use crate::command::{print_json, print_table};
use crate::exit::{Done, Outcome};

/// One event under one policy.
#[derive(Serialize)]
struct Row {
    event: &'static str,
    policy: &'static str,
    members: u32,
    resources: u32,
    rounds: u64,
    moved: u64,
    least: u64,
    stopped: u64,
    messages: u64,
    heartbeats: u64,
    payload_bytes: u64,
    settled_after_ms: u64,
    violations: u64,
    /// Of this machine's time.
    elapsed_ms: u64,
}

/// Plays events under each policy, and prints a table.
pub(super) fn scale(arguments: &Scale, screen: Screen) -> Outcome {
    let events = ScaleEvent::ALL.iter().filter(|(_, event)| match arguments.event {
        Some(only) => *event == only,
        None => *event != ScaleEvent::Bounce,
    });
    let policies = || Policy::ALL.iter().filter(|(_, policy)| arguments.policy.is_none_or(|only| only == *policy));
    let mut rows = Vec::new();
    for (event_name, event) in events {
        for (policy_name, policy) in policies() {
            let began = Instant::now();
            let mut progress = Progress { screen, what: format!("{event_name} under {policy_name}"), told: began };
            progress.say("begins");
            let sizes = (arguments.members, arguments.resources);
            let bill = event.play_told(*policy, sizes, &mut |share| progress.bounced(share));
            progress.say(&format!("is done in {:.1} s", began.elapsed().as_secs_f64()));
            rows.push(Row::new((event_name, policy_name), arguments, &bill, began));
        }
    }
    if arguments.json.json {
        print_json(&rows)?;
    } else {
        let header =
            ["EVENT", "POLICY", "ROUNDS", "MOVED", "LEAST", "STOPPED", "MESSAGES", "PAYLOAD MB", "SETTLED s", "TOOK s"];
        print_table(header, &rows.iter().map(Row::cells).collect::<Vec<_>>());
    }
    let kept = rows.iter().all(|row| row.violations == 0);
    Ok(if kept { Done::Fine } else { Done::Short })
}

/// Says on stderr how far an event is, at most every 10 s.
struct Progress {
    screen: Screen,
    what: String,
    told: Instant,
}

impl Progress {
    fn say(&mut self, news: &str) {
        if self.screen != Screen::Quiet {
            eprintln!("{} {news}", self.what);
        }
        self.told = Instant::now();
    }

    fn bounced(&mut self, share: f64) {
        if self.told.elapsed() >= Duration::from_secs(10) {
            self.say(&format!("has bounced {:.0} % of the members", share * 100.0));
        }
    }
}

impl Row {
    fn new((event, policy): (&'static str, &'static str), sizes: &Scale, bill: &ScaleBill, began: Instant) -> Self {
        Self {
            event,
            policy,
            members: sizes.members,
            resources: sizes.resources,
            rounds: bill.rounds,
            moved: bill.moved,
            least: bill.least,
            stopped: bill.stopped,
            messages: bill.messages,
            heartbeats: bill.heartbeats,
            payload_bytes: bill.payload_bytes,
            settled_after_ms: bill.settled_after.0 / 1_000_000,
            violations: bill.violations,
            elapsed_ms: began.elapsed().as_millis() as u64,
        }
    }

    fn cells(&self) -> [String; 10] {
        [
            self.event.to_owned(),
            self.policy.to_owned(),
            self.rounds.to_string(),
            self.moved.to_string(),
            self.least.to_string(),
            self.stopped.to_string(),
            self.messages.to_string(),
            format!("{:.1}", self.payload_bytes as f64 / 1e6),
            format!("{:.1}", self.settled_after_ms as f64 / 1e3),
            format!("{:.1}", self.elapsed_ms as f64 / 1e3),
        ]
    }
}
