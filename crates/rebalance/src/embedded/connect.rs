//! What workers of Kafka Connect hold (protocol type `connect`), read only: ours never join such groups.
//!
//! Version 0 gives a worker all it is to run (`ConnectProtocol`); from version 1 on (KIP-415) workers report what they
//! run, and the leader gives what is new and what is to stop (`IncrementalCooperativeConnectProtocol`).

use std::collections::BTreeSet;

use bytes::Bytes;
use groma_model::Span;
use groma_wire::{Form, Reader, WireError};

/// What a worker runs after a round, by name: a connector as `file`, its first task as `file-0`; in order. None where
/// its report or assignment cannot be read.
pub fn connect_holdings(report: &Bytes, assignment: &Bytes) -> Option<Vec<String>> {
    let given = Given::read(assignment.clone()).ok()?;
    let mut held = if given.version == 0 { BTreeSet::new() } else { reported(report.clone()).ok()? };
    held.retain(|name| !given.revoked.contains(name));
    held.extend(given.assigned);
    Some(held.into_iter().collect())
}

/// How long what was lost is left for its worker to come back, from this assignment on
/// (`scheduled.rebalance.max.delay.ms`); none where nothing waits, and where that cannot be read.
pub fn connect_delay(assignment: &Bytes) -> Option<Span> {
    let given = Given::read(assignment.clone()).ok()?;
    u64::try_from(given.delay_ms).ok().filter(|ms| *ms > 0).map(Span::from_millis)
}

#[derive(Default)]
struct Given {
    version: i16,
    assigned: BTreeSet<String>,
    revoked: BTreeSet<String>,
    delay_ms: i32,
}

impl Given {
    fn read(bytes: Bytes) -> Result<Self, WireError> {
        if bytes.is_empty() {
            return Ok(Self { version: 1, ..Self::default() });
        }
        let mut r = Reader::new(bytes);
        let version = r.i16()?;
        r.i16()?;
        r.nullable_string(Form::Fixed)?;
        r.nullable_string(Form::Fixed)?;
        r.i64()?;
        let assigned = names(&mut r)?;
        let revoked = if version == 0 { BTreeSet::new() } else { names(&mut r)? };
        let delay_ms = if version == 0 { 0 } else { r.i32().unwrap_or(0) };
        Ok(Self { version, assigned, revoked, delay_ms })
    }
}

/// What a worker says it runs.
fn reported(bytes: Bytes) -> Result<BTreeSet<String>, WireError> {
    let mut r = Reader::new(bytes);
    r.i16()?;
    r.nullable_string(Form::Fixed)?;
    r.i64()?;
    match r.nullable_bytes(Form::Fixed)? {
        Some(runs) if !runs.is_empty() => Given::read(runs).map(|given| given.assigned),
        _ => Ok(BTreeSet::new()),
    }
}

/// Connectors with their tasks, where the connector itself is task -1.
fn names(r: &mut Reader) -> Result<BTreeSet<String>, WireError> {
    let mut names = BTreeSet::new();
    for _ in 0..r.i32()?.max(0) {
        let connector = r.string(Form::Fixed)?;
        for _ in 0..r.i32()?.max(0) {
            let task = r.i32()?;
            names.insert(if task == CONNECTOR { connector.clone() } else { format!("{connector}-{task}") });
        }
    }
    Ok(names)
}

const CONNECTOR: i32 = -1;

#[cfg(test)]
mod tests {
    use super::*;

    /// As the classes of Kafka 4.4 write them: a worker runs `file` with two tasks; it is to give up one of them, and to
    /// run `jdbc` with a task.
    const REPORTS: &str = "00010009687474703a2f2f612f00000000000000050000003d00010000000277310009687474703a2f2f612f0000\
                           00000000000500000001000466696c6500000003ffffffff00000000000000010000000000000000";
    const GIVES: &str = "00010000000277310009687474703a2f2f612f00000000000000060000000100046a64626300000002ffffffff0000\
                         000000000001000466696c65000000010000000100000000";
    const ALL: &str = "00000000000277310009687474703a2f2f612f000000000000000600000001000466696c6500000003ffffffff000000\
                       0000000001";

    fn bytes(hex: &str) -> Bytes {
        let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
        digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
    }

    fn held(report: &str, assignment: &str) -> Option<Vec<String>> {
        connect_holdings(&bytes(report), &bytes(assignment))
    }

    #[test]
    fn a_worker_runs_what_it_reports_but_for_what_is_revoked_and_what_is_new() {
        assert_eq!(held(REPORTS, GIVES).expect("read"), ["file", "file-0", "jdbc", "jdbc-0"]);
        assert_eq!(held(REPORTS, "").expect("read"), ["file", "file-0", "file-1"], "nothing is told yet");
    }

    #[test]
    fn a_leader_says_how_long_it_leaves_what_was_lost() {
        let waits = format!("{}00001f40", &GIVES[..GIVES.len() - 8]);
        assert_eq!(connect_delay(&bytes(&waits)), Some(Span::from_secs(8)));
        assert_eq!(held(REPORTS, &waits), held(REPORTS, GIVES));
        for nothing in [GIVES, ALL, "", &GIVES[..60], &waits.replace("00001f40", "ffffffff"), &waits[..waits.len() - 8]]
        {
            assert_eq!(connect_delay(&bytes(nothing)), None, "{nothing}");
        }
    }

    #[test]
    fn the_first_version_gives_all_there_is() {
        assert_eq!(held(REPORTS, ALL).expect("read"), ["file", "file-0", "file-1"]);
    }

    #[test]
    fn what_cannot_be_read_is_not_known() {
        assert_eq!(held(REPORTS, &GIVES[..60]), None);
        assert_eq!(held("00", GIVES), None);
        assert_eq!(
            held(&REPORTS.replace("00000001000466", "7fffffff000466"), GIVES),
            None,
            "a count without its items"
        );
    }
}
