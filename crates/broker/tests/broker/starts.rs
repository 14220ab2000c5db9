//! Starting, refusing to start, ending.

use std::io::Write;
use std::net::TcpListener;

use groma_broker::{Broker, BrokerConfig, StartError};
use groma_wire::messages::{ApiVersionsRequest, MetadataRequest};

use crate::client::{Client, fetch, frame};
use crate::process::{Folder, Process, run};

#[test]
fn an_embedded_broker_serves_and_ends() {
    let broker = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let mut client = Client::connect(broker.address());
    let metadata = client.call(9, &MetadataRequest { topics: None, ..Default::default() });
    assert_eq!(format!("{}:{}", metadata.brokers[0].host, metadata.brokers[0].port), broker.bootstrap());
    let address = broker.address();
    broker.stop();
    assert!(client.is_closed());
    TcpListener::bind(address).unwrap();
}

#[test]
fn two_embedded_brokers_do_not_meet() {
    let one = Broker::start(BrokerConfig::ephemeral()).unwrap();
    let two = Broker::start(BrokerConfig::ephemeral()).unwrap();
    Client::connect(one.address()).create("t", &[]);
    Client::connect(two.address()).create("t", &[]);
}

#[test]
fn an_advertised_address_is_what_clients_are_told() {
    let config = BrokerConfig { advertise: Some("broker.example:1234".to_owned()), ..BrokerConfig::ephemeral() };
    let broker = Broker::start(config).unwrap();
    let metadata = Client::connect(broker.address()).call(9, &MetadataRequest::default());
    assert_eq!((metadata.brokers[0].host.as_str(), metadata.brokers[0].port), ("broker.example", 1234));
}

#[test]
fn what_is_wrong_is_said_in_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let folder = Folder::new("wrong");
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let file = file.to_str().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["--listen", &taken], "is taken by another process: stop it, or listen on another port"),
        (&["--listen", "nonsense"], "nonsense is no address to listen on: give HOST:PORT"),
        (
            &["--listen", "127.0.0.1:0", "--advertise", "localhost:0"],
            "localhost:0 is no address for clients to connect to: give HOST:PORT",
        ),
        (&["--listen", "127.0.0.1:0", "--data", file], "it is a file, or below one; name a folder"),
        (&["--set", "num.partition=3"], "unknown setting num.partition: did you mean num.partitions?"),
        (&["--set", "num.partitions=none"], "give a whole number from 1 to"),
    ];
    for (arguments, expected) in cases {
        let (code, stderr) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
        assert_eq!(stderr.trim().lines().count(), 1, "{stderr}");
    }
}

#[test]
fn a_data_folder_has_one_broker_at_a_time() {
    let folder = Folder::new("lock");
    let config = || BrokerConfig { data: Some(folder.path().to_owned()), ..BrokerConfig::ephemeral() };
    let first = Broker::start(config()).unwrap();
    assert!(matches!(Broker::start(config()), Err(StartError::DataFolderInUse { .. })));
    first.stop();
    Broker::start(config()).unwrap();
}

#[test]
fn a_folder_of_somebody_else_is_left_as_it_is() {
    let folder = Folder::new("foreign");
    let refused = || {
        let config = BrokerConfig { data: Some(folder.path().to_owned()), ..BrokerConfig::ephemeral() };
        Broker::start(config).unwrap_err().to_string().replace(folder.path().to_str().unwrap(), "F")
    };
    let end = "and is no data folder of this broker; name an empty or a new folder";
    std::fs::write(folder.path().join("letter.txt"), "Dear reader").unwrap();
    assert_eq!(refused(), format!("F holds `letter.txt` {end}"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was to be written");
    std::fs::write(folder.path().join("meta.properties"), "version=1\ncluster.id=abc\nnode.id=1\n").unwrap();
    assert_eq!(refused(), format!("F holds the data of another Kafka {end}"));
}

#[test]
fn a_damaged_data_folder_is_named() {
    let folder = Folder::new("damaged");
    std::fs::write(folder.path().join("meta.properties"), "nonsense").unwrap();
    let config = BrokerConfig { data: Some(folder.path().to_owned()), ..BrokerConfig::ephemeral() };
    let error = Broker::start(config).unwrap_err().to_string();
    assert!(error.contains("meta.properties cannot be read as"), "{error}");
}

#[test]
fn a_signal_ends_the_broker_while_a_fetch_waits() {
    let process = Process::start(&["--listen", "127.0.0.1:0"]);
    let mut client = process.client();
    client.create("t", &[]);
    // Both arrive at once: when the first is answered, the second waits.
    let both = [frame(0, &ApiVersionsRequest::default()), frame(11, &fetch("t", 0, i32::MAX))].concat();
    client.stream.write_all(&both).unwrap();
    client.receive::<ApiVersionsRequest>(0).unwrap();
    let (status, stderr) = process.terminate();
    assert!(status.success(), "{stderr}");
    let answer = client.receive::<groma_wire::messages::FetchRequest>(11).unwrap();
    assert_eq!(answer.responses[0].partitions[0].error_code, 0);
}

#[test]
fn listening_to_everybody_warns() {
    let process = Process::start(&["--listen", "0.0.0.0:0"]);
    let mut client = Client::connect(([127, 0, 0, 1], process.address.port()).into());
    client.call(0, &ApiVersionsRequest::default());
    let (_, stderr) = process.terminate();
    assert!(stderr.contains("without authentication"), "{stderr}");
}
