use groma_model::Span;

use super::last::{LastChange, Promises};
use super::rogue::rogue;
use super::{Change, Contender, Faults, Mutation, Policy, Step};
use crate::cluster::{Bounds, Cluster, Dialect, Make, Settings, Violation};
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
    /// What was done to the group.
    pub steps: Vec<Step>,
    /// Resources that were started on a member.
    pub moves: u64,
    /// How often a leader that breaks the rules gave away what somebody held (B89); each time was named.
    pub breaches: u64,
    /// What did not hold.
    pub violations: Vec<Violation>,
    /// One line for each thing that happened.
    pub timeline: Vec<String>,
}

impl Outcome {
    /// Changes of membership among the steps.
    pub fn membership_changes(&self) -> usize {
        self.steps.iter().filter(|step| step.change.is_of_membership()).count()
    }
}

impl Schedule {
    /// A schedule with every fault and no broken rule.
    pub const fn new(seed: u64, members: usize, policy: Policy) -> Self {
        Self { seed, members, policy, faults: Faults::ALL, mutation: Mutation::None }
    }

    /// Runs it: changes under faults, then peace until nothing moves, then the accounts. Unless the world is perfect,
    /// it goes on until at least 5 faults have struck and 2 members have come or gone.
    pub fn run(&self) -> Outcome {
        self.run_with(&Contender::of(self.policy))
    }

    /// Runs it with members that share out in a way of their own, instead of by its policy. A broken rule is broken for
    /// them too.
    pub fn run_with(&self, contender: &Contender) -> Outcome {
        let mut run = Run::new(self, contender, self.faults);
        let usual = run.rng.between(6, 16) as usize;
        while run.steps.len() < usual || (run.is_tame() && run.steps.len() < STEPS_MAX) {
            let step = Step { change: run.choose(), wait: run.pause() };
            run.take(step);
        }
        run.end()
    }

    /// Runs these steps of it instead of its own, with these of its faults.
    pub fn replay(&self, steps: &[Step], faults: Faults) -> Outcome {
        let contender = Contender::of(self.policy);
        let mut run = Run::new(self, &contender, faults);
        steps.iter().for_each(|step| run.take(step.clone()));
        run.end()
    }
}

/// A schedule that is still tame after so many steps stays so.
const STEPS_MAX: usize = 60;
const FAULTS_MIN: u64 = 5;
const MEMBERSHIP_CHANGES_MIN: usize = 2;

struct Run<'a> {
    schedule: &'a Schedule,
    contender: &'a Contender,
    rng: Rng,
    /// For what was thought of later: named seeds stay what they are.
    twist: Rng,
    /// Whether there are processes that break the rules when they lead.
    rogues: bool,
    cluster: Cluster,
    steps: Vec<Step>,
}

impl<'a> Run<'a> {
    fn new(schedule: &'a Schedule, contender: &'a Contender, faults: Faults) -> Self {
        let mut rng = Rng::new(schedule.seed ^ 0x6772_6f6d_6120_7369);
        let mut settings = Settings::new(contender.strategies());
        settings.seed = rng.bits();
        settings.bounds = contender.bounds();
        settings.latency = (Span::from_millis(1), Span::from_millis(rng.between(1, 60)));
        settings.stop = (Span::ZERO, Span::from_millis(rng.between(1, 4000)));
        settings.coordinator.initial_rebalance_delay = Span::from_millis(rng.below(2) * 500);
        let mut twist = Rng::new(schedule.seed ^ 0x6c61_7465_7220_6f6e);
        if twist.one_in(faults.peer)
            && let Some(mixture) = twist.pick(contender.mixtures())
        {
            mix(&mut settings, mixture.clone());
        }
        if twist.one_in(faults.crowd) {
            settings.coordinator.members_max = twist.between(1, schedule.members as u64) as usize;
        }
        let may_meet = settings.makes.is_empty() && contender.follows_cooperative_leaders();
        let rogues = may_meet && Rng::new(schedule.seed ^ 0x7468_6520_726f_6775).one_in(faults.rogue);
        if rogues {
            let ours = Make { strategies: contender.strategies(), dialect: Dialect::Ours };
            mix(&mut settings, vec![ours.clone(), ours, rogue()]);
        }
        schedule.mutation.apply(&mut settings);
        let mut cluster = Cluster::new(settings);
        cluster.topic("T", rng.between(1, 8) as u32);
        cluster.set_faults(faults);
        cluster.let_clocks_differ();
        Self { schedule, contender, rng, twist, rogues, cluster, steps: Vec::new() }
    }

    fn take(&mut self, step: Step) {
        step.change.apply(&mut self.cluster);
        self.cluster.run_for(step.wait);
        self.steps.push(step);
    }

    fn faults(&self) -> u64 {
        let strikes = self.steps.iter().filter(|step| step.change.is_strike()).count() as u64;
        self.cluster.faults_struck() + strikes
    }

    fn is_tame(&self) -> bool {
        let changes = self.steps.iter().filter(|step| step.change.is_of_membership()).count();
        let peaceful = self.schedule.faults == Faults::NONE;
        !peaceful && (self.faults() < FAULTS_MIN || changes < MEMBERSHIP_CHANGES_MIN)
    }

    fn end(mut self) -> Outcome {
        self.make_peace();
        self.cluster.drive();
        self.cluster.check_settled();
        self.cluster.check_quiet();
        if self.cluster.violations().is_empty() {
            self.last_change();
        }
        Outcome {
            rounds: self.cluster.generations() as u64,
            faults: self.faults(),
            moves: self.cluster.moves(),
            breaches: self.cluster.breaches_named(),
            violations: self.cluster.violations().to_vec(),
            timeline: self.cluster.timeline().to_vec(),
            steps: self.steps,
        }
    }

    fn pause(&mut self) -> Span {
        match self.rng.below(3) {
            0 => Span::from_millis(self.rng.below(50)),
            1 => Span::from_millis(self.rng.below(2000)),
            _ => Span::from_millis(self.rng.below(25_000)),
        }
    }

    fn choose(&mut self) -> Change {
        if self.rng.one_in(self.schedule.faults.coordinator) {
            return Change::KillCoordinator(Span::from_millis(self.rng.below(15_000)));
        }
        if let Some(change) = self.twist() {
            return change;
        }
        let awake = self.cluster.awake();
        let Some(name) = self.rng.pick(&awake).cloned() else { return self.newcomer() };
        match self.rng.below(8) {
            0..=2 => self.newcomer(),
            3 => Change::Leave(name),
            4 => self.other_topics(name),
            5 => self.topics_change(),
            _ if self.rng.one_in(self.schedule.faults.crash) => self.strike(name),
            _ => Change::Bounce(name, self.pause()),
        }
    }

    fn twist(&mut self) -> Option<Change> {
        let faults = self.schedule.faults;
        if self.twist.one_in(faults.transfer) {
            return Some(Change::MoveCoordinator);
        }
        let awake = self.cluster.awake();
        if self.twist.one_in(faults.clock.saturating_mul(4)) {
            let ahead = Span::from_millis(self.twist.below(15_000));
            return self.twist.pick(&awake).map(|name| Change::ClockJumps(name.clone(), ahead));
        }
        if self.twist.one_in(faults.twin) {
            let with_identity: Vec<&String> = awake.iter().filter(|name| name.starts_with('S')).collect();
            return self.twist.pick(&with_identity).map(|name| Change::Twin((*name).clone()));
        }
        None
    }

    /// Somebody who is not there starts.
    fn newcomer(&mut self) -> Change {
        let absent = self.absent();
        self.rng.pick(&absent).map_or(Change::Nothing, |name| Change::Start(name.clone()))
    }

    fn absent(&self) -> Vec<String> {
        let names: Vec<String> = (0..self.schedule.members).map(|n| format!("{}", Name(n))).collect();
        let up = self.cluster.up();
        names.into_iter().filter(|name| !up.contains(name)).collect()
    }

    fn strike(&mut self, name: String) -> Change {
        if self.rng.one_in(3) {
            return Change::Freeze(name, self.pause());
        }
        if self.rng.one_in(2) { Change::Replace(name, self.pause()) } else { Change::Kill(name) }
    }

    fn other_topics(&mut self, name: String) -> Change {
        let choice: &[&str] = match self.rng.below(3) {
            0 => &["T"],
            1 => &["U"],
            _ => &["T", "U"],
        };
        Change::Subscribe(name, choice)
    }

    fn topics_change(&mut self) -> Change {
        let partitions = self.rng.between(1, 9) as u32;
        match self.rng.below(4) {
            0 => Change::DeleteTopic("U"),
            1 => Change::Topic("T", partitions),
            _ => Change::Topic("U", partitions),
        }
    }

    /// In peace one more comes, goes, or is killed and replaced: how many rounds that takes, what it moves, what it stops.
    fn last_change(&mut self) {
        let mut rng = Rng::new(self.schedule.seed ^ 0x6c61_7374_2063_6861);
        let up = self.cluster.up();
        let twin = |name: &String| up.iter().any(|other| other.trim_end_matches('+') == name);
        let absent: Vec<String> = self.absent().into_iter().filter(|name| !twin(name)).collect();
        let last = match rng.below(3) {
            0 => rng.pick(&absent).cloned().map(LastChange::Comes),
            1 if up.len() > 1 => rng.pick(&up).cloned().map(LastChange::Goes),
            _ => rng.pick(&up).cloned().map(LastChange::IsReplaced),
        };
        let Some(last) = last else { return };
        let promises = self.promises();
        last.play(&mut self.cluster, promises);
    }

    /// What the policy promises of a single change; nothing where processes of several makes meet.
    fn promises(&self) -> Option<Promises> {
        self.contender.promises().filter(|_| !self.cluster.is_mixed())
    }

    fn make_peace(&mut self) {
        self.cluster.set_faults(Faults::NONE);
        self.cluster.run_for(Span::from_secs(30));
        for name in self.cluster.up() {
            self.cluster.stop_takes(&name, Span::from_millis(50));
        }
        if self.rogues {
            self.cluster.rogues().iter().for_each(|name| self.cluster.leave(name));
            self.cluster.only_ours(self.contender.bounds());
        }
    }
}

/// A group of several makes; what any of them promises, all of them cannot.
fn mix(settings: &mut Settings, makes: Vec<Make>) {
    let all = makes.iter().flat_map(|make| make.strategies.iter());
    let mut known: Vec<&str> = Vec::new();
    let mut union = Vec::new();
    for strategy in all {
        if !known.contains(&strategy.name()) {
            known.push(strategy.name());
            union.push(strategy.clone());
        }
    }
    settings.strategies = union;
    settings.bounds = Bounds { delay: Some(Policy::Deferred.settings().max_delay), moves: None };
    settings.makes = makes;
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
