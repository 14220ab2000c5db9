//! The examples as processes, killed with SIGKILL.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::place::{Place, everywhere, fresh};

/// A process of an example and what it has said.
pub(crate) struct Process {
    child: Child,
    said: Arc<Mutex<Said>>,
}

#[derive(Default)]
struct Said {
    /// What it runs, and how often it has begun to.
    runs: BTreeMap<String, usize>,
    begun: BTreeMap<String, usize>,
    leads: bool,
    /// How much it still ran when it had left.
    left: Option<usize>,
}

impl Said {
    fn note(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("run", camera)) => {
                let begun = self.begun.entry(camera.to_owned()).or_default();
                *begun += 1;
                assert!(self.runs.insert(camera.to_owned(), *begun).is_none(), "{camera} is run twice by one worker");
            }
            Some(("keep" | "warm" | "drop" | "behind", _)) => {}
            Some(("stop", camera)) => assert!(self.runs.remove(camera).is_some(), "{camera} was not run"),
            Some(("lead", _)) => self.leads = true,
            None if line == "left" => self.left = Some(self.runs.len()),
            _ => self.leads = false,
        }
    }
}

impl Process {
    pub(crate) fn start(example: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(binary(example));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("the example is built with the tests");
        let said = Arc::new(Mutex::new(Said::default()));
        let (lines, book) = (child.stdout.take().expect("a pipe"), Arc::clone(&said));
        tokio::spawn(async move {
            let mut lines = BufReader::new(lines).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                book.lock().expect("no panic").note(&line);
            }
        });
        Self { child, said }
    }

    pub(crate) fn runs(&self) -> BTreeMap<String, usize> {
        self.said.lock().expect("no panic").runs.clone()
    }

    fn leads(&self) -> bool {
        self.said.lock().expect("no panic").leads
    }

    /// Asks it to leave; gives how much it still ran when it had.
    async fn leave(self) -> usize {
        let id = self.child.id().and_then(|id| Pid::from_raw(id as i32)).expect("it runs");
        kill_process(id, Signal::TERM).expect("asked");
        let left = || self.said.lock().expect("no panic").left;
        until(|| left().is_some()).await;
        left().expect("it has left")
    }

    /// Kills it with SIGKILL.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("killed");
    }
}

fn binary(example: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("the folder of the profile");
    folder.join("examples").join(example)
}

/// Waits for what the processes say; the whole test has a limit.
pub(crate) async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Whether each of so many cameras is run by exactly one worker.
fn are_shared(workers: &[Process], count: usize) -> bool {
    let runs: Vec<String> = workers.iter().flat_map(|worker| worker.runs().into_keys()).collect();
    let distinct: std::collections::BTreeSet<&String> = runs.iter().collect();
    runs.len() == count && distinct.len() == count && workers.iter().all(|worker| !worker.runs().is_empty())
}

#[test]
fn cameras_survive_the_death_of_any_worker() {
    everywhere(|place: Place| async move {
        const CAMERAS: usize = 9;
        let (bootstrap, group) = (place.bootstrap(), fresh("watch"));
        let worker = || Process::start("cameras", &[&bootstrap, &group, "9", "6000"]);
        let mut workers: Vec<Process> = (0..3).map(|_| worker()).collect();
        until(|| are_shared(&workers, CAMERAS) && workers.iter().any(Process::leads)).await;
        for _ in 0..3 {
            // The first is always one of the three that began; each has led, or not, as it came.
            let victim = workers.remove(0);
            let before: Vec<BTreeMap<String, usize>> = workers.iter().map(Process::runs).collect();
            victim.kill().await;
            until(|| are_shared(&workers, CAMERAS) && workers.iter().any(Process::leads)).await;
            for (worker, before) in workers.iter().zip(before) {
                let now = worker.runs();
                assert!(before.iter().all(|(camera, begun)| now.get(camera) == Some(begun)), "{before:?} {now:?}");
            }
            let before: Vec<BTreeMap<String, usize>> = workers.iter().map(Process::runs).collect();
            workers.push(worker());
            until(|| are_shared(&workers, CAMERAS)).await;
            for (worker, before) in workers.iter().zip(before) {
                let kept = worker.runs();
                assert!(kept.iter().all(|(camera, begun)| before.get(camera) == Some(begun)), "{before:?} {kept:?}");
            }
        }
    });
}

#[test]
fn a_worker_that_leaves_stops_what_it_runs_before_others_have_it() {
    everywhere(|place: Place| async move {
        let (bootstrap, group) = (place.bootstrap(), fresh("watch"));
        let mut workers: Vec<Process> =
            (0..2).map(|_| Process::start("cameras", &[&bootstrap, &group, "6", "6000"])).collect();
        until(|| are_shared(&workers, 6)).await;
        assert_eq!(workers.remove(0).leave().await, 0);
        until(|| are_shared(&workers, 6)).await;
    });
}

#[test]
fn a_leader_that_is_killed_is_followed_by_another() {
    everywhere(|place: Place| async move {
        let (bootstrap, group) = (place.bootstrap(), fresh("election"));
        let candidate = || Process::start("leader_only", &[&bootstrap, &group, "6000"]);
        let mut candidates: Vec<Process> = (0..3).map(|_| candidate()).collect();
        while !candidates.is_empty() {
            until(|| candidates.iter().filter(|candidate| candidate.leads()).count() == 1).await;
            let leader = candidates.iter().position(Process::leads).expect("one leads");
            candidates.remove(leader).kill().await;
        }
    });
}
