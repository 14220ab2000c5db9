use clap::{Args, Subcommand};
use groma_sim::{Faults, Mutation, Policy, ScaleEvent, Scenario};
use std::path::PathBuf;

use super::crowd::Crowd;
use crate::args::Json;
use crate::units;

/// What can be simulated.
#[derive(Subcommand)]
pub(crate) enum Sim {
    /// Run groups under random faults and changes, and check every property after every step
    #[command(
        after_help = "Examples:\n  groma sim run --seeds 0..10000 --policy two-round\n  groma sim run --seed 17 --policy two-round    tells what happens in one schedule\n  groma sim run --seeds 0..400 --break no-withholding    shows that a broken rule is noticed"
    )]
    Run(Run),
    /// Play the situations that the designs were made for under each policy, and add up what each costs
    #[command(after_help = "Example:\n  groma sim compare --picture compare.svg")]
    Compare(Compare),
    /// Let one thing happen to a very large group under each policy, and add up rounds, moves, messages and bytes
    #[command(
        after_help = "Examples:\n  groma sim scale\n  groma sim scale --policy deferred --event bounce --members 200 --resources 20000"
    )]
    Scale(Scale),
    /// Look into every schedule of a small group: all orders of messages, timers, starts and kills
    #[command(
        after_help = "Examples:\n  groma sim exhaust --policy deferred\n  groma sim exhaust --members 2 --resources 2 --crashes 1    each policy, in seconds\n  groma sim exhaust --policy two-round --break no-withholding    shows a short schedule in which it is noticed"
    )]
    Exhaust(Exhaust),
}

#[derive(Args)]
pub(crate) struct Exhaust {
    /// How members share out; default: each policy in turn
    #[arg(long, value_name = "P", value_parser = policy)]
    pub(crate) policy: Option<Policy>,
    /// How many processes there may be at a time; each starts when it likes
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=8))]
    pub(crate) members: u32,
    /// How many resources they share
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=8))]
    pub(crate) resources: u32,
    /// How many times a process may be killed, and start again
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 0..=15))]
    pub(crate) crashes: u32,
    /// The last generation to look into
    #[arg(long, value_name = "N", default_value_t = 6, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=1000))]
    pub(crate) generations: u32,
    /// How many messages may be under way on a link in one direction
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=100))]
    pub(crate) in_flight: u32,
    /// For how many heartbeat intervals joins and syncs may be under way, and applications take to stop: 0 or 1
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 0..=1))]
    pub(crate) delay: u32,
    /// How many threads search; default: as many as there are processors, eight at most
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=8))]
    pub(crate) threads: Option<u32>,
    /// Give a policy up after so many minutes
    #[arg(long, value_name = "MIN", default_value_t = 30, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u64>(text, 1..=10_000))]
    pub(crate) minutes: u64,
    /// Give a policy up at so much memory
    #[arg(long, value_name = "GIB", default_value_t = 16, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u64>(text, 1..=10_000))]
    pub(crate) memory: u64,
    /// Break a rule on purpose, to see that it is noticed
    #[arg(long = "break", value_name = "RULE", value_parser = mutation)]
    pub(crate) broken: Option<Mutation>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Args)]
pub(crate) struct Compare {
    /// Only this one: process-death, rolling-bounce, scale-up, scale-down, new-leader, task-scale-down, heavy-resource
    #[arg(long, value_name = "S", value_parser = scenario)]
    pub(crate) scenario: Option<Scenario>,
    /// Draw what is lost as an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Args)]
pub(crate) struct Scale {
    /// How many members the group has before
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 2..=100_000))]
    pub(crate) members: u32,
    /// How many resources they share
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=10_000_000))]
    pub(crate) resources: u32,
    /// How members share out; default: each policy in turn
    #[arg(long, value_name = "P", value_parser = policy)]
    pub(crate) policy: Option<Policy>,
    /// What happens: join, leave, static-bounce, bounce; default: the first three
    #[arg(long, value_name = "E", value_parser = event)]
    pub(crate) event: Option<ScaleEvent>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Args)]
pub(crate) struct Run {
    /// Which schedules: from the first seed up to, not including, the last
    #[arg(long, value_name = "A..B", default_value = "0..1000", value_parser = seeds, conflicts_with = "seed")]
    pub(crate) seeds: std::ops::Range<u64>,
    /// Run this schedule alone and tell what happens in it
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// How many members at most: a number, or a range that each seed picks from
    #[arg(long, value_name = "N", default_value = "3..50")]
    pub(crate) members: Crowd,
    /// How members share out; default: each policy in turn, of those that have the rule if one is broken
    #[arg(long, value_name = "P", value_parser = policy)]
    pub(crate) policy: Option<Policy>,
    /// What goes wrong, by commas: drop, duplicate, delay, storage, crash, coordinator, transfer, clock, peer, stuck, twin,
    /// crowd, rogue, echo, stale, cling, reuse, slow, or none; default: all
    #[arg(long, value_name = "LIST", value_parser = faults)]
    pub(crate) faults: Option<Faults>,
    /// Break a rule on purpose, to see that it is noticed
    #[arg(long = "break", value_name = "RULE", value_parser = mutation)]
    pub(crate) broken: Option<Mutation>,
    #[command(flatten)]
    pub(crate) json: Json,
}

fn seeds(text: &str) -> Result<std::ops::Range<u64>, String> {
    let range = text.split_once("..").and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
    range
        .filter(|range: &std::ops::Range<u64>| !range.is_empty())
        .ok_or_else(|| format!("`{text}` names no seeds; write the first and the one after the last, as 0..1000"))
}

fn policy(name: &str) -> Result<Policy, String> {
    Policy::by_name(name).ok_or_else(|| format!("there is no policy `{name}`; there are {}", listed(Policy::ALL)))
}

fn scenario(name: &str) -> Result<Scenario, String> {
    let found = Scenario::ALL.iter().find(|(known, _)| *known == name).map(|(_, scenario)| *scenario);
    found.ok_or_else(|| format!("there is no scenario `{name}`; there are {}", listed(Scenario::ALL)))
}

fn event(name: &str) -> Result<ScaleEvent, String> {
    let found = ScaleEvent::ALL.iter().find(|(known, _)| *known == name).map(|(_, event)| *event);
    found.ok_or_else(|| format!("there is no event `{name}`; there are {}", listed(ScaleEvent::ALL)))
}

fn mutation(name: &str) -> Result<Mutation, String> {
    Mutation::by_name(name).ok_or_else(|| format!("there is no rule `{name}`; there are {}", listed(Mutation::ALL)))
}

fn listed<T>(all: &[(&str, T)]) -> String {
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

fn faults(list: &str) -> Result<Faults, String> {
    if list == "none" {
        return Ok(Faults::NONE);
    }
    let known = || Faults::ALL.names().join(", ");
    Faults::by_names(list.split(','))
        .map_err(|name| format!("there is no fault `{name}`; there are {}, or none", known()))
}
