//! `group watch` and `group explain` beside a broker and three instances, one of them killed. A binary of its own: it runs
//! by itself, and so does not take time from tests that measure.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "../command/program.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use rustix::process::Signal;
use serde_json::Value;

use crate::program::{Folder, Program, run, wait_until};

const PARTITIONS: usize = 6;
/// So long that none misses it but who is killed.
const SESSION_MS: i64 = 5_000;

/// A broker and instances of one group on it.
struct Bed {
    folder: Folder,
    address: String,
    instances: Vec<Program>,
    broker: Program,
}

impl Bed {
    fn start(name: &str) -> Self {
        let (broker, address) = Program::broker();
        let folder = Folder::new(name);
        let made = run(&["topic", "create", "input", "--partitions", "6", "--bootstrap", &address]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let mut bed = Self { folder, address, instances: Vec::new(), broker };
        for number in 0..3 {
            let instance = bed.instance(number);
            bed.instances.push(instance);
        }
        bed.until("shares of two", &[], |shown| held(shown).values().map(BTreeSet::len).eq([2, 2, 2]));
        bed
    }

    fn instance(&self, number: usize) -> Program {
        let trace = self.folder.place(&format!("trace-{number}"));
        let mut arguments = vec!["instance", "uc2", "--group", "demo", "--bootstrap", &self.address, "--trace", &trace];
        for setting in ["session.timeout=5s", "heartbeat.interval=100ms", "commit=100ms", "progress=off"] {
            arguments.extend(["--set", setting]);
        }
        Program::start(&arguments)
    }

    fn explain(&self) -> Value {
        self.explain_if_known(&[]).unwrap()
    }

    /// Explains again and again until what is explained is so.
    fn until(&self, what: &str, more: &[&str], is_so: impl Fn(&Value) -> bool) -> Value {
        let mut explained = None;
        wait_until(what, || {
            explained = self.explain_if_known(more).filter(|shown| is_so(shown));
            explained.is_some()
        });
        explained.unwrap()
    }

    fn explain_if_known(&self, more: &[&str]) -> Option<Value> {
        let arguments = [&["group", "explain", "demo", "--json", "--bootstrap", &self.address], more].concat();
        let ended = run(&arguments);
        (ended.code == Some(0)).then(|| serde_json::from_str(&ended.stdout).unwrap())
    }

    /// The identity that an instance was given.
    fn member(&self, number: usize) -> String {
        let trace = std::fs::read_to_string(self.folder.place(&format!("trace-{number}"))).unwrap();
        let lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter_map(|fact| Some(fact["member"].as_str()?.to_owned())).next_back().unwrap()
    }
}

/// What each member holds now, by the lanes.
fn held(shown: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let mut held: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (resource, stays) in shown["lanes"].as_object().unwrap() {
        let Some(last) = stays.as_array().unwrap().last().filter(|stay| stay["to_ms"].is_null()) else { continue };
        held.entry(last["member"].as_str().unwrap().to_owned()).or_default().insert(resource.clone());
    }
    held
}

fn last(shown: &Value) -> &Value {
    shown["rebalances"].as_array().unwrap().last().unwrap()
}

#[test]
fn a_kill_is_explained_by_name_with_what_moved_and_the_gap() {
    let bed = Bed::start("kill");
    let dead = bed.member(1);
    let lost = held(&bed.explain())[&dead].clone();
    bed.instances[1].signal(Signal::KILL);
    let shown = bed.until("the end of the rebalance", &[], |shown| {
        last(shown)["trigger"]["trigger"] == "session-expired" && held(shown).values().map(BTreeSet::len).eq([3, 3])
    });
    let rebalance = last(&shown);
    assert_eq!(
        (&rebalance["trigger"]["member"], &rebalance["trigger"]["basis"]),
        (&dead.as_str().into(), &"observed".into())
    );
    let moves = rebalance["moves"].as_array().unwrap();
    let moved: BTreeSet<String> = moves.iter().map(|m| m["resource"].as_str().unwrap().to_owned()).collect();
    assert_eq!(moved, lost);
    assert!(moves.iter().all(|moved| moved["from"] == dead.as_str() && moved["reason"] == "holder-gone"), "{moves:?}");
    assert_eq!(rebalance["least_moves"]["value"], 2);
    for gap in rebalance["gaps"].as_array().unwrap() {
        let length = gap["to_ms"]["value"].as_i64().unwrap() - gap["from_ms"]["value"].as_i64().unwrap();
        assert!(length >= SESSION_MS, "it was noticed after the session timeout: {gap}");
    }
    assert_eq!(rebalance["steps"][0]["kind"], "detection");
    assert_eq!(rebalance["steps"][0]["took_ms"]["value"], SESSION_MS);

    let traces: Vec<String> = (0..3).map(|number| bed.folder.place(&format!("trace-{number}"))).collect();
    let more: Vec<&str> = traces.iter().flat_map(|file| ["--trace", file]).collect();
    bed.until("the word of the new owners", &more, |shown| {
        let gaps = last(shown)["gaps"].as_array().unwrap();
        gaps.len() == 2 && gaps.iter().all(|gap| gap["to_ms"]["basis"] == "observed")
    });
}

#[test]
fn what_was_watched_can_be_explained_without_the_cluster() {
    let bed = Bed::start("watch");
    let trace = bed.folder.place("watched");
    let page = bed.folder.place("page.html");
    let watching = ["group", "watch", "demo", "--for", "600ms", "--interval", "100ms", "--trace", &trace];
    let ended = run(&[&watching[..], &["--bootstrap", &bed.address]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("demo  Stable  3 members"), "{}", ended.stdout);
    let there = bed.explain();
    let address = "127.0.0.1:1";
    let arguments = ["group", "explain", "demo", "--trace", &trace, "--html", &page, "--bootstrap", address];
    let ended = run(&arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let count = there["rebalances"].as_array().unwrap().len();
    assert!(ended.stdout.starts_with(&format!("group demo: {count} rebalance")), "{}", ended.stdout);
    let html = std::fs::read_to_string(page).unwrap();
    assert_eq!(html.matches("<svg class=\"chart lanes\"").count(), 1 + count, "one for all and one a rebalance");
    assert!(!html.contains("http://") && !html.contains("https://"), "the page needs no other");
    assert_eq!(there["lanes"].as_object().unwrap().len(), PARTITIONS);
}

#[test]
fn an_interrupted_watch_says_so_and_serves_metrics_until_then() {
    let bed = Bed::start("metrics");
    let metrics = TcpListener::bind("127.0.0.2:0").unwrap().local_addr().unwrap().to_string();
    let watch = Program::start(&["group", "watch", "demo", "--metrics", &metrics, "--bootstrap", &bed.address]);
    let mut text = String::new();
    wait_until("three members of a stable group among the metrics", || {
        text = scrape(&metrics).unwrap_or_default();
        ["members{group=\"demo\"} 3", "stable{group=\"demo\"} 1"].iter().all(|line| text.contains(line))
    });
    assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
    watch.signal(Signal::INT);
    let ended = watch.end();
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    assert!(!ended.stdout.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn a_watch_says_that_the_broker_is_silent() {
    let bed = Bed::start("silent");
    let metrics = TcpListener::bind("127.0.0.2:0").unwrap().local_addr().unwrap().to_string();
    let watching = ["group", "watch", "demo", "--interval", "100ms", "--metrics", &metrics];
    let watch = Program::start(&[&watching[..], &["--bootstrap", &bed.address]].concat());
    let until = |what: &str, line: &str| wait_until(what, || scrape(&metrics).unwrap_or_default().contains(line));
    until("an answer", "groma_group_up{group=\"demo\"} 1");
    bed.broker.signal(Signal::STOP);
    until("word of the silence", "groma_group_up{group=\"demo\"} 0");
    bed.broker.signal(Signal::CONT);
    until("an answer again", "groma_group_up{group=\"demo\"} 1");
    watch.signal(Signal::INT);
    let ended = watch.end();
    assert!(ended.stderr.contains("no answer for "), "{}", ended.stderr);
}

fn scrape(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn wrong_input_is_one_sentence() {
    let folder = Folder::new("wrong-group");
    let torn = folder.file("torn", "{\"time_ms\": 5}\nx\n");
    let other = folder.file("other", "{\"time_ms\":5,\"group\":\"a\",\"source\":\"poll\",\"fact\":\"seen\",\"state\":\"Empty\",\"protocol_type\":\"\",\"members\":[]}\n");
    let missing = folder.place("missing");
    let (_broker, address) = Program::broker();
    for (arguments, part) in [
        (vec!["explain", "g", "--trace", &missing], "give a trace that"),
        (vec!["explain", "g", "--trace", &torn], "line 1 is none of a trace"),
        (vec!["explain", "g", "--trace", &other], "the trace does not tell of group `g`; it tells of a"),
        (vec!["explain", "g", "--bootstrap", &address], "knows no group `g`"),
        (vec!["watch", "g", "--metrics", "nowhere", "--bootstrap", &address], "cannot serve metrics at nowhere"),
        (vec!["watch", "g", "--trace", "/nowhere/trace", "--bootstrap", &address], "cannot write /nowhere/trace"),
        (vec!["watch", "g", "--interval", "1ms", "--bootstrap", &address], "at least 50ms"),
    ] {
        let ended = run(&[&["group"], &arguments[..]].concat());
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{arguments:?}: {}", ended.stderr);
    }
}
