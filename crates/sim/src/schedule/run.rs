use groma_model::Span;

use super::{Faults, Mutation, Policy};
use crate::cluster::{Cluster, Settings, Violation};
use crate::rng::Rng;

/// A random schedule: members, changes and faults, all by the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Decides everything below.
    pub seed: u64,
    /// How many members at most.
    pub members: usize,
    /// How they share out.
    pub policy: Policy,
    /// What goes wrong.
    pub faults: Faults,
    /// Which rule is broken on purpose.
    pub mutation: Mutation,
}

/// What became of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Generations that were settled.
    pub rounds: u64,
    /// Faults that struck.
    pub faults: u64,
    /// Changes of membership, subscriptions and topics.
    pub changes: u64,
    /// Resources that were started on a member.
    pub moves: u64,
    /// What did not hold.
    pub violations: Vec<Violation>,
    /// One line for each thing that happened.
    pub timeline: Vec<String>,
}

impl Schedule {
    /// A schedule with every fault and no broken rule.
    pub const fn new(seed: u64, members: usize, policy: Policy) -> Self {
        Self { seed, members, policy, faults: Faults::ALL, mutation: Mutation::None }
    }

    /// Runs it: changes under faults, then peace until nothing moves, then the accounts.
    pub fn run(&self) -> Outcome {
        let mut run = Run::new(self);
        for _ in 0..run.rng.between(6, 16) {
            run.change();
            let wait = run.pause();
            run.cluster.run_for(wait);
        }
        run.make_peace();
        run.cluster.drive();
        run.cluster.check_settled();
        run.cluster.check_quiet();
        Outcome {
            rounds: run.cluster.generations() as u64,
            faults: run.cluster.faults_struck() + run.struck,
            changes: run.changes,
            moves: run.cluster.moves(),
            violations: run.cluster.violations().to_vec(),
            timeline: run.cluster.timeline().to_vec(),
        }
    }
}

struct Run<'a> {
    schedule: &'a Schedule,
    rng: Rng,
    cluster: Cluster,
    struck: u64,
    changes: u64,
}

impl<'a> Run<'a> {
    fn new(schedule: &'a Schedule) -> Self {
        let mut rng = Rng::new(schedule.seed ^ 0x6772_6f6d_6120_7369);
        let mut settings = Settings::new(schedule.policy.strategies());
        settings.seed = rng.bits();
        settings.latency = (Span::from_millis(1), Span::from_millis(rng.between(1, 60)));
        settings.stop = (Span::ZERO, Span::from_millis(rng.between(1, 4000)));
        settings.coordinator.initial_rebalance_delay = Span::from_millis(rng.below(2) * 500);
        schedule.mutation.apply(&mut settings);
        let mut cluster = Cluster::new(settings);
        cluster.topic("T", rng.between(1, 8) as u32);
        cluster.set_faults(schedule.faults);
        Self { schedule, rng, cluster, struck: 0, changes: 0 }
    }

    fn pause(&mut self) -> Span {
        match self.rng.below(3) {
            0 => Span::from_millis(self.rng.below(50)),
            1 => Span::from_millis(self.rng.below(2000)),
            _ => Span::from_millis(self.rng.below(25_000)),
        }
    }

    fn change(&mut self) {
        self.changes += 1;
        if self.rng.one_in(self.schedule.faults.coordinator) {
            let down = Span::from_millis(self.rng.below(15_000));
            return self.cluster.crash_coordinator(down);
        }
        let awake = self.cluster.awake();
        let Some(name) = self.rng.pick(&awake).cloned() else { return self.newcomer() };
        match self.rng.below(8) {
            0..=2 => self.newcomer(),
            3 => self.cluster.leave(&name),
            4 => self.other_topics(&name),
            5 => self.topics_change(),
            _ if self.rng.one_in(self.schedule.faults.crash) => self.strike(&name),
            _ => self.bounce(&name),
        }
    }

    /// Somebody who is not there starts: as a static member if the name says so.
    fn newcomer(&mut self) {
        let names: Vec<String> = (0..self.schedule.members).map(|n| format!("{}", Name(n))).collect();
        let up = self.cluster.up();
        let absent: Vec<&String> = names.iter().filter(|n| !up.contains(n)).collect();
        let Some(name) = self.rng.pick(&absent).map(|n| (*n).clone()) else { return };
        self.start(&name);
    }

    fn start(&mut self, name: &str) {
        if name.starts_with('S') { self.cluster.join_static(name) } else { self.cluster.join(name) }
    }

    fn bounce(&mut self, name: &str) {
        self.cluster.leave(name);
        let wait = self.pause();
        self.cluster.restart_after(name, wait);
    }

    fn strike(&mut self, name: &str) {
        self.struck += 1;
        if self.rng.one_in(3) {
            let wait = self.pause();
            return self.cluster.freeze(name, wait);
        }
        self.cluster.crash(name);
        if self.rng.one_in(2) {
            let wait = self.pause();
            self.cluster.restart_after(name, wait);
        }
    }

    fn other_topics(&mut self, name: &str) {
        let choice: &[&str] = match self.rng.below(3) {
            0 => &["T"],
            1 => &["U"],
            _ => &["T", "U"],
        };
        self.cluster.subscribe(name, choice);
    }

    fn topics_change(&mut self) {
        let partitions = self.rng.between(1, 9) as u32;
        match self.rng.below(4) {
            0 => self.cluster.delete_topic("U"),
            1 => self.cluster.topic("T", partitions),
            _ => self.cluster.topic("U", partitions),
        }
    }

    fn make_peace(&mut self) {
        self.cluster.set_faults(Faults::NONE);
        self.cluster.run_for(Span::from_secs(30));
        for name in self.cluster.up() {
            self.cluster.stop_takes(&name, Span::from_millis(50));
        }
    }
}

/// A name: A, B, SC, D, E, SF, ...; those with an S are static members.
struct Name(usize);

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = char::from(b'A' + (self.0 % 26) as u8);
        if self.0 % 3 == 2 {
            write!(f, "S")?
        }
        write!(f, "{letter}")?;
        if self.0 >= 26 { write!(f, "{}", self.0 / 26) } else { Ok(()) }
    }
}
