//! Groups of tasks with state, over sockets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use groma_client::{Job, ResourceEvent, Role, Span, TaskGroup, TaskGroupConfig, Trace};
use groma_explain::What;

use crate::killed::{Process, until};
use crate::place::{Place, everywhere, fresh};

/// Where all states end.
const END: u64 = 1_000_000;

fn config(group: &str) -> TaskGroupConfig {
    let config = TaskGroupConfig::new(group, "tallies").with_session_timeout(Span::from_secs(60));
    TaskGroupConfig { heartbeat_interval: Span::from_millis(500), ..config }
}

fn tasks(count: usize) -> Vec<(String, Option<u64>)> {
    (0..count).map(|number| (format!("task {number}"), Some(END))).collect()
}

/// A member, and what it does with each task by what it was told alone.
struct Worker {
    group: TaskGroup,
    jobs: BTreeSet<Job>,
    /// Tasks that it has stopped running.
    stopped: usize,
    /// How far what warms up is at once.
    warm_up: u64,
}

impl Worker {
    async fn join(place: &Place, config: TaskGroupConfig, count: usize) -> Self {
        let group = TaskGroup::join(&place.cluster, config, tasks(count)).await.expect("a member");
        Self { group, jobs: BTreeSet::new(), stopped: 0, warm_up: END }
    }

    /// Takes in what happens next.
    async fn turn(&mut self) {
        match self.group.next().await {
            ResourceEvent::Assigned(jobs) => {
                for job in jobs {
                    let position = if job.role == Role::WarmUp { self.warm_up } else { END };
                    self.group.reached([(job.task.as_str(), Some(position))]);
                    assert!(self.jobs.insert(job), "given twice");
                }
            }
            ResourceEvent::Revoked(handover) | ResourceEvent::Lost(handover) => {
                for job in handover.resources() {
                    self.stopped += usize::from(job.role == Role::Active);
                    assert!(self.jobs.remove(job), "taken twice");
                }
            }
            ResourceEvent::Error(error) => panic!("{error}"),
            _ => {}
        }
    }

    fn tasks(&self, role: Role) -> BTreeSet<String> {
        self.jobs.iter().filter(|job| job.role == role).map(|job| job.task.clone()).collect()
    }
}

async fn both(one: &mut Worker, two: &mut Worker, done: impl Fn(&Worker, &Worker) -> bool) {
    while !done(one, two) {
        tokio::select! {
            () = one.turn() => {}
            () = two.turn() => {}
        }
        assert!(one.tasks(Role::Active).is_disjoint(&two.tasks(Role::Active)), "{:?} {:?}", one.jobs, two.jobs);
    }
}

#[test]
fn a_newcomer_runs_nothing_before_it_has_caught_up_and_then_at_once() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let mut one = Worker::join(&place, config(&group), 4).await;
        while one.tasks(Role::Active).len() < 4 {
            one.turn().await;
        }
        let mut two = Worker { warm_up: 0, ..Worker::join(&place, config(&group), 4).await };
        both(&mut one, &mut two, |_, two| two.tasks(Role::WarmUp).len() == 2).await;
        assert_eq!((one.stopped, two.tasks(Role::Active).len()), (0, 0), "all runs on where it is");
        let warm = two.tasks(Role::WarmUp);
        warm.iter().for_each(|task| two.group.reached([(task.as_str(), Some(END / 2))]));
        warm.iter().for_each(|task| two.group.reached([(task.as_str(), Some(END - 1))]));
        // The probing interval is ten minutes: it is the newcomer who asks.
        both(&mut one, &mut two, |one, two| {
            one.tasks(Role::Active).len() == 2
                && two.tasks(Role::Active).len() == 2
                && two.tasks(Role::WarmUp).is_empty()
        })
        .await;
        assert_eq!((two.tasks(Role::Active), one.stopped), (warm, 2));
    });
}

#[test]
fn who_keeps_the_state_takes_over_from_one_that_goes() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let kept = || {
            let mut config = config(&group);
            config.catch_up.standbys = 1;
            config
        };
        let (mut one, mut two) = (Worker::join(&place, kept(), 6).await, Worker::join(&place, kept(), 6).await);
        let shared = |one: &Worker, two: &Worker| {
            let is_half =
                |worker: &Worker| (worker.tasks(Role::Active).len(), worker.tasks(Role::Standby).len()) == (3, 3);
            is_half(one) && is_half(two)
        };
        both(&mut one, &mut two, shared).await;
        let (runs, keeps) = (one.tasks(Role::Active), one.tasks(Role::Standby));
        assert_eq!(keeps, two.tasks(Role::Active));
        two.group.close().await.expect("left");
        let stopped = one.stopped;
        while one.tasks(Role::Active).len() < 6 {
            one.turn().await;
        }
        assert_eq!(one.stopped, stopped, "what ran runs on");
        assert_eq!(one.tasks(Role::Active), runs.union(&keeps).cloned().collect());
    });
}

#[test]
fn a_trace_has_what_runs_and_what_moves_and_not_what_is_kept() {
    everywhere(|place: Place| async move {
        let (group, file) = (fresh("g"), std::env::temp_dir().join(fresh("trace")));
        let kept = || {
            let mut config = config(&group);
            config.catch_up.standbys = 1;
            config
        };
        let trace = Trace::open(&file, &group).expect("a file");
        let joined = TaskGroup::join_traced(&place.cluster, kept(), tasks(4), trace).await.expect("a member");
        let mut one = Worker { group: joined, jobs: BTreeSet::new(), stopped: 0, warm_up: END };
        while one.tasks(Role::Active).len() < 4 {
            one.turn().await;
        }
        let mut two = Worker::join(&place, kept(), 4).await;
        let are_shared = |one: &Worker, two: &Worker| {
            [one, two].iter().all(|worker| [Role::Active, Role::Standby].map(|role| worker.tasks(role).len()) == [2, 2])
        };
        both(&mut one, &mut two, are_shared).await;
        let (runs, moved) = (one.tasks(Role::Active), two.tasks(Role::Active));
        one.group.close().await.expect("left");
        let facts = groma_explain::read(&fs::read_to_string(&file).expect("the trace")).expect("facts");
        fs::remove_file(&file).expect("removed");
        let in_trace = |names: fn(&What) -> Option<&Vec<String>>| -> Vec<String> {
            facts.iter().filter_map(|fact| names(&fact.what)).flatten().cloned().collect()
        };
        let assigned = in_trace(|what| if let What::Assigned { resources } = what { Some(resources) } else { None });
        let revoking = in_trace(|what| if let What::Revoking { resources } = what { Some(resources) } else { None });
        let released = in_trace(|what| if let What::Released { resources } = what { Some(resources) } else { None });
        assert_eq!(assigned, tasks(4).into_iter().map(|(task, _)| task).collect::<Vec<_>>());
        assert_eq!(BTreeSet::from_iter(revoking), moved);
        assert_eq!(BTreeSet::from_iter(released), runs.union(&moved).cloned().collect());
        let planned = facts
            .iter()
            .filter_map(|fact| if let What::Planned { moves, .. } = &fact.what { Some(moves) } else { None });
        let away: BTreeSet<String> =
            planned.flatten().filter(|one| one.from.is_some()).map(|one| one.resource.clone()).collect();
        assert_eq!(away, moved);
    });
}

#[test]
fn state_from_before_is_where_tasks_go_first() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let with_state = |numbers: [usize; 2]| {
            let mut config = config(&group);
            config.workplace.positions = numbers.map(|number| (format!("task {number}"), END)).into();
            config
        };
        let mut one = Worker::join(&place, with_state([0, 3]), 4).await;
        while one.tasks(Role::Active).len() < 4 {
            one.turn().await;
        }
        let mut two = Worker::join(&place, with_state([1, 2]), 4).await;
        let at_home = |_: &Worker, two: &Worker| two.tasks(Role::Active).len() == 2;
        both(&mut one, &mut two, at_home).await;
        let expected: BTreeSet<String> = ["task 1", "task 2"].map(str::to_owned).into();
        assert_eq!(two.tasks(Role::Active), expected, "no warm-up was needed");
    });
}

#[test]
fn what_cannot_work_is_named_before_anything_is_sent() {
    everywhere(|place: Place| async move {
        let here = &place;
        let join = async |config: TaskGroupConfig| {
            TaskGroup::join(&here.cluster, config, tasks(1)).await.expect_err("refused").to_string()
        };
        let mut idle = config("g");
        idle.catch_up.warmups.moves = 0;
        let none = "catch_up.warmups cannot be 0: one task at least warms up at a time; give 1 or more";
        assert_eq!(join(idle).await, none);
        let hasty = TaskGroupConfig { probing: Span::ZERO, ..config("g") };
        assert!(join(hasty).await.starts_with("probing cannot be 0"));
        let consumers = TaskGroupConfig { protocol_type: "consumer".to_owned(), ..config("g") };
        assert!(join(consumers).await.starts_with("protocol_type cannot be consumer"));
        let hasty = TaskGroupConfig { rebalance_timeout: Span::ZERO, ..config("g") };
        assert_eq!(join(hasty).await, "rebalance_timeout cannot be 0ms: give at least a millisecond");
        let hasty = TaskGroupConfig { heartbeat_interval: Span::ZERO, ..config("g") };
        assert_eq!(join(hasty).await, "heartbeat_interval cannot be 0ms: give at least a millisecond");
        let named = async |names: &[&str]| {
            let tasks = names.iter().map(|name| ((*name).to_owned(), None));
            TaskGroup::join(&here.cluster, config("g"), tasks).await.expect_err("refused").to_string()
        };
        assert_eq!(named(&["a", "a"]).await, "two resources are called a; give each a name of its own");
        assert!(named(&[&"x".repeat(32_768)]).await.starts_with("the name of a resource is 32768 bytes long"));
        assert_eq!(join(config("")).await, "group cannot be empty: a group has a name");
    });
}

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(fresh("groma-tallies"));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// How far each task has counted. Each number has to be there once and in order: a second counter, or one that began
/// before it had all of its state, would have written one twice.
fn counted(folder: &Path, tasks: usize) -> BTreeMap<String, usize> {
    let read = |number: usize| {
        let task = format!("task-{number}");
        let log = fs::read(folder.join(format!("{task}.log"))).unwrap_or_default();
        let numbers = log.chunks_exact(8).map(|bytes| u64::from_be_bytes(bytes.try_into().expect("eight bytes")));
        numbers.enumerate().for_each(|(place, number)| assert_eq!(number, place as u64, "{task}"));
        (task, log.len() / 8)
    };
    (1..=tasks).map(read).collect()
}

#[test]
fn tallies_count_on_without_a_gap_through_the_death_of_any_worker() {
    everywhere(|place: Place| async move {
        const TASKS: usize = 4;
        let (bootstrap, group, folder) = (place.bootstrap(), fresh("tallies"), Folder::new());
        let path = folder.0.to_str().expect("text").to_owned();
        let worker = |name: &str| Process::start("tallies", &[&bootstrap, &group, &path, name, "4", "6000"]);
        let mut workers: Vec<Process> = ["a", "b", "c"].map(worker).into();
        let all_count_on = async || {
            let before = counted(&folder.0, TASKS);
            let on = || counted(&folder.0, TASKS).iter().all(|(task, count)| *count > before[task] + 20);
            until(on).await;
        };
        for newcomer in ["d", "e", "f"] {
            all_count_on().await;
            workers.remove(0).kill().await;
            all_count_on().await;
            workers.push(worker(newcomer));
            until(|| workers.last().is_some_and(|newcomer| !newcomer.runs().is_empty())).await;
        }
        all_count_on().await;
    });
}
