//! What outlives the broker.

use std::fs::OpenOptions;
use std::io::Write;

use groma_model::Offset;
use groma_wire::messages::*;
use groma_wire::records::set_base_offset;

use crate::client::batch;
use crate::process::{Folder, Process};

#[test]
fn records_topics_and_offsets_outlive_kill_9_and_a_clean_end() {
    let folder = Folder::new("lives");
    let mut expected = Vec::new();
    for life in 0..4 {
        let process = Process::over(&folder);
        let mut client = process.client();
        if life == 0 {
            client.create("t", &[("segment.bytes", "300")]);
        } else {
            assert_eq!(client.committed("g", "t"), life * 10);
            assert_eq!(client.values("t"), expected);
        }
        for n in 0..20 {
            let value = format!("{life}-{n}");
            assert_eq!(client.produce("t", &[&value]), (0, expected.len() as i64));
            expected.push(value);
        }
        assert_eq!(client.commit("g", "t", (life + 1) * 10), 0);
        if life % 2 == 0 {
            process.kill();
        } else {
            assert!(process.terminate().0.success());
        }
    }
}

#[test]
fn a_torn_end_is_cut_off_and_said_so() {
    let folder = Folder::new("torn");
    let process = Process::over(&folder);
    let mut client = process.client();
    client.create("t", &[]);
    client.produce("t", &["whole"]);
    process.kill();
    let segment = folder.path().join("t-0/00000000000000000000.log");
    let whole = std::fs::metadata(&segment).unwrap().len();
    let mut torn = batch(&["torn"]).to_vec();
    set_base_offset(&mut torn, Offset(1));
    let mut damaged = torn.clone();
    damaged[30] ^= 1;
    for garbage in [&torn[..40], &damaged[..], &[0; 100][..], &[1][..]] {
        OpenOptions::new().append(true).open(&segment).unwrap().write_all(garbage).unwrap();
        let process = Process::over(&folder);
        assert_eq!(process.client().values("t"), ["whole"]);
        let stderr = process.kill();
        let cuts: Vec<&str> = stderr.lines().filter(|line| line.contains("cut ")).collect();
        assert_eq!(cuts.len(), 1, "{stderr}");
        assert!(cuts[0].contains(&format!("cut {} bytes", garbage.len())), "{stderr}");
        assert_eq!(std::fs::metadata(&segment).unwrap().len(), whole);
    }
    let process = Process::over(&folder);
    assert_eq!(process.client().produce("t", &["next"]), (0, 1));
    assert_eq!(process.client().values("t"), ["whole", "next"]);
}

#[test]
fn what_is_more_than_a_torn_end_is_kept_beside_the_log() {
    let folder = Folder::new("cut-inside");
    let process = Process::over(&folder);
    let mut client = process.client();
    client.create("t", &[]);
    for value in ["first", "second", "third"] {
        client.produce("t", &[value]);
    }
    process.kill();
    let segment = folder.path().join("t-0/00000000000000000000.log");
    let mut bytes = std::fs::read(&segment).unwrap();
    let second = bytes.len() / 3;
    bytes[second + 70] ^= 1;
    std::fs::write(&segment, &bytes).unwrap();
    let process = Process::over(&folder);
    assert_eq!(process.client().values("t"), ["first"]);
    let stderr = process.kill();
    let aside = std::fs::read_dir(folder.path().join("t-0")).unwrap().map(|entry| entry.unwrap().path());
    let aside: Vec<_> = aside.filter(|path| path.to_str().unwrap().contains(".cut-")).collect();
    assert_eq!(aside.len(), 1, "{stderr}");
    assert!(stderr.contains(aside[0].to_str().unwrap()), "{stderr}");
    assert!(bytes.ends_with(&std::fs::read(&aside[0]).unwrap()));
}

#[test]
fn partitions_of_a_topic_that_is_not_known_are_kept() {
    let folder = Folder::new("orphan");
    let process = Process::over(&folder);
    let mut client = process.client();
    client.create("t", &[]);
    client.produce("t", &["kept"]);
    process.kill();
    std::fs::remove_file(folder.path().join("topics/t")).unwrap();
    for _ in 0..2 {
        let process = Process::over(&folder);
        process.client();
        process.kill();
        let kept = folder.path().join("orphan-1-t-0/00000000000000000000.log");
        assert!(std::fs::metadata(&kept).unwrap().len() > 0);
    }
}

#[test]
fn a_topic_made_again_does_not_find_the_old_records() {
    let folder = Folder::new("again");
    let process = Process::over(&folder);
    let mut client = process.client();
    client.create("t", &[]);
    client.produce("t", &["old"]);
    client.commit("g", "t", 1);
    let request = DeleteTopicsRequest { topic_names: vec!["t".to_owned()], ..Default::default() };
    assert_eq!(client.call(4, &request).responses[0].error_code, 0);
    client.create("t", &[]);
    assert_eq!(client.values("t"), [""; 0]);
    client.produce("t", &["new"]);
    process.kill();
    let process = Process::over(&folder);
    let mut client = process.client();
    assert_eq!(client.values("t"), ["new"]);
    assert_eq!(client.committed("g", "t"), -1);
}

#[test]
fn a_group_outlives_the_broker() {
    let folder = Folder::new("group");
    let join = JoinGroupRequest {
        group_id: "g".to_owned(),
        session_timeout_ms: 60_000,
        rebalance_timeout_ms: 60_000,
        protocol_type: "consumer".to_owned(),
        protocols: vec![JoinGroupRequestProtocol { name: "range".to_owned(), ..Default::default() }],
        ..Default::default()
    };
    let process = Process::over(&folder);
    let mut client = process.client();
    let joined = client.call(3, &join);
    let sync = SyncGroupRequest {
        group_id: "g".to_owned(),
        generation_id: joined.generation_id,
        member_id: joined.member_id.clone(),
        assignments: vec![SyncGroupRequestAssignment { member_id: joined.member_id.clone(), ..Default::default() }],
        ..Default::default()
    };
    assert_eq!(client.call(3, &sync).error_code, 0);
    process.kill();
    let process = Process::over(&folder);
    let beat = HeartbeatRequest {
        group_id: "g".to_owned(),
        generation_id: joined.generation_id,
        member_id: joined.member_id,
        ..Default::default()
    };
    assert_eq!(process.client().call(3, &beat).error_code, 0);
}

#[test]
fn names_that_look_like_the_brokers_own_files_are_names() {
    let folder = Folder::new("names");
    let names = ["t.new", ".deleted-x", "topics", "meta.properties", ".lock", "a", "a-0"];
    let process = Process::over(&folder);
    let mut client = process.client();
    for name in names {
        client.create(name, &[]);
        client.produce(name, &[name]);
    }
    process.kill();
    let process = Process::over(&folder);
    let mut client = process.client();
    for name in names {
        assert_eq!(client.values(name), [name]);
    }
}
