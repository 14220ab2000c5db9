use groma_model::Span;
use groma_rebalance::policy::Limit;
use groma_rebalance::tasks::CatchUp;

use super::TaskRule;
use super::check::{TaskProperty, TaskViolation};
use super::site::Site;
use super::world::{PROBING, World};
use crate::rng::Rng;

/// A random schedule of a group of tasks with state: workers that come, go, are killed and come back, all by the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskSchedule {
    /// Decides everything below.
    pub seed: u64,
    /// How many workers at most.
    pub members: usize,
    /// Which rule is broken on purpose.
    pub rule: TaskRule,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskOutcome {
    /// Rounds that were closed.
    pub rounds: u64,
    /// Kills, and messages that were lost or late.
    pub faults: u64,
    /// Workers that came or went.
    pub membership_changes: u64,
    /// Tasks that began to run anywhere.
    pub moves: u64,
    /// What did not hold.
    pub violations: Vec<TaskViolation>,
    /// One line for each thing that happened.
    pub timeline: Vec<String>,
}

impl TaskSchedule {
    /// A schedule with no broken rule.
    pub const fn new(seed: u64, members: usize) -> Self {
        Self { seed, members, rule: TaskRule::None }
    }

    /// Runs it: changes under faults, then peace until nothing moves, then the accounts.
    pub fn run(&self) -> TaskOutcome {
        let mut rng = Rng::new(self.seed ^ 0x7461_736b_7320_2121);
        let settings = CatchUp {
            acceptable: 2_000,
            warmups: Limit::moves(rng.between(1, 3) as u32),
            standbys: rng.below(3) as u32,
            ..CatchUp::default()
        };
        let settings = if self.rule == TaskRule::None { settings } else { CatchUp { standbys: 1, ..settings } };
        let tasks = rng.between(1, 12);
        let mut world = World::new(Rng::new(rng.bits()), settings, self.rule, tasks);
        for number in 0..self.members.max(1) {
            let prefix = if number % 3 == 2 { "S" } else { "W" };
            // From slower than what runs to a whole state in a second.
            let pace = [25, 400, 5_000, 100_000][rng.below(4) as usize];
            world.sites.push(Site::new(format!("{prefix}{number}"), pace));
        }
        world.trouble = [0, 20, 60][rng.below(3) as usize];
        let mut changes = 0;
        let steps = rng.between(8, 20);
        while changes < steps || world.faults < FAULTS_MIN && changes < CHANGES_MAX {
            self.change(&mut world, &mut rng);
            changes += 1;
            let wait = [500, 5_000, 40_000][rng.below(3) as usize];
            world.run_for(Span::from_millis(rng.below(wait)));
        }
        self.make_peace(&mut world);
        TaskOutcome {
            rounds: world.rounds,
            faults: world.faults,
            membership_changes: changes,
            moves: world.starts,
            violations: world.violations,
            timeline: world.timeline,
        }
    }

    fn change(&self, world: &mut World, rng: &mut Rng) {
        let up: Vec<usize> = (0..world.sites.len()).filter(|place| world.sites[*place].is_member()).collect();
        let down: Vec<usize> = (0..world.sites.len()).filter(|place| world.sites[*place].member.is_none()).collect();
        let leader = world.leader();
        let away = Span::from_millis(rng.below(25_000));
        match (rng.below(8), rng.pick(&up).copied(), rng.pick(&down).copied()) {
            (0..=2, _, Some(place)) | (_, None, Some(place)) => world.start(place),
            (3, Some(place), _) => world.leave(place),
            (4, Some(place), _) => world.kill(place),
            (5, Some(place), _) => self.strike(world, leader.unwrap_or(place), away),
            (6, Some(place), _) => {
                self.strike(world, place, away);
                world.wipe(place);
            }
            (_, Some(place), _) => self.strike(world, place, away),
            (_, None, None) => {}
        }
    }

    fn strike(&self, world: &mut World, place: usize, away: Span) {
        world.kill(place);
        world.start_after(place, away);
    }

    /// Without faults all becomes level and quiet.
    fn make_peace(&self, world: &mut World) {
        world.trouble = 0;
        world.run_for(Span::from_secs(60));
        // Whoever restores slower than tasks go on never catches up.
        world.sites.iter_mut().for_each(|site| site.pace = site.pace.max(2_000));
        let (rounds, starts) = (world.rounds, world.starts);
        let end = world.now + PROBING.times(LOOKS_MAX);
        while world.now < end && world.now.since(world.stirred) < PROBING.times(2) {
            world.run_for(Span::from_secs(5));
        }
        world.check_end();
        let jobs = world.ends.len() as u64 * u64::from(1 + world.settings.standbys);
        let (rounds, starts) = (world.rounds - rounds, world.starts - starts);
        if starts > world.ends.len() as u64 || rounds > 4 * jobs + 4 {
            let what = format!("{starts} tasks of {} moved in {rounds} rounds", world.ends.len());
            world.violate(TaskProperty::MovesFew, what);
        }
        let before = world.rounds;
        world.run_for(PROBING.times(3));
        if world.rounds != before {
            world.violate(TaskProperty::Quiet, format!("{} rounds without a cause", world.rounds - before));
        }
    }
}

const FAULTS_MIN: u64 = 5;
/// After so many changes a schedule ends, however little went wrong.
const CHANGES_MAX: u64 = 200;
/// In peace all is level within so many probing intervals.
const LOOKS_MAX: u64 = 100;
