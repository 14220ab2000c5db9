use std::fs;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use serde_json::Value;

use super::program::{Ended, Folder, Program, run, wait_until};

/// Instances of known capacity: one handles twice the first load, four the second one and a half times over, and one
/// falls behind there by more than half of it. Far from the threshold, so that no pause of a busy machine reaches it.
const TINY: &str = "\
name: tiny
sut: {engine: synthetic, rate: 300}
loads: [150, 750]
instances: [1, 4]
partitions: 4
keys: 40
duration: {warmup: 500ms, measure: 5s}
slo: {lag_trend: {relative: 0.3}}
";

fn resume(command: &[&str]) -> Ended {
    Program::start_beside_others(&[command, &["--resume"]].concat()).end()
}

fn results(out: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(out.join("results.json")).unwrap()).unwrap()
}

fn demands(document: &Value) -> Vec<Option<u64>> {
    let rows = document["runs"][0]["demand"].as_array().unwrap();
    rows.iter().map(|row| row["resources"].as_u64()).collect()
}

fn cells(out: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(out.join("cells")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Processes that descend from process `id`, by the names of their programs.
fn children(id: u32) -> String {
    let listed = Command::new("ps").args(["-o", "pid=,args=", "--ppid", &id.to_string()]).output();
    listed.map_or_else(|_| String::new(), |listed| String::from_utf8_lossy(&listed.stdout).into_owned())
}

fn groups_of(id: u32) -> Vec<String> {
    let trees = ["/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/memory"];
    let places = trees.map(|tree| format!("{tree}/groma-{id}"));
    places.into_iter().filter(|place| Path::new(place).exists()).collect()
}

#[test]
fn a_run_finds_the_demand_and_a_resumed_one_measures_only_what_is_missing() {
    let folder = Folder::new("tiny");
    let file = folder.file("tiny.yaml", TINY);
    let out = folder.path().join("out");
    let command = ["bench", "run", &file, "--out", out.to_str().unwrap()];
    let first = Program::start_beside_others(&command).end();
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stdout.contains("4: pass"), "{}", first.stdout);
    let measured = results(&out);
    assert_eq!(demands(&measured), [Some(1), Some(4)]);
    assert_eq!(cells(&out), ["tiny-150-1-1.json", "tiny-750-1-1.json", "tiny-750-4-1.json"]);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("</html>"));
    for text in [&report, &first.stdout, &first.stderr, &measured["runs"][0]["configuration"].to_string()] {
        assert!(text.contains("no measurement: GROMA_VALIDITY=loose"), "taken for a measurement: {text}");
    }

    let kept = fs::read_to_string(out.join("cells/tiny-150-1-1.json")).unwrap();
    fs::remove_file(out.join("cells/tiny-750-4-1.json")).unwrap();
    let resumed = resume(&command);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(demands(&results(&out)), [Some(1), Some(4)]);
    assert_eq!(fs::read_to_string(out.join("cells/tiny-150-1-1.json")).unwrap(), kept);
    assert!(out.join("cells/tiny-750-4-1.json").exists());
    assert!(!resumed.stderr.contains("750 records/s on 1 instances"), "measured again: {}", resumed.stderr);

    fs::remove_file(out.join("results.json")).unwrap();
    let made_again = resume(&command);
    assert_eq!(demands(&results(&out)), [Some(1), Some(4)]);
    assert!(!made_again.stderr.contains("window begins"), "measured again: {}", made_again.stderr);
}

#[test]
fn an_interrupted_run_keeps_finished_cells_and_leaves_nothing_behind() {
    leaves_nothing_behind(Signal::INT);
}

/// The terminal is closed.
#[test]
fn a_run_that_is_hung_up_keeps_finished_cells_and_leaves_nothing_behind() {
    leaves_nothing_behind(Signal::HUP);
}

fn leaves_nothing_behind(signal: Signal) {
    let folder = Folder::new(&format!("interrupted-{}", signal.as_raw()));
    let file = folder.file("tiny.yaml", TINY);
    let out = folder.path().join("out");
    let (_broker, address) = Program::broker();
    let command = ["bench", "run", &file, "--out", out.to_str().unwrap(), "--bootstrap", &address];
    let program = Program::start_beside_others(&command);
    wait_until("a cell is finished, and the next has begun", || {
        out.join("cells/tiny-150-1-1.json").exists() && children(program.id()).contains("__load")
    });
    let id = program.id();
    program.signal(signal);
    let ended = program.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.stderr.contains("--resume"), "{}", ended.stderr);
    assert_eq!(cells(&out), ["tiny-150-1-1.json"]);
    assert_eq!(groups_of(id), Vec::<String>::new());
    wait_until("no process that names the broker is left", || {
        let left = Command::new("pgrep").args(["-f", &address]).output().unwrap();
        left.stdout.is_empty()
    });
    let topics = run(&["topic", "list", "--bootstrap", &address]);
    assert!(!topics.stdout.contains("groma"), "topics are left: {}", topics.stdout);
    let groups = run(&["group", "list", "--bootstrap", &address]);
    assert!(!groups.stdout.contains("groma"), "groups are left: {}", groups.stdout);

    let resumed = resume(&command);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(demands(&results(&out)), [Some(1), Some(4)]);
    let topics = run(&["topic", "list", "--bootstrap", &address]);
    assert!(!topics.stdout.contains("groma"), "topics are left by a run that ended: {}", topics.stdout);
}

/// A run in the middle of its first cell, under load.
fn measuring(folder: &Folder, more: &[&str]) -> Program {
    let file = folder.file("tiny.yaml", TINY);
    let program =
        Program::start_beside_others(&[&["bench", "run", &file, "--out", &folder.place("out")], more].concat());
    wait_until("load is generated", || child(program.id(), "__load").is_some());
    program
}

#[test]
fn a_run_whose_kafka_has_died_can_be_interrupted_and_says_what_it_leaves() {
    for last_signal in [Signal::KILL, Signal::STOP] {
        let folder = Folder::new(&format!("dead-{}", last_signal.as_raw()));
        let (broker, address) = Program::broker();
        let program = measuring(&folder, &["--bootstrap", &address]);
        let id = program.id();
        broker.signal(last_signal);
        program.signal(Signal::INT);
        let ended = program.end();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        let left = format!("groma: {address} did not answer in time, so what this run made is left there");
        assert!(ended.stderr.contains(&left), "{}", ended.stderr);
        assert_eq!(groups_of(id), Vec::<String>::new());
    }
}

#[test]
fn a_run_whose_own_broker_dies_says_so() {
    let folder = Folder::new("broker-dies");
    let program = measuring(&folder, &[]);
    let broker = child(program.id(), " broker ").and_then(rustix::process::Pid::from_raw).unwrap();
    rustix::process::kill_process(broker, Signal::KILL).unwrap();
    let ended = program.end();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let says = ended.stderr.lines().last().unwrap_or_default();
    assert!(says.starts_with("groma: the broker ended early (signal: 9"), "{says}");
}

/// The process id of a child whose arguments contain `word`.
fn child(id: u32, word: &str) -> Option<i32> {
    let line = children(id).lines().find(|line| line.contains(word))?.to_owned();
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_cell_whose_instance_is_killed_says_nothing_about_the_load_and_is_tried_again() {
    let folder = Folder::new("killed");
    let file = folder.file("one.yaml", &TINY.replace("[150, 750]", "[150]").replace("[1, 4]", "[1]"));
    let out = folder.path().join("out");
    let mut program = Program::start_beside_others(&["bench", "run", &file, "--out", out.to_str().unwrap()]);
    program.await_words("tiny: 150 records/s on 1 instances: the measured window begins");
    let instance = child(program.id(), "__synthetic").and_then(rustix::process::Pid::from_raw).unwrap();
    rustix::process::kill_process(instance, Signal::KILL).unwrap();
    let ended = program.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("invalid (an instance ended"), "{}", ended.stderr);
    assert_eq!(demands(&results(&out)), [Some(1)]);
}
