use groma_model::Span;
use groma_rebalance::protocol::{Reply, Request, Role};

/// What a change costs a group, from the moment it begins until nothing has happened for a while.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScaleBill {
    /// Generations that were settled.
    pub rounds: u64,
    /// Resources that went from one process to another.
    pub moved: u64,
    /// The fewest that must.
    pub least: u64,
    /// Resources stopped on processes that stayed up.
    pub stopped: u64,
    /// Requests and answers, heartbeats apart.
    pub messages: u64,
    /// Heartbeats and answers to them.
    pub heartbeats: u64,
    /// Bytes of reports and assignments in these messages, there and back.
    pub payload_bytes: u64,
    /// From the change to the last process that started or stopped something, or settled.
    pub settled_after: Span,
    /// Resources that two processes ran at once, that nobody runs in the end, or that a process has above its share.
    pub violations: u64,
}

impl ScaleBill {
    pub(super) fn sent(&mut self, request: &Request) {
        match request {
            Request::Heartbeat(_) => self.heartbeats += 1,
            Request::Join(join) => self.message(join.protocols.iter().map(|protocol| protocol.metadata.len())),
            Request::Sync(sync) => self.message(sync.assignments.iter().map(|(_, bytes)| bytes.len())),
            Request::Leave(_) => self.message([].into_iter()),
        }
    }

    pub(super) fn answered(&mut self, reply: &Reply) {
        match reply {
            Reply::Heartbeat(_) => self.heartbeats += 1,
            Reply::Join(Ok(joined)) => match &joined.role {
                Role::Leader { members, .. } => self.message(members.iter().map(|report| report.metadata.len())),
                Role::Follower => self.message([].into_iter()),
            },
            Reply::Sync(Ok(synced)) => self.message([synced.assignment.len()].into_iter()),
            Reply::Join(Err(_)) | Reply::Sync(Err(_)) | Reply::Leave(_) => self.message([].into_iter()),
        }
    }

    fn message(&mut self, payloads: impl Iterator<Item = usize>) {
        self.messages += 1;
        self.payload_bytes += payloads.map(|length| length as u64).sum::<u64>();
    }
}
