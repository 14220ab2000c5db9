use std::cmp::Reverse;

use super::shares::shares;
use super::standby::Copies;
use super::{Balance, CatchUp, Task, Worker, weigh};

/// Who does what with which task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// One post for each worker.
    pub posts: Vec<Post>,
    /// How many tasks run, and copies of states are kept, elsewhere than they are to in the end, because nobody there has
    /// caught up: place again once somebody may have.
    pub pending: usize,
}

/// What one worker does; tasks in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// What it runs.
    pub active: Vec<u32>,
    /// Whose state it keeps beside the one who runs it.
    pub standby: Vec<u32>,
    /// Whose state it builds up, to run the task later.
    pub warmup: Vec<u32>,
}

/// Places all tasks: each is run by exactly one worker, its standbys and its warm-up are with others. The same reports
/// always give the same placement. Nothing is placed without workers.
///
/// Time is tasks times workers, and once more the tasks for each copy that moves. Where every warm-up catches up before the next placement, a new worker has its share
/// after (stateful tasks / warm-ups) + 1 placements.
pub fn place(tasks: &[Task], workers: &[Worker], settings: &CatchUp) -> Placement {
    if workers.is_empty() {
        return Placement { posts: Vec::new(), pending: 0 };
    }
    let mut desk = Desk::new(tasks, workers, settings);
    let home = desk.homes();
    desk.place_stateful(&home);
    desk.place_standbys(&home);
    desk.place_stateless(&home);
    desk.finish()
}

/// Where a task is meant to be run in the end.
type Homes = Vec<usize>;

struct Desk<'a> {
    tasks: &'a [Task],
    workers: &'a [Worker],
    settings: &'a CatchUp,
    /// For each task the worker that reports to run it, and whoever else has some of its state.
    runner: Vec<Option<usize>>,
    active: Vec<Option<usize>>,
    posts: Vec<Post>,
    /// How many tasks warm up, and what they cost together.
    warming: (usize, u64),
    pending: usize,
}

impl<'a> Desk<'a> {
    fn new(tasks: &'a [Task], workers: &'a [Worker], settings: &'a CatchUp) -> Self {
        let mut runner = vec![None; tasks.len()];
        for (number, worker) in workers.iter().enumerate() {
            for task in &worker.runs {
                if let Some(slot) = runner.get_mut(*task as usize) {
                    slot.get_or_insert(number);
                }
            }
        }
        Self {
            tasks,
            workers,
            settings,
            runner,
            active: vec![None; tasks.len()],
            posts: vec![Post::default(); workers.len()],
            warming: (0, 0),
            pending: 0,
        }
    }

    fn stateful(&self) -> Vec<u32> {
        (0_u32..).zip(self.tasks).filter(|(_, task)| task.is_stateful()).map(|(number, _)| number).collect()
    }

    fn stateless(&self) -> Vec<u32> {
        (0_u32..).zip(self.tasks).filter(|(_, task)| !task.is_stateful()).map(|(number, _)| number).collect()
    }

    fn lag(&self, worker: usize, task: u32) -> Option<u64> {
        match self.runner[task as usize] == Some(worker) {
            true => Some(0),
            false => self.workers[worker].behind.get(&task).copied(),
        }
    }

    /// By how much a worker is too far behind; small lags come and go, so they are all alike.
    fn excess(&self, worker: usize, task: u32) -> Option<u64> {
        self.lag(worker, task).map(|lag| lag.saturating_sub(self.settings.acceptable))
    }

    fn has_caught_up(&self, worker: usize, task: u32) -> bool {
        self.lag(worker, task).is_some_and(|lag| self.settings.has_caught_up(lag))
    }

    /// The target: shares by capacity. What is run stays as far as that allows.
    fn homes(&self) -> Homes {
        match self.settings.balance {
            Balance::Number => self.homes_by_number(),
            Balance::Size => {
                let costs: Vec<u64> =
                    self.tasks.iter().map(|task| self.settings.cost(task.size()).min(COST_MAX)).collect();
                let held: Vec<Option<usize>> = (0..self.tasks.len() as u32).map(|task| self.best(task)).collect();
                weigh::homes(&costs, &held, self.workers)
            }
        }
    }

    /// Shares first of tasks with state, then of all.
    fn homes_by_number(&self) -> Homes {
        let mut home = vec![usize::MAX; self.tasks.len()];
        let mut load = vec![0; self.workers.len()];
        for numbers in [self.stateful(), self.stateless()] {
            let mut held = vec![0; self.workers.len()];
            numbers.iter().filter_map(|task| self.best(*task)).for_each(|worker| held[worker] += 1);
            let in_hand: Vec<usize> = load.iter().zip(held).map(|(load, held)| load + held).collect();
            let total = numbers.len() + load.iter().sum::<usize>();
            let share = shares(total, self.workers, &in_hand);
            self.settle(&numbers, &share, (&mut home, &mut load));
        }
        home
    }

    fn settle(&self, numbers: &[u32], share: &[usize], (home, load): (&mut Homes, &mut Vec<usize>)) {
        let has_room = |worker: usize, load: &[usize]| load[worker] < share[worker];
        let mut kept: Vec<(u32, usize)> =
            numbers.iter().filter_map(|t| self.runner[*t as usize].map(|runner| (*t, runner))).collect();
        let mut wanted = load.clone();
        kept.iter().for_each(|(_, runner)| wanted[*runner] += 1);
        let takers: Vec<usize> = (0..self.workers.len()).filter(|worker| has_room(*worker, &wanted)).collect();
        // Those that nobody who has room could take over soon come first, so that others are given up.
        kept.sort_by_cached_key(|(task, _)| {
            let soonest = takers.iter().filter_map(|worker| self.excess(*worker, *task)).min();
            (Reverse(soonest.unwrap_or(u64::MAX)), *task)
        });
        for (task, runner) in kept {
            if has_room(runner, load) {
                home[task as usize] = runner;
                load[runner] += 1;
            }
        }
        let mut rest: Vec<u32> = numbers.iter().filter(|t| home[**t as usize] == usize::MAX).copied().collect();
        rest.sort_by_cached_key(|task| {
            ((0..self.workers.len()).filter_map(|w| self.lag(w, *task)).min().is_none(), *task)
        });
        for task in rest {
            let key = |worker: &usize| {
                (
                    !has_room(*worker, load),
                    self.excess(*worker, task).unwrap_or(u64::MAX),
                    load[*worker] as u64 * LOAD_UNIT / self.workers[*worker].weight(),
                    *worker,
                )
            };
            if let Some(worker) = (0..self.workers.len()).min_by_key(key) {
                home[task as usize] = worker;
                load[worker] += 1;
            }
        }
    }

    /// Each runs at home if home has caught up, or nobody is better; else where it is or its state is newest, and home
    /// warms up as far as the limit of warm-ups allows.
    fn place_stateful(&mut self, home: &Homes) {
        for task in self.stateful() {
            let home = home[task as usize];
            let better =
                if self.has_caught_up(home, task) { None } else { self.best(task).filter(|best| *best != home) };
            let Some(better) = better else {
                self.activate(task, home);
                continue;
            };
            self.activate(task, better);
            self.warm_up(home, task);
        }
    }

    /// A worker is to build up a state, as far as the limit of warm-ups allows.
    fn warm_up(&mut self, worker: usize, task: u32) {
        self.pending += 1;
        let left = self.lag(worker, task).unwrap_or_else(|| self.tasks[task as usize].size());
        let cost = self.settings.cost(left);
        if self.settings.warmups.admits(self.warming, cost) {
            self.warming = (self.warming.0 + 1, self.warming.1.saturating_add(cost));
            self.posts[worker].warmup.push(task);
        }
    }

    /// Who is to run a task if that must be somebody who can at once: whoever runs it, else who has caught up and has
    /// least to do, else who is least behind; nobody if nobody has any of its state.
    fn best(&self, task: u32) -> Option<usize> {
        if let Some(runner) = self.runner[task as usize] {
            return Some(runner);
        }
        let known = (0..self.workers.len()).filter_map(|worker| Some((self.excess(worker, task)?, worker)));
        known.min_by_key(|(lag, worker)| (*lag, self.posts[*worker].active.len(), *worker)).map(|(_, worker)| worker)
    }

    fn activate(&mut self, task: u32, worker: usize) {
        self.active[task as usize] = Some(worker);
        self.posts[worker].active.push(task);
    }

    /// Copies are kept where they are to be in the end if that has caught up, or nobody else has; else somebody else who has
    /// keeps them yet, and they are built up there as far as the limit of warm-ups allows.
    fn place_standbys(&mut self, home: &Homes) {
        if self.settings.standbys == 0 {
            return;
        }
        let homes = self.standby_homes(home);
        for task in self.stateful() {
            for worker in &homes[task as usize] {
                if !self.is_free(*worker, task) {
                    continue;
                }
                let meanwhile = match self.has_caught_up(*worker, task) {
                    true => None,
                    false => self.substitute(task, |other| !homes[task as usize].contains(&other)),
                };
                match meanwhile {
                    Some(other) => {
                        self.posts[other].standby.push(task);
                        self.warm_up(*worker, task);
                    }
                    None => self.posts[*worker].standby.push(task),
                }
            }
            let kept = self.posts.iter().filter(|post| post.standby.contains(&task)).count();
            for _ in kept..self.settings.standbys as usize {
                let key =
                    |worker: &usize| (self.excess(*worker, task).unwrap_or(u64::MAX), self.keeps(*worker), *worker);
                let free = (0..self.workers.len()).filter(|worker| self.is_free(*worker, task));
                let Some(worker) = free.min_by_key(key) else { break };
                self.posts[worker].standby.push(task);
            }
        }
    }

    fn standby_homes(&self, home: &Homes) -> Vec<Vec<usize>> {
        let mut runs = vec![0; self.workers.len()];
        home.iter().for_each(|worker| runs[*worker] += 1);
        let stateful = |(task, home): (&Task, &usize)| task.is_stateful().then_some(*home);
        let home: Vec<Option<usize>> = self.tasks.iter().zip(home).map(stateful).collect();
        let count = self.settings.standbys as usize;
        Copies { workers: self.workers, home: &home, runs: &runs, count }.homes(|worker, task| {
            let follows = self.workers[worker].follows.contains(&task) || self.runner[task as usize] == Some(worker);
            (self.excess(worker, task), !follows)
        })
    }

    /// Somebody who has caught up and has nothing to do with a task.
    fn substitute(&self, task: u32, may: impl Fn(usize) -> bool) -> Option<usize> {
        let ready = |worker: &usize| self.is_free(*worker, task) && self.has_caught_up(*worker, task) && may(*worker);
        let key = |worker: &usize| (!self.workers[*worker].follows.contains(&task), self.keeps(*worker), *worker);
        (0..self.workers.len()).filter(ready).min_by_key(key)
    }

    fn is_free(&self, worker: usize, task: u32) -> bool {
        let post = &self.posts[worker];
        self.active[task as usize] != Some(worker) && !post.standby.contains(&task) && !post.warmup.contains(&task)
    }

    fn keeps(&self, worker: usize) -> u64 {
        self.posts[worker].standby.len() as u64 * LOAD_UNIT / self.workers[worker].weight()
    }

    fn place_stateless(&mut self, home: &Homes) {
        for task in self.stateless() {
            self.activate(task, home[task as usize]);
        }
    }

    fn finish(mut self) -> Placement {
        for post in &mut self.posts {
            post.active.sort_unstable();
            post.standby.sort_unstable();
            post.warmup.sort_unstable();
        }
        Placement { posts: self.posts, pending: self.pending }
    }
}

/// States that cost more are alike in balance: so many of them can be added up.
const COST_MAX: u64 = u32::MAX as u64;
/// Loads are compared per capacity in whole numbers of this fineness.
pub(super) const LOAD_UNIT: u64 = 1 << 20;
