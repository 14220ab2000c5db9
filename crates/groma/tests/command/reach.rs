use super::port::{Manner, Port, commands, nameless, nobody};
use super::program::{Folder, Program, run};

/// What every command says of `address`: one sentence that names it and contains all of `words`.
fn all_refuse(address: &str, words: &[&str]) {
    let folder = Folder::new("reach");
    std::thread::scope(|scope| {
        for command in commands(address, &folder.place("out")) {
            scope.spawn(move || {
                let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
                let ended = run(&arguments);
                assert_eq!(ended.code, Some(2), "{command:?}: {ended:?}");
                assert_eq!(ended.stdout, "", "{command:?}");
                assert_eq!(ended.stderr.lines().count(), 1, "{command:?}: {}", ended.stderr);
                let sentence = format!("groma: no Kafka answers at {address} (");
                assert!(ended.stderr.starts_with(&sentence), "{command:?}: {}", ended.stderr);
                for word in words.iter().chain(&["; check the address"]) {
                    assert!(ended.stderr.contains(word), "{command:?} does not say {word:?}: {}", ended.stderr);
                }
            });
        }
    });
}

#[test]
fn a_port_that_accepts_and_says_nothing_is_given_up_by_every_command() {
    let port = Port::open(Manner::Silent);
    all_refuse(&port.address, &["connected, but no answer within 5 s", "without TLS"]);
}

#[test]
fn a_port_that_closes_at_once_is_given_up_by_every_command() {
    all_refuse(&Port::open(Manner::Closing).address, &["connected, but no answer: ", "without TLS"]);
}

#[test]
fn a_port_that_speaks_otherwise_is_given_up_by_every_command() {
    all_refuse(&Port::open(Manner::Web).address, &["does not speak Kafka's protocol", "without TLS"]);
}

#[test]
fn an_address_where_nobody_listens_is_given_up_by_every_command() {
    all_refuse(&nobody(), &["refused", "that the broker runs"]);
}

#[test]
fn a_name_that_does_not_resolve_is_given_up_by_every_command() {
    all_refuse(&nameless(), &["lookup", "that the broker runs"]);
}

#[test]
fn one_address_that_answers_is_enough() {
    let (_broker, address) = Program::broker();
    let ports = [Manner::Silent, Manner::Closing, Manner::Web].map(Port::open);
    let others: Vec<&str> = ports.iter().map(|port| port.address.as_str()).collect();
    let bootstrap = format!("{},{},{},{address}", others.join(","), nobody(), nameless());
    let ended = run(&["topic", "list", "--bootstrap", &bootstrap]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let load = ["load", "--rate", "10", "--keys", "1", "--duration", "100ms", "--bootstrap", &bootstrap];
    let ended = run(&load);
    assert_eq!(ended.code, Some(0), "{ended:?}");
}
