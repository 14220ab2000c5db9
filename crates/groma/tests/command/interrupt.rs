use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;

use super::port::{Manner, Port, commands};
use super::program::{Folder, Program, run, wait_until};

const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

fn start(command: &str, address: &str) -> Program {
    let words = format!("{command} --bootstrap {address}");
    Program::start(&words.split(' ').collect::<Vec<_>>())
}

/// The exit code of a program that is asked to stop. What loses patience with a Kafka meanwhile ends with another code.
fn code_after(program: Program, signal: Signal) -> Option<i32> {
    program.signal(signal);
    let ended = program.end();
    assert!(!ended.stderr.contains("panicked"), "{signal:?}: {ended:?}");
    ended.code
}

#[test]
fn every_command_can_be_interrupted_while_it_connects() {
    let folder = Folder::new("connecting");
    for signal in SIGNALS {
        for number in 0..commands("", "").len() {
            let port = Port::open(Manner::Silent);
            let command = commands(&port.address, &folder.place("out")).remove(number);
            let program = Program::start(&command.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(port.is_called(), "{command:?} does not connect");
            let in_the_ordinary_way = command[0] == "instance" && signal != Signal::INT;
            let expected = if in_the_ordinary_way { 0 } else { 130 };
            assert_eq!(code_after(program, signal), Some(expected), "{signal:?} {command:?}");
        }
    }
}

#[test]
fn a_broker_ends_in_the_ordinary_way_by_every_signal() {
    for signal in SIGNALS {
        let (broker, _) = Program::broker();
        assert_eq!(code_after(broker, signal), Some(0), "{signal:?}");
    }
}

#[test]
fn a_broker_that_is_to_outlive_its_terminal_does() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" broker --listen 127.0.0.1:0", env!("CARGO_BIN_EXE_groma")]);
    let (broker, address) = Program::listening(Program::start_other(shell));
    broker.signal(Signal::HUP);
    assert_eq!(run(&["topic", "list", "--bootstrap", &address]).code, Some(0));
    assert_eq!(code_after(broker, Signal::TERM), Some(0));
}

#[test]
fn an_instance_that_is_interrupted_says_so_by_its_exit_code() {
    let (_broker, address) = Program::broker();
    assert_eq!(run(&["topic", "create", "input", "--bootstrap", &address]).code, Some(0));
    for (signal, expected) in [(Signal::INT, 130), (Signal::TERM, 0), (Signal::HUP, 0)] {
        let mut instance = start("instance uc2", &address);
        instance.wait_for_line("ready");
        assert_eq!(code_after(instance, signal), Some(expected), "{signal:?}");
    }
}

/// With records on their way that no broker will ever take.
#[test]
fn whoever_works_on_a_kafka_that_has_died_can_be_interrupted() {
    let (broker, address) = Program::broker();
    let at = ["--bootstrap", address.as_str()];
    assert_eq!(run(&[&["topic", "create", "input"][..], &at].concat()).code, Some(0));
    let load = start("load --rate 5000 --keys 100 --duration 10m", &address);
    let mut instance = start("instance uc2 --set window=1s --set commit=100ms", &address);
    instance.wait_for_line("ready");
    wait_until("output", || {
        let described = run(&[&["topic", "describe", "output"][..], &at].concat()).stdout;
        let records = described.lines().filter_map(|line| line.split_whitespace().nth(4)?.parse::<u64>().ok());
        records.sum::<u64>() > 0
    });
    broker.kill();
    for (program, what) in [(instance, "instance"), (load, "load")] {
        assert_eq!(code_after(program, Signal::INT), Some(130), "{what}");
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let (broker, address) = Program::broker();
    assert_eq!(run(&["topic", "create", "input", "--bootstrap", &address]).code, Some(0));
    let mut instance = start("instance uc2", &address);
    instance.wait_for_line("ready");
    broker.signal(Signal::STOP);
    // The same keystroke may come twice, so one counts as the second only when it is later than that.
    while !instance.has_ended() {
        instance.signal(Signal::INT);
        std::thread::sleep(Duration::from_millis(300));
    }
    let ended = instance.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(!ended.stderr.contains("groma: "), "it waited until its patience was over: {ended:?}");
}

#[test]
fn a_measurement_that_is_ended_leaves_no_folder_behind() {
    for signal in SIGNALS {
        let speed = Program::start(&["speed", "uc2"]);
        let folder: PathBuf = std::env::temp_dir().join(format!("groma-speed-{}", speed.id()));
        wait_until("the folder", || folder.join("broker.log").exists());
        assert_eq!(code_after(speed, signal), Some(130), "{signal:?}");
        assert!(!Path::new(&folder).exists(), "{signal:?}: {} is left", folder.display());
    }
    let mut computing = Program::start(&["speed", "step-uc2"]);
    computing.await_words("measuring");
    assert_eq!(code_after(computing, Signal::INT), Some(130));
}
