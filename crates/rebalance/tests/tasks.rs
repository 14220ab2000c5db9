//! Placement of tasks with state: a table of cases, and what must hold of every placement.

use std::collections::{BTreeMap, BTreeSet};

use groma_rebalance::policy::Limit;
use groma_rebalance::tasks::{Balance, CatchUp, Placement, Task, Worker, place};
use proptest::prelude::*;

const NEAR: u64 = 10;
const FAR: u64 = 1_000_000;
const SOME: Task = Task::Stateful { size: FAR };

fn worker(runs: &[u32], behind: &[(u32, u64)]) -> Worker {
    Worker { capacity: 1, runs: runs.to_vec(), behind: behind.iter().copied().collect(), ..Worker::default() }
}

fn settings(standbys: u32, warmups: u32) -> CatchUp {
    CatchUp { standbys, warmups: Limit::moves(warmups), ..CatchUp::default() }
}

fn stateful(count: usize) -> Vec<Task> {
    vec![SOME; count]
}

/// What each worker runs, keeps and warms up.
fn said(placement: &Placement) -> Vec<(Vec<u32>, Vec<u32>, Vec<u32>)> {
    placement.posts.iter().map(|p| (p.active.clone(), p.standby.clone(), p.warmup.clone())).collect()
}

fn row(active: &[u32], standby: &[u32], warmup: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    (active.to_vec(), standby.to_vec(), warmup.to_vec())
}

#[test]
fn a_group_that_begins_runs_everything_at_once() {
    let placement = place(&stateful(4), &[worker(&[], &[]), worker(&[], &[])], &settings(0, 2));
    assert_eq!(said(&placement), [row(&[0, 2], &[], &[]), row(&[1, 3], &[], &[])]);
    assert_eq!(placement.pending, 0);
}

#[test]
fn a_newcomer_warms_up_before_it_runs_anything() {
    let workers = [worker(&[0, 1, 2, 3], &[]), worker(&[], &[])];
    let placement = place(&stateful(4), &workers, &settings(0, 1));
    assert_eq!(said(&placement), [row(&[0, 1, 2, 3], &[], &[]), row(&[], &[], &[2])]);
    assert_eq!(placement.pending, 2, "one warms up, another is to follow");
    let warm = [worker(&[0, 1, 2, 3], &[]), worker(&[], &[(2, NEAR)])];
    let placement = place(&stateful(4), &warm, &settings(0, 1));
    assert_eq!(said(&placement), [row(&[0, 1, 3], &[], &[]), row(&[2], &[], &[3])]);
}

#[test]
fn a_warm_up_that_is_not_ready_goes_on_where_it_is() {
    let workers = [worker(&[0, 1, 2, 3], &[]), worker(&[], &[(1, FAR)])];
    let placement = place(&stateful(4), &workers, &settings(0, 1));
    assert_eq!(said(&placement)[1], row(&[], &[], &[1]));
}

#[test]
fn what_warms_up_is_what_is_given_up_however_far_behind_those_are_who_have_no_room() {
    for (lag_1, lag_3) in [(0, NEAR), (NEAR, 0), (NEAR, NEAR)] {
        let full = worker(&[0, 2], &[(1, lag_1), (3, lag_3)]);
        let giver = worker(&[1, 3], &[(0, NEAR), (2, NEAR)]);
        for (behind, is_active) in [(FAR / 2, false), (NEAR, true)] {
            for warm in [1, 3] {
                let newcomer = worker(&[], &[(warm, behind)]);
                let placement = place(&stateful(4), &[full.clone(), giver.clone(), newcomer], &settings(1, 1));
                let post = &placement.posts[2];
                let at = if is_active { &post.active } else { &post.warmup };
                assert_eq!(at, &[warm], "{behind} behind: {post:?}");
            }
        }
    }
}

#[test]
fn a_standby_takes_over_from_a_dead_worker_at_once() {
    let workers = [worker(&[0], &[(2, FAR)]), worker(&[1], &[(2, NEAR)])];
    let placement = place(&stateful(3), &workers, &settings(1, 2));
    assert_eq!(placement.posts[1].active, [1, 2]);
    assert!(placement.posts[0].standby.contains(&2) && placement.pending == 0);
}

#[test]
fn b57_where_nobody_has_caught_up_the_least_behind_runs_it_and_its_home_warms_up() {
    let workers = [worker(&[0, 1], &[(2, FAR)]), worker(&[], &[(2, 2 * FAR)])];
    let placement = place(&stateful(3), &workers, &settings(0, 2));
    assert_eq!(said(&placement), [row(&[0, 1, 2], &[], &[]), row(&[], &[], &[2])]);
    assert_eq!(placement.pending, 1);
}

#[test]
fn stateless_tasks_move_at_once_and_level_all() {
    let tasks = [SOME, SOME, Task::Stateless, Task::Stateless];
    let placement = place(&tasks, &[worker(&[0, 1, 2, 3], &[]), worker(&[], &[])], &settings(0, 2));
    assert_eq!(placement.posts[0].active.len() + placement.posts[1].active.len(), 4);
    assert_eq!(placement.posts[1].warmup.len(), 1);
    assert!(!placement.posts[1].active.is_empty(), "{placement:?}");
}

#[test]
fn shares_go_by_capacity() {
    let large = Worker { capacity: 3, ..worker(&[], &[]) };
    let placement = place(&stateful(8), &[worker(&[], &[]), large], &settings(0, 2));
    assert_eq!((placement.posts[0].active.len(), placement.posts[1].active.len()), (2, 6));
}

/// Tasks with so many records of state, in units of what counts as caught up.
fn sized(sizes: &[u64]) -> Vec<Task> {
    sizes.iter().map(|size| Task::Stateful { size: size * CatchUp::default().acceptable }).collect()
}

#[test]
fn no_more_state_warms_up_at_a_time_than_allowed_but_one_task_always() {
    let workers = [worker(&[0, 1, 2, 3, 4, 5], &[]), worker(&[], &[])];
    let tasks = sized(&[1, 1, 1, 30, 4, 4]);
    let warm = |cost: u64, behind: &[(u32, u64)]| {
        let workers = [workers[0].clone(), worker(&[], behind)];
        let settings = CatchUp { warmups: Limit::cost(cost), ..CatchUp::default() };
        let placement = place(&tasks, &workers, &settings);
        assert_eq!(placement.pending, 3);
        placement.posts[1].warmup.clone()
    };
    assert_eq!(warm(1000, &[]), [3, 4, 5]);
    assert_eq!(warm(10, &[]), [3], "it costs 31, and goes alone");
    assert_eq!(warm(40, &[]), [3, 4]);
    assert_eq!(warm(10, &[(3, 20_000)]), [3, 4], "it has 2 left to restore, which cost 3");
    let both = CatchUp { warmups: Limit { moves: 2, cost: 1000 }, ..CatchUp::default() };
    assert_eq!(place(&tasks, &workers, &both).posts[1].warmup, [3, 4], "whichever bound is reached first");
}

#[test]
fn state_is_shared_out_by_its_size_if_that_is_asked_for() {
    let tasks = sized(&[90, 30, 30, 30]);
    let by_size = CatchUp { balance: Balance::Size, ..settings(0, 9) };
    let active = |workers: &[Worker], settings| {
        let posts = place(&tasks, workers, settings).posts;
        posts.into_iter().map(|post| post.active).collect::<Vec<_>>()
    };
    let empty = [worker(&[], &[]), worker(&[], &[])];
    assert_eq!(active(&empty, &by_size), [vec![0], vec![1, 2, 3]]);
    assert_eq!(active(&empty, &settings(0, 9)), [vec![0, 2], vec![1, 3]]);
    let near = [worker(&[0, 1], &[]), worker(&[2, 3], &[])];
    let placement = place(&tasks, &near, &by_size);
    assert_eq!((placement.posts[1].warmup.as_slice(), placement.pending), (&[][..], 0), "120 of 180 is within 4/3");
    let uneven = [worker(&[0, 1, 2], &[]), worker(&[3], &[])];
    let placement = place(&tasks, &uneven, &by_size);
    assert_eq!((placement.posts[1].warmup.len(), placement.pending), (1, 1));
}

#[test]
fn size_is_shared_out_by_capacity() {
    let large = Worker { capacity: 3, ..worker(&[], &[]) };
    let by_size = CatchUp { balance: Balance::Size, ..settings(0, 9) };
    let placement = place(&sized(&[10; 8]), &[worker(&[], &[]), large], &by_size);
    assert_eq!((placement.posts[0].active.len(), placement.posts[1].active.len()), (2, 6));
}

#[test]
fn without_workers_nothing_is_placed() {
    assert_eq!(place(&stateful(3), &[], &settings(1, 1)), Placement::default());
}

/// Plays rounds in which every warm-up and standby catches up before the next; yields how many until nothing is
/// pending.
fn rounds(tasks: &[Task], workers: &mut Vec<Worker>, settings: &CatchUp) -> usize {
    for round in 1..=tasks.len() * (1 + settings.standbys as usize) + 2 {
        let placement = place(tasks, workers, settings);
        check(tasks, workers, settings, &placement);
        for (worker, post) in workers.iter_mut().zip(&placement.posts) {
            let mut behind: BTreeMap<u32, u64> = worker.runs.iter().map(|task| (*task, NEAR)).collect();
            behind.extend(post.standby.iter().chain(&post.warmup).map(|task| (*task, NEAR)));
            worker.runs.clone_from(&post.active);
            worker.follows = post.standby.iter().chain(&post.warmup).copied().collect();
            behind.retain(|task, _| tasks[*task as usize] != Task::Stateless && !worker.runs.contains(task));
            worker.behind = behind;
        }
        if placement.pending == 0 {
            return round;
        }
    }
    panic!("no end: {workers:?}");
}

fn check(tasks: &[Task], workers: &[Worker], settings: &CatchUp, placement: &Placement) {
    let mut runners: BTreeMap<u32, usize> = BTreeMap::new();
    for (number, post) in placement.posts.iter().enumerate() {
        for task in &post.active {
            assert_eq!(runners.insert(*task, number), None, "task {task} is run twice");
        }
    }
    assert_eq!(runners.len(), tasks.len(), "every task is run");
    let warmups: usize = placement.posts.iter().map(|post| post.warmup.len()).sum();
    assert!(warmups <= settings.warmups.moves.max(1) as usize, "{warmups} warm-ups");
    for (number, post) in placement.posts.iter().enumerate() {
        let kept: BTreeSet<&u32> = post.standby.iter().chain(&post.warmup).collect();
        assert_eq!(kept.len(), post.standby.len() + post.warmup.len(), "a task is kept twice by one worker");
        assert!(kept.iter().all(|task| runners[*task] != number), "a standby beside its active");
        assert!(kept.iter().all(|task| tasks[**task as usize] != Task::Stateless), "state of a stateless task");
    }
    for (task, runner) in runners.iter().filter(|(task, _)| tasks[**task as usize] != Task::Stateless) {
        let was = workers.iter().position(|worker| worker.runs.contains(task));
        let ready = workers[*runner].behind.get(task).is_some_and(|lag| *lag <= settings.acceptable);
        assert!(was.is_none_or(|was| was == *runner) || ready, "task {task} moved to a worker that is not ready");
        let standbys = placement.posts.iter().filter(|post| post.standby.contains(task)).count();
        let warm = placement.posts.iter().filter(|post| post.warmup.contains(task)).count();
        assert_eq!(standbys, (settings.standbys as usize).min(workers.len() - 1 - warm), "standbys of {task}");
    }
}

fn loads(workers: &[Worker]) -> Vec<usize> {
    workers.iter().map(|worker| worker.runs.len()).collect()
}

fn assert_level(workers: &[Worker]) {
    let loads = loads(workers);
    assert!(loads.iter().max().zip(loads.iter().min()).is_some_and(|(most, least)| most - least <= 1), "{loads:?}");
}

/// Tasks, copies of states, and both together.
fn assert_all_level(workers: &[Worker]) {
    let counts: [fn(&Worker) -> usize; 3] = [|w| w.runs.len(), |w| w.follows.len(), |w| w.runs.len() + w.follows.len()];
    for count in counts {
        let loads: Vec<usize> = workers.iter().map(count).collect();
        let spread = loads.iter().max().zip(loads.iter().min()).map(|(most, least)| most - least);
        assert!(spread <= Some(1), "{loads:?} of {workers:?}");
    }
}

#[test]
fn standbys_level_out_when_a_worker_joins_and_none_is_given_up_before_its_heir_has_caught_up() {
    let (tasks, settings) = (stateful(6), settings(1, 1));
    let mut workers = vec![worker(&[], &[]); 2];
    rounds(&tasks, &mut workers, &settings);
    workers.push(worker(&[], &[]));
    let needed = rounds(&tasks, &mut workers, &settings);
    assert_all_level(&workers);
    assert!(needed <= 2 + 2 + 1, "two tasks and two copies move: {needed} rounds");
}

fn balance() -> impl Strategy<Value = Balance> {
    prop_oneof![Just(Balance::Number), Just(Balance::Size)]
}

prop_compose! {
    fn reports()(
        tasks in proptest::collection::vec(proptest::option::of(0_u64..900_000), 0..14),
        workers in proptest::collection::vec(
            (1_u32..4, proptest::collection::btree_map(0_u32..14, 0_u64..30_000, 0..8)), 1..6),
        runners in proptest::collection::vec(proptest::option::of(0_usize..6), 14),
    ) -> (Vec<Task>, Vec<Worker>) {
        let tasks: Vec<Task> = tasks.iter().map(|s| s.map_or(Task::Stateless, |size| Task::Stateful { size })).collect();
        let mut workers: Vec<Worker> = workers
            .into_iter()
            .map(|(capacity, mut behind)| {
                behind.retain(|task, _| tasks.get(*task as usize).is_some_and(|task| *task != Task::Stateless));
                Worker { capacity, behind, ..Worker::default() }
            })
            .collect();
        let count = workers.len();
        for (task, runner) in runners.iter().enumerate().take(tasks.len()) {
            if let Some(worker) = runner.and_then(|runner| workers.get_mut(runner % count)) {
                worker.behind.remove(&(task as u32));
                worker.runs.push(task as u32);
            }
        }
        (tasks, workers)
    }
}

proptest! {
    #[test]
    fn every_placement_keeps_the_rules(
        (tasks, workers) in reports(), standbys in 0_u32..3, warmups in 0_u32..4, balance in balance(),
    ) {
        let settings = CatchUp { balance, ..settings(standbys, warmups) };
        let placement = place(&tasks, &workers, &settings);
        check(&tasks, &workers, &settings, &placement);
        prop_assert_eq!(place(&tasks, &workers, &settings), placement);
    }

    #[test]
    fn a_settled_group_stays_as_it_is(
        (tasks, mut workers) in reports(), standbys in 0_u32..3, balance in balance(),
    ) {
        let settings = CatchUp { balance, ..settings(standbys, 2) };
        rounds(&tasks, &mut workers, &settings);
        rounds(&tasks, &mut workers, &settings);
        let before = workers.clone();
        prop_assert_eq!(rounds(&tasks, &mut workers, &settings), 1);
        let done = |workers: &[Worker]| workers.iter().map(|w| (w.runs.clone(), w.follows.clone())).collect::<Vec<_>>();
        prop_assert_eq!(done(&before), done(&workers));
    }

    #[test]
    fn tasks_and_standbys_end_level_whatever_was_reported(
        count in 1_usize..20, workers in 2_usize..7, standbys in 1_u32..3, warmups in 1_u32..4,
        seen in proptest::collection::vec((0_u32..20, 0_usize..7, 0_u64..30_000), 0..40),
    ) {
        let (tasks, settings) = (stateful(count), settings(standbys, warmups));
        let mut workers: Vec<Worker> = vec![worker(&[], &[]); workers];
        let places = workers.len();
        for (task, place, behind) in seen {
            if (task as usize) < count {
                workers[place % places].behind.insert(task, behind);
            }
        }
        rounds(&tasks, &mut workers, &settings);
        assert_all_level(&workers);
    }

    #[test]
    fn a_new_worker_has_its_share_after_as_many_rounds_as_warm_ups_need(
        count in 1_usize..16, workers in 1_usize..5, warmups in 1_u32..4, standbys in 0_u32..2,
    ) {
        let (tasks, settings) = (stateful(count), settings(standbys, warmups));
        let mut workers: Vec<Worker> = vec![worker(&[], &[]); workers];
        prop_assert_eq!(rounds(&tasks, &mut workers, &settings), 1);
        workers.push(worker(&[], &[]));
        let needed = rounds(&tasks, &mut workers, &settings);
        prop_assert!(needed <= count.div_ceil(warmups as usize) + 1, "{} rounds", needed);
        assert_level(&workers);
        let gone = workers.remove(0);
        let needed = rounds(&tasks, &mut workers, &settings);
        prop_assert!(needed <= count.div_ceil(warmups as usize) + 2, "{} rounds without {:?}", needed, gone);
        assert_level(&workers);
    }
}

#[test]
fn states_of_any_size_are_added_up() {
    let tasks = vec![Task::Stateful { size: u64::MAX }; 3_000];
    let all: Vec<u32> = (0..3_000).collect();
    let settings = CatchUp { balance: Balance::Size, acceptable: 0, ..settings(0, 1) };
    let placement = place(&tasks, &[worker(&all, &[]), worker(&[], &[])], &settings);
    assert_eq!((placement.posts[0].active.len(), placement.posts[1].warmup.len()), (3_000, 1));
}
