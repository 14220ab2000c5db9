use std::collections::{BTreeMap, BTreeSet};

use groma_model::Time;
use groma_wire::messages::FetchRequest;

use crate::call::Call;
use crate::contract::ConnectionId;
use crate::log::LogId;

/// The fetches that wait for records, listed by the logs they wait on.
#[derive(Debug, Default)]
pub(crate) struct Fetches {
    parked: BTreeMap<ConnectionId, ParkedFetch>,
    by_log: BTreeMap<LogId, Vec<ConnectionId>>,
    by_deadline: BTreeSet<(Time, ConnectionId)>,
}

/// A fetch that found too little; a connection has at most one.
#[derive(Debug)]
pub(crate) struct ParkedFetch {
    pub(crate) call: Call,
    pub(crate) request: FetchRequest,
    /// The logs whose appends count.
    pub(crate) logs: Vec<LogId>,
    /// When it is answered with what there is.
    pub(crate) deadline: Time,
    /// Bytes it still waits for.
    pub(crate) missing: u64,
}

impl Fetches {
    pub(crate) fn park(&mut self, fetch: ParkedFetch) {
        let connection = fetch.call.connection;
        for log in &fetch.logs {
            self.by_log.entry(*log).or_default().push(connection);
        }
        self.by_deadline.insert((fetch.deadline, connection));
        self.parked.insert(connection, fetch);
    }

    /// Takes out the fetch of a connection.
    pub(crate) fn take(&mut self, connection: ConnectionId) -> Option<ParkedFetch> {
        let fetch = self.parked.remove(&connection)?;
        self.by_deadline.remove(&(fetch.deadline, connection));
        for log in &fetch.logs {
            if let Some(waiting) = self.by_log.get_mut(log) {
                waiting.retain(|other| *other != connection);
                if waiting.is_empty() {
                    self.by_log.remove(log);
                }
            }
        }
        Some(fetch)
    }

    /// Takes out the fetches that have enough, now that `log` has grown by `bytes`.
    pub(crate) fn grown(&mut self, log: LogId, bytes: u64) -> Vec<ParkedFetch> {
        let Some(waiting) = self.by_log.get(&log) else { return Vec::new() };
        let mut satisfied = Vec::new();
        for connection in waiting {
            if let Some(fetch) = self.parked.get_mut(connection) {
                fetch.missing = fetch.missing.saturating_sub(bytes);
                if fetch.missing == 0 {
                    satisfied.push(*connection);
                }
            }
        }
        satisfied.into_iter().filter_map(|connection| self.take(connection)).collect()
    }

    /// Takes out a fetch whose time is over.
    pub(crate) fn take_due(&mut self, now: Time) -> Option<ParkedFetch> {
        let (at, connection) = *self.by_deadline.first()?;
        if at > now { None } else { self.take(connection) }
    }

    /// When the next one's time is over.
    pub(crate) fn deadline(&self) -> Option<Time> {
        self.by_deadline.first().map(|(at, _)| *at)
    }
}
