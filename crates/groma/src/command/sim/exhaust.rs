use std::num::NonZero;
use std::time::{Duration, Instant};

use groma_bench::Screen;
use groma_sim::{Job, Policy, Reduction, Scope, Search, Tally, Verdict};
use serde::Serialize;

use super::args::Exhaust;
use crate::command::{print_json, print_table};
use crate::exit::{Done, Outcome};

/// One policy, searched.
#[derive(Serialize)]
struct Row {
    policy: &'static str,
    /// `holds`, `broken`, or `given up`.
    verdict: &'static str,
    states: u64,
    transitions: u64,
    depth: u64,
    pruned_generation: u64,
    pruned_in_flight: u64,
    minutes: f64,
    memory_mib: u64,
}

/// Searches all schedules of a small group under each policy; tells a short one that breaks a property.
pub(super) fn exhaust(arguments: &Exhaust, screen: Screen) -> Outcome {
    let mut rows = Vec::new();
    let wanted = |policy: Policy| arguments.policy.is_none_or(|only| only == policy);
    for (name, policy) in Policy::ALL.iter().filter(|(_, policy)| wanted(*policy)) {
        rows.push(search(arguments, (name, *policy), screen));
    }
    if arguments.json.json {
        print_json(&rows)?;
    } else {
        print_table(HEADER, &rows.iter().map(Row::cells).collect::<Vec<_>>());
    }
    Ok(if rows.iter().all(|row| row.verdict == HOLDS) { Done::Fine } else { Done::Short })
}

fn search(arguments: &Exhaust, (name, policy): (&'static str, Policy), screen: Screen) -> Row {
    let mut search = Search::by_hands(arguments.scope(policy), arguments.threads());
    let (began, mut said) = (Instant::now(), Instant::now());
    while search.is_open() && !arguments.is_too_much(began) {
        search.advance_by(BATCH, at_once);
        if said.elapsed() >= SAID_EVERY && screen != Screen::Quiet {
            said = Instant::now();
            say(name, &search.tally());
        }
    }
    let verdict = search.verdict();
    if let (Verdict::Broken { property, what, timeline }, false) = (&verdict, arguments.json.json) {
        timeline.iter().for_each(|line| println!("{line}"));
        println!("{name} breaks {property:?}: {what}\n");
    }
    Row::new(name, &verdict, (search.tally(), began.elapsed()))
}

fn at_once(jobs: Vec<Job<'_>>) {
    std::thread::scope(|scope| jobs.into_iter().for_each(|job| _ = scope.spawn(job)));
}

impl Exhaust {
    fn scope(&self, policy: Policy) -> Scope {
        Scope {
            policy,
            mutation: self.broken.unwrap_or_default(),
            members: self.members as usize,
            resources: self.resources,
            crashes: self.crashes,
            generations: self.generations as i32,
            in_flight: self.in_flight as usize,
            delay: self.delay,
            reduction: Reduction::On,
        }
    }

    fn threads(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.map_or_else(processors, |threads| threads as usize)
    }

    fn is_too_much(&self, began: Instant) -> bool {
        began.elapsed() > Duration::from_secs(self.minutes * 60) || memory_kib("VmRSS:") >> 20 >= self.memory
    }
}

fn say(name: &str, tally: &Tally) {
    let Tally { states, depth, frontier, .. } = tally;
    eprintln!("{name}: {states} states, {frontier} to look into, {depth} steps deep");
}

/// A figure of this process as the kernel tells it; 0 where it does not.
fn memory_kib(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

impl Row {
    fn new(policy: &'static str, verdict: &Verdict, (tally, took): (Tally, Duration)) -> Self {
        let verdict = match verdict {
            Verdict::Holds => HOLDS,
            Verdict::Broken { .. } => "broken",
            Verdict::Open => "given up",
        };
        let Tally { states, transitions, depth, pruned_generation, pruned_in_flight, .. } = tally;
        let (minutes, memory_mib) = (took.as_secs_f64() / 60.0, memory_kib("VmHWM:") >> 10);
        Self { policy, verdict, states, transitions, depth, pruned_generation, pruned_in_flight, minutes, memory_mib }
    }

    fn cells(&self) -> [String; 9] {
        [
            self.policy.to_owned(),
            self.verdict.to_owned(),
            self.states.to_string(),
            self.transitions.to_string(),
            self.depth.to_string(),
            self.pruned_generation.to_string(),
            self.pruned_in_flight.to_string(),
            format!("{:.2}", self.minutes),
            self.memory_mib.to_string(),
        ]
    }
}

const HEADER: [&str; 9] =
    ["POLICY", "VERDICT", "STATES", "TRANSITIONS", "DEPTH", "PRUNED gen", "PRUNED link", "MINUTES", "PEAK MiB"];
const HOLDS: &str = "holds";
const BATCH: usize = 8192;
const SAID_EVERY: Duration = Duration::from_secs(10);
