use std::collections::VecDeque;

use super::Worker;
use super::shares::shares_by;

/// Where copies of states are to be kept in the end: for each task those that keep it.
pub(super) struct Copies<'a> {
    pub(super) workers: &'a [Worker],
    /// For each task who is to run it; none for a task without state, of which there are no copies.
    pub(super) home: &'a [Option<usize>],
    /// How many tasks each worker is to run.
    pub(super) runs: &'a [usize],
    pub(super) count: usize,
}

/// How little it costs that a worker keeps a copy: by how much it is too far behind, none for nothing at all, and
/// whether it does not follow the task yet.
pub(super) type Distance = (Option<u64>, bool);

impl Copies<'_> {
    /// Copies stay where they are, as far as workers have equal shares of them; where these cannot be whole, those that
    /// run fewer tasks keep one more. So neither copies nor tasks and copies together differ by more than one between
    /// workers of equal capacity, unless too few could keep them.
    pub(super) fn homes(&self, distance: impl Fn(usize, u32) -> Distance) -> Vec<Vec<usize>> {
        let rank = |worker: usize, task: u32| {
            let (excess, strange) = distance(worker, task);
            (excess.unwrap_or(u64::MAX), strange)
        };
        let (mut kept, mut load) = (vec![Vec::new(); self.home.len()], vec![0_usize; self.workers.len()]);
        let mut order: Vec<u32> = (0..self.home.len() as u32).filter(|t| self.home[*t as usize].is_some()).collect();
        order.sort_by_cached_key(|task| {
            let near = (0..self.workers.len()).filter(|worker| rank(*worker, *task) == (0, false)).count();
            (near == 0, near, *task)
        });
        for task in order {
            for _ in 0..self.count {
                let near = |worker: &usize| (rank(*worker, task), self.per_capacity(load[*worker], *worker), *worker);
                let free = (0..self.workers.len()).filter(|worker| self.may_keep(&kept, *worker, task));
                let Some(worker) = free.min_by_key(near) else { break };
                kept[task as usize].push(worker);
                load[worker] += 1;
            }
        }
        self.level((&mut kept, &mut load), rank);
        kept
    }

    fn may_keep(&self, kept: &[Vec<usize>], worker: usize, task: u32) -> bool {
        self.home[task as usize] != Some(worker) && !kept[task as usize].contains(&worker)
    }

    fn per_capacity(&self, load: usize, worker: usize) -> u64 {
        load as u64 * super::place::LOAD_UNIT / self.workers[worker].weight()
    }

    /// Moves copies from those that have more than their share to those that have less, over others where it must be.
    fn level(&self, (kept, load): (&mut [Vec<usize>], &mut [usize]), rank: impl Fn(usize, u32) -> (u64, bool)) {
        let in_hand = |worker: &usize| std::cmp::Reverse(load[*worker]);
        let first = |worker: &usize| (self.per_capacity(self.runs[*worker], *worker), in_hand(worker), *worker);
        let share = shares_by(load.iter().sum(), self.workers, first);
        while let Some(path) = self.path((&*kept, &*load, &share), &rank) {
            for (task, from, to) in path {
                kept[task as usize].iter_mut().filter(|worker| **worker == from).for_each(|worker| *worker = to);
                (load[from], load[to]) = (load[from] - 1, load[to] + 1);
            }
        }
    }

    /// The shortest way from one that has too many to one that has too few: which copies go from whom to whom.
    fn path(
        &self,
        (kept, load, share): (&[Vec<usize>], &[usize], &[usize]),
        rank: &impl Fn(usize, u32) -> (u64, bool),
    ) -> Option<Vec<(u32, usize, usize)>> {
        let mut from: Vec<Option<(u32, usize)>> = vec![None; self.workers.len()];
        let mut queue: VecDeque<usize> = (0..self.workers.len()).filter(|w| load[*w] > share[*w]).collect();
        let mut seen: Vec<bool> = load.iter().zip(share).map(|(load, share)| load > share).collect();
        let mut of: Vec<Vec<u32>> = vec![Vec::new(); self.workers.len()];
        (0_u32..).zip(kept).for_each(|(task, list)| list.iter().for_each(|worker| of[*worker].push(task)));
        while let Some(giver) = queue.pop_front() {
            for taker in 0..self.workers.len() {
                let can = |task: &&u32| self.may_keep(kept, taker, **task);
                let best = of[giver].iter().filter(can).min_by_key(|task| (rank(taker, **task), **task));
                let (false, Some(task)) = (seen[taker], best) else { continue };
                (seen[taker], from[taker]) = (true, Some((*task, giver)));
                if load[taker] < share[taker] {
                    return Some(way(&from, taker));
                }
                queue.push_back(taker);
            }
        }
        None
    }
}

/// The steps that lead to one, the last first, so that who passes a copy on has room before it gets another.
fn way(from: &[Option<(u32, usize)>], end: usize) -> Vec<(u32, usize, usize)> {
    let (mut steps, mut to) = (Vec::new(), end);
    while let Some((task, giver)) = from[to] {
        steps.push((task, giver, to));
        to = giver;
    }
    steps
}
