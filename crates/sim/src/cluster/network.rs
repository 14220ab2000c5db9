use std::collections::BTreeMap;

use groma_model::{Time, TopicPartition};
use groma_rebalance::coordinator::Ticket;
use groma_rebalance::member::{ReleaseId, RequestId, Unanswered};
use groma_rebalance::protocol::{CommitFence, Reply, Request};

/// A process: which client, and which of its lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Process {
    pub(super) place: usize,
    pub(super) life: u32,
}

/// Something that will happen.
#[derive(Clone, Debug)]
pub(super) enum What {
    Request { from: Process, id: RequestId, request: Request },
    Reply { to: Process, id: RequestId, result: Result<Reply, Unanswered> },
    LookedUp { to: Process },
    Catalog { to: Process, catalog: BTreeMap<String, u32> },
    ClingsNot { at: Process, resource: TopicPartition },
    Halted { at: Process, resource: TopicPartition },
    Stopped { at: Process, release: ReleaseId },
    Stored { epoch: u32, ticket: Ticket },
    BrokerBack,
    ClientBack(usize),
    Awake(usize),
    Commit { from: Process, fence: CommitFence, runs: Vec<(TopicPartition, u64)> },
    CommitDue(Process),
}

/// What will happen and when; in order of sending where times are equal.
#[derive(Debug, Default)]
pub(super) struct Network {
    queue: BTreeMap<(Time, u64), What>,
    sent: u64,
    /// When the last message of each link arrives: a connection keeps its order.
    up: BTreeMap<usize, Time>,
    down: BTreeMap<usize, Time>,
    news: BTreeMap<usize, Time>,
    pub(super) faults: u64,
}

impl Network {
    pub(super) fn at(&mut self, time: Time, what: What) {
        self.sent += 1;
        self.queue.insert((time, self.sent), what);
    }

    /// Towards the broker, behind what was sent before.
    pub(super) fn up(&mut self, place: usize, time: Time, what: What) {
        let at = behind(&mut self.up, place, time);
        self.at(at, what);
    }

    /// Towards a client, behind what was sent before.
    pub(super) fn down(&mut self, place: usize, time: Time, what: What) {
        let at = behind(&mut self.down, place, time);
        self.at(at, what);
    }

    /// What a client learns about topics, behind what it learned before; on a connection of its own.
    pub(super) fn news(&mut self, place: usize, time: Time, what: What) {
        let at = behind(&mut self.news, place, time);
        self.at(at, what);
    }

    pub(super) fn next_time(&self) -> Option<Time> {
        self.queue.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn take_due(&mut self, now: Time) -> Option<What> {
        let entry = self.queue.first_entry()?;
        (entry.key().0 <= now).then(|| entry.remove())
    }

    /// Postpones what is due for a sleeping client.
    pub(super) fn postpone(&mut self, until: Time, what: What) {
        self.at(until, what);
    }
}

fn behind(link: &mut BTreeMap<usize, Time>, place: usize, time: Time) -> Time {
    let last = link.entry(place).or_default();
    *last = time.max(*last);
    *last
}
