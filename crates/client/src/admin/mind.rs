use std::collections::BTreeMap;

use groma_model::Time;
use groma_session::cluster::{AutoCreate, Cluster, ClusterEvent, Target};
use groma_session::net::{Call, CallError, Lane, NetInput, Reply};
use tokio::sync::oneshot;

use crate::ClientConfig;
use crate::shell::{Mind, Todo};

/// How a call ended.
pub(super) type Ending = Result<Option<Reply>, CallError>;

/// Calls and who waits for them.
pub(super) struct AdminMind {
    pub(super) cluster: Cluster<u64>,
    waiting: BTreeMap<u64, oneshot::Sender<Ending>>,
    next: u64,
    contact: bool,
}

impl AdminMind {
    pub(super) fn new(settings: &ClientConfig) -> Self {
        let cluster = Cluster::new(settings, AutoCreate::Forbidden);
        Self { cluster, waiting: BTreeMap::new(), next: 0, contact: false }
    }

    pub(super) fn call(&mut self, now: Time, target: Target, call: Call) -> oneshot::Receiver<Ending> {
        let (sender, receiver) = oneshot::channel();
        self.next += 1;
        self.waiting.insert(self.next, sender);
        let timeout = self.cluster.settings().request_timeout;
        self.cluster.call(now, target.over(Lane::Control, timeout), call, self.next);
        receiver
    }
}

impl Mind for AdminMind {
    fn handle_net(&mut self, now: Time, input: NetInput) {
        self.cluster.handle(now, input);
    }

    fn poll(&mut self) -> Option<Todo> {
        while let Some(event) = self.cluster.poll_event() {
            match event {
                ClusterEvent::Answered { tag, result } => {
                    if let Some(sender) = self.waiting.remove(&tag) {
                        // Whoever asked may have stopped waiting.
                        let _ = sender.send(result);
                    }
                }
                ClusterEvent::Contact | ClusterEvent::Refreshed => self.contact = true,
            }
        }
        let net = self.cluster.poll().map(Todo::Net);
        net.or_else(|| std::mem::take(&mut self.contact).then_some(Todo::Wake))
    }

    fn deadline(&self) -> Option<Time> {
        self.cluster.deadline()
    }
}
