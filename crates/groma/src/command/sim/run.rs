use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use groma_bench::Screen;
use groma_sim::{Faults, Mutation, Outcome as Ran, Policy, Schedule, Shrunk};

use super::args::{Run, Sim};
use super::compare::compare;
use super::exhaust::exhaust;
use super::scale::scale;
use super::tally::Tally;
use crate::command::print_json;
use crate::exit::{Done, Failure, Outcome};

/// Carries out a `sim` command.
pub(crate) fn run(command: &Sim, screen: Screen) -> Outcome {
    match command {
        Sim::Run(arguments) => schedules(arguments, screen),
        Sim::Compare(arguments) => compare(arguments),
        Sim::Scale(arguments) => scale(arguments, screen),
        Sim::Exhaust(arguments) => exhaust(arguments, screen),
    }
}

/// Runs schedules; a failing one is made small and told.
fn schedules(arguments: &Run, screen: Screen) -> Outcome {
    arguments.check_rule()?;
    let tally = match arguments.seed {
        Some(seed) => one(arguments, seed),
        None => all(arguments, screen),
    };
    if arguments.json.json {
        print_json(&tally)?;
    } else {
        if let Some(seed) = tally.failing.first() {
            tell_smallest(&arguments.schedule(*seed));
        }
        if tally.failing.len() > 1 {
            println!("failing seeds: {:?}", tally.failing);
        }
        println!("{}", tally.lines());
    }
    Ok(if tally.violations > 0 { Done::Short } else { Done::Fine })
}

impl Run {
    /// # Errors
    /// A rule is to be broken that the policy does not have.
    fn check_rule(&self) -> Result<(), Failure> {
        let (Some(broken), Some(policy)) = (self.broken, self.policy) else { return Ok(()) };
        if broken.policies().any(|(_, having)| having == policy) {
            return Ok(());
        }
        let rule = name_of(Mutation::ALL, broken);
        let having: Vec<&str> = broken.policies().map(|(name, _)| name).collect();
        Err(Failure::new(format!(
            "the policy `{}` does not have the rule `{rule}`; break it under {}",
            name_of(Policy::ALL, policy),
            having.join(", ")
        )))
    }

    fn schedule(&self, seed: u64) -> Schedule {
        let having: Vec<Policy> = self.broken.unwrap_or_default().policies().map(|(_, policy)| policy).collect();
        let in_turn = || having[(seed % having.len() as u64) as usize];
        Schedule {
            seed,
            members: self.members.of(seed),
            policy: self.policy.unwrap_or_else(in_turn),
            faults: self.faults.unwrap_or(Faults::ALL),
            mutation: self.broken.unwrap_or_default(),
        }
    }
}

fn name_of<T: Copy + PartialEq>(all: &[(&'static str, T)], wanted: T) -> &'static str {
    all.iter().find(|(_, known)| *known == wanted).map_or("", |(name, _)| name)
}

fn one(arguments: &Run, seed: u64) -> Tally {
    let ran = arguments.schedule(seed).run();
    if !arguments.json.json {
        ran.timeline.iter().for_each(|line| println!("{line}"));
    }
    let mut tally = Tally::default();
    tally.add(seed, &ran);
    tally
}

/// Runs all seeds on all cores.
fn all(arguments: &Run, screen: Screen) -> Tally {
    let next = AtomicU64::new(arguments.seeds.start);
    let progress = Progress { of: arguments.seeds.clone(), screen, began: Instant::now() };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let worker = |first: bool| work(arguments, &next, first.then_some(&progress));
        let workers: Vec<_> = (0..cores).map(|n| scope.spawn(move || worker(n == 0))).collect();
        for worker in workers {
            tally.merge(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    tally
}

fn work(arguments: &Run, next: &AtomicU64, progress: Option<&Progress>) -> Tally {
    let mut tally = Tally::default();
    let mut said = Instant::now();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= arguments.seeds.end {
            return tally;
        }
        tally.add(seed, &arguments.schedule(seed).run());
        if let Some(progress) = progress.filter(|_| said.elapsed() >= SAID_EVERY) {
            progress.say(seed);
            said = Instant::now();
        }
    }
}

struct Progress {
    of: std::ops::Range<u64>,
    screen: Screen,
    began: Instant,
}

impl Progress {
    fn say(&self, seed: u64) {
        if self.screen == Screen::Quiet {
            return;
        }
        let (done, all) = (seed - self.of.start, self.of.end - self.of.start);
        let left = self.began.elapsed().as_secs() * (all - done) / done.max(1);
        eprintln!("{done} of {all} schedules, {left} s left");
    }
}

fn tell_smallest(schedule: &Schedule) {
    if let Some(shrunk) = schedule.shrink() {
        println!("{}", story(schedule, &shrunk));
    }
}

fn story(schedule: &Schedule, shrunk: &Shrunk) -> String {
    let Shrunk { kept, faults, outcome } = shrunk;
    let Schedule { seed, members, policy, mutation, .. } = schedule;
    let steps: String = outcome.steps.iter().map(|step| format!("  {step}\n")).collect();
    format!(
        "seed {seed} made small: {} steps, faults: {}\n{steps}what happens then:\n{}\n{}\nas a test:\n  \
         let schedule = Schedule {{ mutation: Mutation::{mutation:?}, ..Schedule::new({seed}, {members}, Policy::{policy:?}) }};\n  \
         let outcome = schedule.keeping(&{kept:?}, {faults:?});\n  \
         assert_eq!(outcome.violations, []);",
        kept.len(),
        named(*faults),
        indented(outcome),
        outcome.violations.first().map_or_else(String::new, |v| format!("{:?}: {}", v.property, v.what)),
    )
}

fn named(faults: Faults) -> String {
    let names = faults.names();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn indented(outcome: &Ran) -> String {
    let lines: Vec<String> = outcome.timeline.iter().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

const SAID_EVERY: Duration = Duration::from_secs(10);
