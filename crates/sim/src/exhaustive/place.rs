use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use groma_model::{Span, Time, TopicPartition};
use groma_rebalance::digest::Numbers;
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{Member, ReleaseId, RequestId};
use groma_rebalance::protocol::{Reply, Request};

use super::transcript::Transcript;

/// Where a process may run, and its links with the coordinator.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// Counts the processes that have run here.
    pub(super) life: u32,
    pub(super) process: Option<Process>,
    /// Requests on their way, those of a former life included.
    pub(super) up: VecDeque<Asked>,
    /// Answers on their way.
    pub(super) down: VecDeque<Answer>,
    /// Requests that the coordinator has taken and not answered.
    pub(super) parked: Vec<Caller>,
}

/// A member and its application.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) member: Member<Consumer>,
    pub(super) running: BTreeSet<TopicPartition>,
    pub(super) stopping: VecDeque<Stopping>,
}

/// What an application has been told to stop.
#[derive(Clone, Debug)]
pub(super) struct Stopping {
    pub(super) release: ReleaseId,
    pub(super) resources: Vec<TopicPartition>,
    pub(super) since: Time,
}

/// Who waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) life: u32,
    pub(super) id: RequestId,
}

#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) caller: Caller,
    pub(super) request: Request,
    pub(super) sent: Time,
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) id: RequestId,
    pub(super) reply: Reply,
    pub(super) sent: Time,
    /// It does not arrive before the clock has moved.
    pub(super) held: bool,
}

impl Place {
    /// Until when the clock may go on before something here must have arrived, or stopped, that bears so much.
    pub(super) fn pending_until(&self, bearable: Span) -> Option<Time> {
        let up = self.up.iter().map(|asked| asked.pending_until(bearable));
        let down = self.down.iter().map(|answer| answer.pending_until(bearable));
        let stops = self.process.iter().flat_map(|p| p.stopping.iter().map(|s| s.since + bearable));
        up.chain(down).chain(stops).min()
    }

    /// Nothing is under way to or from here, and nothing is about to stop.
    pub(super) fn is_still(&self) -> bool {
        self.up.is_empty() && self.down.is_empty() && self.process.as_ref().is_none_or(|p| p.stopping.is_empty())
    }

    /// Equal for places where the same will happen from now on.
    pub(super) fn transcript(&self, now: Time) -> Transcript {
        let mut hasher = Transcript::new();
        let mut numbers = Numbers::default();
        if let Some(process) = &self.process {
            process.digest(now, &mut numbers, &mut hasher);
        }
        let mut caller = |caller: &Caller, hasher: &mut Transcript| {
            let alive = self.process.is_some() && caller.life == self.life;
            alive.then(|| numbers.place(caller.id.0)).hash(hasher);
        };
        for Asked { caller: from, request, sent } in &self.up {
            caller(from, &mut hasher);
            (request, now.since(*sent).0).hash(&mut hasher);
        }
        for Answer { id, reply, sent, held } in &self.down {
            caller(&Caller { life: self.life, id: *id }, &mut hasher);
            (reply, now.since(*sent).0, held).hash(&mut hasher);
        }
        hasher.write_u8(0xfe);
        self.parked.iter().for_each(|parked| caller(parked, &mut hasher));
        hasher
    }
}

impl Asked {
    fn pending_until(&self, bearable: Span) -> Time {
        if matches!(self.request, Request::Heartbeat(_)) { self.sent } else { self.sent + bearable }
    }
}

impl Answer {
    /// A heartbeat that arrives later than at once says nothing that none, or a later one, does not say.
    pub(super) fn pending_until(&self, bearable: Span) -> Time {
        if matches!(self.reply, Reply::Heartbeat(_)) { self.sent } else { self.sent + bearable }
    }
}

impl Process {
    fn digest(&self, now: Time, numbers: &mut Numbers, hasher: &mut Transcript) {
        hasher.write_u8(0xff);
        self.member.digest(now, numbers, hasher);
        for Stopping { release, since, .. } in &self.stopping {
            (numbers.place(release.0), now.since(*since).0).hash(hasher);
        }
        hasher.write_u8(0xff);
    }
}
