use std::net::TcpListener;
use std::time::Duration;

use super::program::{Folder, Program, run};

/// Every wrong input must be answered well within the time that a person waits.
const LIMIT: Duration = Duration::from_secs(30);

/// One sentence that contains all of `words`, exit code 2, nothing on stdout.
fn refused(arguments: &[&str], words: &[&str]) {
    let ended = run(arguments, LIMIT);
    assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
    assert_eq!(ended.stdout, "", "{arguments:?}");
    assert!(ended.stderr.starts_with("groma: ") || ended.stderr.starts_with("error: "), "{arguments:?}: {ended:?}");
    assert!(!ended.stderr.contains("panicked"), "{arguments:?}: {ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "{arguments:?} does not say {word:?}: {}", ended.stderr);
    }
}

#[test]
fn wrong_benchmark_files_are_refused_by_key_and_line() {
    let folder = Folder::new("yaml");
    let out = folder.place("out");
    let cases = [
        ("name: a\ninstanses: [1]\n", vec!["instanses", "instances", "2"]),
        ("name: a\nlimits: {cpu: fast}\n", vec!["cpu", "2"]),
        ("name: a\nloads: [0]\n", vec!["loads", "above 0"]),
        ("name: a\nname: b\n", vec!["name", "duplicate"]),
        ("name: a\nduration: {measure: 1s}\n", vec!["duration", "4s"]),
        ("name: a\nsut: {engine: synthetic}\n", vec!["synthetic", "rate"]),
        ("", vec!["name"]),
    ];
    for (text, words) in cases {
        let file = folder.file("wrong.yaml", text);
        let words: Vec<&str> = words.into_iter().chain(["wrong.yaml"]).collect();
        refused(&["bench", "run", &file, "--out", &out], &words);
        refused(&["bench", "plan", &file], &words);
    }
    refused(&["bench", "run", "uc9", "--out", &out], &["uc9", "uc1, uc2"]);
    assert!(!folder.path().join("out").exists(), "nothing was to be written");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_before_anything_starts() {
    let folder = Folder::new("out");
    let file = folder.file("file", "");
    refused(&["bench", "run", "uc2", "--out", &file], &[&file, "--out"]);
    refused(&["demo", "--out", &format!("{file}/below")], &[&file, "--out"]);
    refused(&["demo", "--out", "/proc/groma"], &["/proc/groma", "--out"]);
}

#[test]
fn a_taken_port_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    refused(&["broker", "--listen", &address], &[&address, "another port"]);
}

#[test]
fn an_address_where_nobody_answers_is_named() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for command in [
        &["topic", "list"][..],
        &["group", "list"],
        &["load", "--rate", "10", "--keys", "1", "--duration", "1s"],
        &["instance", "uc2"],
    ] {
        let arguments: Vec<&str> = command.iter().copied().chain(["--bootstrap", nobody.as_str()]).collect();
        refused(&arguments, &[&nobody, "check the address"]);
    }
    let folder = Folder::new("nobody");
    refused(&["bench", "run", "uc2", "--out", &folder.place("out"), "--bootstrap", &nobody], &[&nobody]);
}

#[test]
fn settings_are_refused_by_name_and_value() {
    refused(&["instance", "uc2", "--set", "windows=5s"], &["windows", "window"]);
    refused(&["instance", "uc2", "--set", "window=5"], &["window", "500ms"]);
    refused(&["instance", "uc2", "--set", "memory.pretouch=64MB"], &["memory.pretouch", "64MiB"]);
    refused(&["instance", "uc7"], &["uc7", "uc1"]);
    refused(&["broker", "--listen", "127.0.0.1:0", "--set", "num.partition=3"], &["num.partition"]);
    refused(&["broker", "--listen", "nonsense"], &["nonsense"]);
}

#[test]
fn topics_that_are_there_or_not_are_named() {
    let (_broker, address) = Program::broker();
    let at = ["--bootstrap", address.as_str()];
    let topic = |words: &[&'static str]| -> Vec<String> {
        ["topic"].iter().chain(words).map(|w| (*w).to_owned()).chain(at.map(str::to_owned)).collect()
    };
    let words = |arguments: &[String]| run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), LIMIT);
    assert_eq!(words(&topic(&["create", "t", "--partitions", "2"])).code, Some(0));
    for (arguments, says) in [
        (topic(&["create", "t"]), ["t", "exists"]),
        (topic(&["delete", "u"]), ["u", "not exist"]),
        (topic(&["describe", "u"]), ["u", "not exist"]),
    ] {
        refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &says);
    }
}

/// Whoever stops at records that cannot be read says which one, and has committed what came before.
#[test]
fn a_malformed_record_is_named_by_its_place() {
    let (_broker, address) = Program::broker();
    let at = ["--bootstrap", address.as_str()];
    assert_eq!(run(&[&["topic", "create", "input"][..], &at].concat(), LIMIT).code, Some(0));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let cluster = groma_client::ClientConfig::new(&address);
        let producer =
            groma_client::Producer::connect(&cluster, groma_client::ProducerConfig::default()).await.unwrap();
        let to = producer.topic("input").await.unwrap().partitions()[0];
        producer.send(to, 0, Some(b"s_0"), Some(b"no reading")).await.unwrap();
        producer.flush().await.unwrap();
    });
    let arguments = [&["instance", "uc2", "--set", "rejects=stop"][..], &at].concat();
    let ended = run(&arguments, LIMIT);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let says = ended.stderr.lines().last().unwrap_or_default();
    for word in ["input", "offset 0", "rejects"] {
        assert!(says.contains(word), "{word:?} is not in {says:?}");
    }
}

#[test]
fn folders_without_results_cannot_be_reported_or_resumed() {
    let folder = Folder::new("report");
    let empty = folder.path().to_str().unwrap();
    refused(&["bench", "report", empty], &[empty, "results.json"]);
    folder.file("results.json", "{\"schema\": 1, \"runs\": 7}");
    refused(&["bench", "report", empty], &["results.json"]);
}
