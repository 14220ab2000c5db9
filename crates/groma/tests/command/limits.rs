//! Limits that this machine may not come to by itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::foreign::benchmark;
use super::program::{Folder, Program};

/// Far more than one instance handles in a hundredth of a core.
const OVERLOADED: &str = "\
name: budget
usecase: uc1
loads: [40000]
instances: [1]
partitions: 4
keys: 100
limits: {cpu: 0.02, period: 50ms}
duration: {warmup: 2s, measure: 4s}
";

fn only_run(folder: &Folder) -> Value {
    let text = fs::read_to_string(folder.path().join("out/results.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["runs"][0].clone()
}

/// Unlimited it would take fifty times as much. How near it comes to its budget on a crowded machine is not ours.
#[test]
fn an_instance_keeps_to_its_budget_by_its_own_clock() {
    let folder = Folder::new("budget");
    let file = folder.file("budget.yaml", OVERLOADED);
    let arguments = ["bench", "run", &file, "--out", &folder.place("out")];
    let ended = Program::start_in(&arguments, &[("GROMA_LIMIT", "own"), ("GROMA_VALIDITY", "loose")]).end();
    assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
    let run = only_run(&folder);
    assert!(run["limit"].as_str().unwrap().starts_with("own thread clock"), "{run}");
    let busy = run["cells"][0]["sut_busy"].as_f64().unwrap();
    assert!((0.1..=3.0).contains(&busy), "{busy} of its budget: {run}");
}

#[test]
fn a_foreign_engine_that_nothing_can_limit_is_said_to_have_none() {
    let folder = Folder::new("unlimited");
    let file = benchmark(&folder, "echo started; exec ENGINE", "4s");
    let out = folder.path().join("out");
    let arguments = ["bench", "run", &file, "--out", out.to_str().unwrap()];
    let ended = Program::start_in(&arguments, &[("GROMA_LIMIT", "own"), ("GROMA_VALIDITY", "loose")]).end();
    assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
    let run = only_run(&folder);
    assert_eq!(run["limit"], "none: nothing on this machine can limit a foreign engine");
    assert_eq!(run["quota_cores"], Value::Null, "{run}");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Instances run without a limit."), "the report is silent");
}

/// A `systemd-run` that notes what it is asked and does it: `--user --scope ... -- COMMAND`.
const SYSTEMD_RUN: &str = r#"#!/bin/sh
echo "$@" >> "$NOTES"
[ -z "$REFUSE" ] || { echo "$REFUSE" >&2; exit 1; }
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
"#;

/// Runs a benchmark file with [`SYSTEMD_RUN`] in the place of systemd; what it was asked, and what the program said.
fn in_scope(folder: &Folder, refuse: &str) -> (String, String) {
    let (tools, notes) = (folder.path().join("tools"), folder.place("notes"));
    fs::create_dir_all(folder.path().join("runtime/systemd/private")).unwrap();
    fs::create_dir_all(&tools).unwrap();
    fs::write(tools.join("systemd-run"), SYSTEMD_RUN).unwrap();
    fs::set_permissions(tools.join("systemd-run"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let environment = [
        ("GROMA_LIMIT", "scope"),
        ("PATH", &path),
        ("XDG_RUNTIME_DIR", &folder.place("runtime")),
        ("NOTES", &notes),
        ("REFUSE", refuse),
    ];
    let file = folder.file("wrong.yaml", "name: none\nloads: []\n");
    let ended = Program::start_in(&["bench", "run", &file, "--out", &folder.place("out")], &environment).end();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("line 2: `loads` is an empty list"), "it goes on: {ended:?}");
    (fs::read_to_string(notes).unwrap(), ended.stderr)
}

#[test]
fn where_only_the_users_systemd_can_limit_the_program_starts_anew_in_a_scope_once() {
    let folder = Folder::new("scope");
    let (notes, stderr) = in_scope(&folder, "");
    let asked: Vec<&str> = notes.lines().collect();
    let [trial, program] = asked[..] else { panic!("asked {asked:?}") };
    let begin = "--user --scope --quiet --collect --property=Delegate=yes --";
    assert_eq!(trial, format!("{begin} true"));
    assert!(program.starts_with(begin) && program.contains("bench run"), "{program}");
    assert!(!stderr.contains("no scope"), "{stderr}");
}

#[test]
fn a_scope_that_is_refused_is_told_and_done_without() {
    let folder = Folder::new("no-scope");
    let (notes, stderr) = in_scope(&folder, "Failed to connect to bus");
    assert_eq!(notes.lines().count(), 1, "{notes}");
    let sentence = "no scope of the user's systemd (Failed to connect to bus); instances keep to their budget";
    assert!(stderr.contains(sentence), "{stderr}");
}
