use std::net::TcpListener;

use super::program::{Folder, Program, run};

/// One sentence that contains all of `words`, exit code 2, nothing on stdout.
fn refused(arguments: &[&str], words: &[&str]) {
    let ended = run(arguments);
    assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
    assert_eq!(ended.stdout, "", "{arguments:?}");
    assert!(ended.stderr.starts_with("groma: "), "{arguments:?}: {ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{arguments:?}: {ended:?}");
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
        ("name: a\nloads: [0]\n", vec!["line 2", "loads", "`0`", "from 1 to", "[1000, 2000, 4000]"]),
        ("name: a\nname: b\n", vec!["line 2", "`name`", "second time"]),
        ("name: a\nsut: {engine: groma, settings: {window: 0s}}\n", vec!["line 2", "window=0s", "from 1ms"]),
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

/// Exactly this on stderr, exit code 2.
fn refused_with(arguments: &[&str], sentence: &str) {
    refused(arguments, &[]);
    assert_eq!(run(arguments).stderr, format!("groma: {sentence}\n"), "{arguments:?}");
}

#[test]
fn what_is_no_text_file_is_refused_without_reading_it() {
    let folder = Folder::new("kinds");
    let (pipe, at) = (folder.place("pipe"), folder.path().to_str().unwrap());
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let bytes = folder.place("bytes.yaml");
    std::fs::write(&bytes, [b'n', 0xff, 0]).unwrap();
    for command in [&["bench", "plan"][..], &["bench", "run"], &["load", "--rate", "1", "--keys", "1"]] {
        let refused_as = |file: &str, words: &[&str]| refused(&[command, &[file]].concat(), words);
        refused_as(&pipe, &[&pipe, "is a pipe; name a file"]);
        refused_as("/dev/zero", &["/dev/zero is a device; name a file"]);
        refused_as(at, &[at, "is a folder; name a file"]);
        refused_as(&bytes, &[&bytes, "byte 1 is no UTF-8"]);
    }
    let nothing = folder.place("nothing.yaml");
    let sentence = format!(
        "{nothing} cannot be read (No such file or directory (os error 2)); check the path and its permissions"
    );
    refused_with(&["load", &nothing], &sentence);
    let config = ["topic", "list", "--client-config", &pipe];
    refused_with(&config, &format!("client configuration {pipe} is a pipe; name a file"));
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

/// Whoever reads what he writes, or writes where Kafka or Groma keep their own records, does harm.
#[test]
fn topics_that_cannot_be_what_they_are_to_be_are_refused_before_anybody_is_asked() {
    for (settings, words) in [
        (&["output=input"][..], &["output=input", "is the input already"][..]),
        (&["output=groma-uc2-changelog"], &["output=groma-uc2-changelog", "the changelog of the group"]),
        (&["input=groma-uc2-changelog"], &["input=groma-uc2-changelog", "the changelog of the group"]),
        (&["input=groma-progress"], &["input=groma-progress", "where instances report"]),
        (&["output=groma-progress", "progress=off"], &["output=groma-progress", "where instances report"]),
        (&["input=__consumer_offsets"], &["input=__consumer_offsets", "Kafka's own"]),
        (&["output=__x"], &["output=__x", "Kafka's own"]),
    ] {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        refused(&["instance", "uc2"].into_iter().chain(settings).collect::<Vec<_>>(), words);
    }
    refused(&["instance", "uc1", "--group", "__g"], &["group=__g", "Kafka's own"]);
}

#[test]
fn an_input_that_is_not_there_is_named() {
    let (_broker, address) = Program::broker();
    refused(
        &["instance", "uc2", "--set", "input=nothing", "--bootstrap", &address],
        &["input topic `nothing` does not exist", "groma topic create nothing --partitions N"],
    );
    let topics = run(&["topic", "list", "--bootstrap", &address]);
    assert!(!topics.stdout.contains("output"), "topics were made: {}", topics.stdout);
}

/// A setting that is read and then not followed would be worse than one that is refused.
#[test]
fn group_settings_of_a_client_configuration_count_or_are_refused() {
    let folder = Folder::new("client-config");
    for (text, words) in [
        (
            "rebalance.policy=eager\nrebalance.max-delay=20s",
            &["rebalance.max-delay=20000ms", "rebalance.policy eager"][..],
        ),
        ("session.timeout.ms=2000", &["heartbeat.interval=3s", "session.timeout (2s)"]),
        ("group.id=__g", &["group=__g", "Kafka's own"]),
        ("partition.assignment.strategy=range", &["`partition.assignment.strategy`", "rebalance.policy"]),
        ("enable.auto.commit=true", &["`enable.auto.commit`", "the setting commit"]),
    ] {
        let file = folder.file("client.properties", text);
        refused(&["instance", "uc2", "--client-config", &file], words);
    }
}

#[test]
fn the_help_of_an_instance_tells_every_setting() {
    let help = run(&["instance", "--help"]).stdout;
    for words in ["session.timeout            45s", "rebalance.max-delay        5m", "deferred: "] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn settings_are_refused_by_name_and_value() {
    refused(&["instance", "uc2", "--set", "windows=5s"], &["windows", "window"]);
    refused(&["instance", "uc2", "--set", "window=5"], &["window", "500ms"]);
    refused(&["instance", "uc2", "--set", "memory.pretouch=64MB"], &["memory.pretouch", "64MiB"]);
    refused(&["instance", "uc7"], &["uc7", "uc1"]);
    refused(&["broker", "--listen", "127.0.0.1:0", "--set", "num.partition=3"], &["num.partition"]);
    refused(&["broker", "--listen", "nonsense"], &["nonsense"]);
    refused_with(
        &["instance", "uc2", "--set", "session.timeout=1s"],
        "setting `heartbeat.interval=3s`: must be shorter than session.timeout (1s)",
    );
    for (word, mend) in [("segment.bytes", "did you mean log.segment.bytes?"), ("colour", "use one of auto.create")] {
        refused(&["broker", "--set", &format!("{word}=1")], &[word, mend]);
    }
}

#[test]
fn loads_that_make_none_are_refused_before_anything_is_written() {
    let (_broker, address) = Program::broker();
    let typed = |changed: &[&str]| {
        let usual = ["load", "--rate", "10", "--keys", "5", "--duration", "1s", "--bootstrap", &address];
        let mut words: Vec<String> = usual.map(str::to_owned).to_vec();
        for pair in changed.chunks(2) {
            let at = words.iter().position(|word| word == pair[0]);
            match at {
                Some(at) => words[at + 1] = pair[1].to_owned(),
                None => words.extend(pair.iter().map(|word| (*word).to_owned())),
            }
        }
        words
    };
    for (changed, words) in [
        (["--rate", "0"], ["'0' for '--rate", "from 1 to 20,000,000"]),
        (["--rate", "99999999999"], ["'99999999999' for '--rate", "from 1 to 20,000,000"]),
        (["--keys", "0"], ["'0' for '--keys", "from 1 to 1,000,000,000"]),
        (["--duration", "0s"], ["--duration 0ms makes no load", "from 1ms to 24h"]),
        (["--partitions", "0"], ["'0' for '--partitions", "from 1 to 10,000"]),
        (["--skew", "101"], ["'101' for '--skew", "from 0 to 100"]),
        (["--topic", ""], ["--topic", "cannot be empty"]),
        (["--topic", "a/b"], ["a/b", "may hold only letters"]),
    ] {
        refused(&typed(&changed).iter().map(String::as_str).collect::<Vec<_>>(), &words);
    }
    let topics = run(&["topic", "list", "--json", "--bootstrap", &address]);
    assert_eq!(topics.stdout.trim(), "[]", "nothing was to be made");
}

/// A load that cannot be sent in its time ends with it, and says what is missing.
#[test]
fn a_load_ends_with_its_duration_whatever_was_asked() {
    let (_broker, address) = Program::broker();
    let asked = ["load", "--rate", "20000000", "--keys", "1", "--duration", "1s", "--bootstrap", &address];
    let ended = run(&asked);
    assert!(matches!(ended.code, Some(0 | 1)), "{ended:?}");
}

#[test]
fn names_that_nothing_can_have_are_refused_before_anything_is_made() {
    let (_broker, address) = Program::broker();
    let at = ["--bootstrap", address.as_str()];
    let long = "x".repeat(250);
    for (arguments, words) in [
        (vec!["topic", "create", ""], ["topic name", "cannot be empty"]),
        (vec!["topic", "create", "a b"], ["\"a b\"", "may hold only letters"]),
        (vec!["topic", "create", "."], ["'.' or '..'", "topic"]),
        (vec!["topic", "create", &long], ["at most 249", "topic"]),
        (vec!["topic", "create", "t", "--partitions", "0"], ["--partitions", "from 1 to"]),
        (vec!["topic", "describe", ""], ["topic name", "cannot be empty"]),
        (vec!["topic", "delete", "a/b"], ["\"a/b\"", "may hold only letters"]),
        (vec!["instance", "uc2", "--group", ""], ["--group", "a group has a name"]),
        (vec!["group", "describe", ""], ["group", "a group has a name"]),
    ] {
        refused(&[&arguments[..], &at].concat(), &words);
    }
    refused(&["broker", "--max-bytes", "0B"], &["--max-bytes", "1MiB or more"]);
    refused(&["speed", ""], &["an empty prefix chooses nothing"]);
    let topics = run(&["topic", "list", "--json", "--bootstrap", &address]);
    assert_eq!(topics.stdout.trim(), "[]", "nothing was to be made");
}

#[test]
fn client_settings_are_told_by_file_and_line_and_what_is_typed_wins() {
    let folder = Folder::new("client");
    let (_broker, address) = Program::broker();
    for (text, says) in [
        ("acks=all\nnonsense\n", "line 2: `nonsense` is not a setting; write key=value, such as acks=all"),
        ("lingr.ms=5\n", "line 1: unknown key lingr.ms: did you mean linger.ms?"),
        ("# ours\nlinger.ms=soon\n", "line 2: linger.ms cannot be soon: give a whole number from 0 to 2147483647"),
        (
            "bootstrap.servers=k:port\n",
            "line 1: bootstrap.servers cannot be k:port: an address is host:port, such as 127.0.0.1:9092",
        ),
    ] {
        let file = folder.file("client.conf", text);
        let arguments = ["topic", "list", "--client-config", &file, "--bootstrap", &address];
        refused_with(&arguments, &format!("client configuration {file}, {says}"));
    }
    let here = folder.file("here.conf", &format!("bootstrap.servers={address}\n"));
    let elsewhere = folder.file("elsewhere.conf", "bootstrap.servers=127.0.0.1:1\n");
    let list = |words: &[&str]| run(&[&["topic", "list", "--client-config"][..], words].concat()).code;
    assert_eq!(list(&[&here]), Some(0));
    assert_eq!(list(&[&elsewhere, "--bootstrap", &address]), Some(0));
}

#[test]
fn data_folders_that_cannot_be_used_are_named_with_the_mend() {
    let folder = Folder::new("data");
    let broker = |data: &str, sentence: &str| {
        refused_with(&["broker", "--listen", "127.0.0.1:0", "--data", data], &format!("{data} {sentence}"));
    };
    let file = folder.file("file", "");
    broker(&file, "cannot be a data folder: it is a file, or below one; name a folder");
    broker(&format!("{file}/below"), "cannot be a data folder: it is a file, or below one; name a folder");
    let ours = folder.path().to_str().unwrap();
    broker(ours, "holds `file` and is no data folder of this broker; name an empty or a new folder");
    let data = folder.place("data");
    let (_broker, _) = Program::broker_with(&["--data", &data]);
    refused_with(
        &["broker", "--listen", "127.0.0.1:0", "--data", &data],
        &format!("data folder {data} is in use by another broker; stop that one, or name another folder"),
    );
}

#[test]
fn topics_that_are_there_or_not_are_named() {
    let (_broker, address) = Program::broker();
    let at = ["--bootstrap", address.as_str()];
    let topic = |words: &[&'static str]| -> Vec<String> {
        ["topic"].iter().chain(words).map(|w| (*w).to_owned()).chain(at.map(str::to_owned)).collect()
    };
    let words = |arguments: &[String]| run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(words(&topic(&["create", "t", "--partitions", "2"])).code, Some(0));
    for (arguments, says) in [
        (topic(&["create", "t"]), ["topic t exists already", "choose another name"]),
        (topic(&["delete", "u"]), ["topic u does not exist", "groma topic list"]),
        (topic(&["describe", "u"]), ["topic u does not exist", "groma topic list"]),
    ] {
        refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &says);
    }
}

/// Whoever stops at records that cannot be read says which one, and has committed what came before.
#[test]
fn a_malformed_record_is_named_by_its_place() {
    let (_broker, address) = Program::broker();
    let at = ["--bootstrap", address.as_str()];
    assert_eq!(run(&[&["topic", "create", "input"][..], &at].concat()).code, Some(0));
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
    let ended = run(&arguments);
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
    refused(&["bench", "report", &folder.place("none")], &["none is no folder"]);
    for (text, says) in [
        ("{\"schema\": 1, \"runs\": 7}", "lacks what schema 1 asks for, or was changed; remove it"),
        ("{\"schema\": 1, \"runs\": [", "is cut off; remove it"),
        ("{\"schema\": 2, \"runs\": []}", "has schema 2"),
        ("{\"name\": \"package\"}", "was not written by groma; name a folder"),
    ] {
        folder.file("results.json", text);
        refused(&["bench", "report", empty], &["results.json", says]);
        let (_broker, address) = Program::broker();
        let resumed = ["bench", "run", "uc2", "--resume", "--out", empty, "--bootstrap", &address];
        refused(&resumed, &["results.json", says]);
        assert_eq!(std::fs::read_to_string(folder.path().join("results.json")).unwrap(), text, "nothing is lost");
    }
}

#[test]
fn a_benchmark_that_reaches_no_kafka_leaves_no_folder_behind() {
    let folder = Folder::new("unreached");
    let out = folder.place("out");
    let ended = run(&["bench", "run", "uc2", "--bootstrap", "127.0.0.1:1", "--out", &out]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("127.0.0.1:1"), "{}", ended.stderr);
    assert!(!std::path::Path::new(&out).exists(), "{out} was made for nothing");
}
