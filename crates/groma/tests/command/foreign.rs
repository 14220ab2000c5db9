//! Engines that a benchmark knows only as a command, played by our own instances behind a shell.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::{Folder, Program, run};

/// A benchmark of one load on one instance that `script` starts; `ENGINE` in it is one engine process that reports
/// nothing but what it commits.
pub(super) fn benchmark(folder: &Folder, script: &str, measure: &str) -> String {
    let engine = format!(
        "{} instance uc2 --bootstrap {{bootstrap}} --group {{group}} --set input={{input}} --set output={{output}} \
         --set progress=off --set commit=200ms --set heartbeat.interval=200ms",
        env!("CARGO_BIN_EXE_groma")
    );
    let script = serde_json::to_string(&script.replace("ENGINE", &engine)).unwrap();
    let text = format!(
        "name: foreign\nsut: {{engine: command, name: shell, ready: started, command: [sh, -c, {script}]}}\n\
         loads: [100]\ninstances: [1]\npartitions: 2\nkeys: 10\nlimits: {{cpu: 1}}\n\
         duration: {{warmup: 3s, measure: {measure}}}\nslo: {{lag_trend: {{relative: 0.5}}}}\n"
    );
    folder.file("foreign.yaml", &text)
}

fn only_cell(out: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(out.join("cells/foreign-100-1-1.json")).unwrap()).unwrap()
}

/// A pipe that nobody reads holds 64 KiB: the engine would stop for ever before it has read anything.
#[test]
fn what_an_engine_prints_after_it_is_ready_does_not_stop_it() {
    let folder = Folder::new("drain");
    let file = benchmark(&folder, "echo started; head -c 1000000 /dev/zero | tr '\\0' x; exec ENGINE", "5s");
    let out = folder.path().join("out");
    let ended = Program::start_beside_others(&["bench", "run", &file, "--out", out.to_str().unwrap()]).end();
    assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
    let cell = only_cell(&out);
    let lags: Vec<f64> = serde_json::from_value(cell["series"]["committed"]["lag"].clone()).unwrap();
    let (last, sent) = (*lags.last().unwrap(), 800.0);
    assert!(last < sent / 2.0, "nothing but what it printed keeps it from reading: {last} of {sent} are left");
    assert_eq!(cell["basis"], "committed");
    let logs = fs::read_dir(out.join("logs")).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    assert!(logs.max() > Some(1_000_000), "what it printed is kept");
}

/// Nothing but its group tells that a foreign engine has shared out its work anew.
#[test]
fn a_member_that_joins_inside_the_window_makes_the_cell_invalid() {
    let folder = Folder::new("join");
    let signal = folder.place("join now");
    let wait = format!("while ! [ -e '{signal}' ]; do sleep 0.05; done");
    let script = format!("exec 3<&0; ENGINE <&3 & echo started; {wait}; exec ENGINE");
    let file = benchmark(&folder, &script, "20s");
    let out = folder.path().join("out");
    let mut program = Program::start(&["bench", "run", &file, "--out", out.to_str().unwrap()]);
    program.await_words("foreign: 100 records/s on 1 instances: the measured window begins");
    fs::write(&signal, "").unwrap();
    program.await_words("invalid (the group rebalanced inside the window");
    program.await_words("once more");
}

/// A program that is not there is told before anything starts, and nothing is tried three times.
#[test]
fn an_engine_that_cannot_be_started_is_named_at_once() {
    let folder = Folder::new("no-program");
    let text = "name: foreign\nsut: {engine: command, name: shell, command: [./no-such-engine]}\n\
                loads: [100]\ninstances: [1]\npartitions: 2\n";
    let file = folder.file("foreign.yaml", text);
    let ended = run(&["bench", "run", &file, "--out", &folder.place("out")]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let said = "the engine shell cannot be started: `./no-such-engine` is no program here; give the path of a file";
    assert!(ended.stderr.contains(said) && ended.stderr.trim_end().lines().count() == 1, "{}", ended.stderr);
}
