use groma_model::Time;
use groma_session::group::{Embedded, Membership};
use groma_session::net::NetInput;

use crate::shell::{Mind, Todo};

/// A member's machine as a shell runs it.
#[derive(Debug)]
pub(crate) struct GroupMind<E: Embedded> {
    pub(super) group: Membership<E>,
}

impl<E: Embedded> Mind for GroupMind<E> {
    fn handle_net(&mut self, now: Time, input: NetInput) {
        self.group.handle(now, input);
    }

    fn poll(&mut self) -> Option<Todo> {
        let net = self.group.poll().map(Todo::Net);
        net.or_else(|| self.group.take_news().then_some(Todo::Wake))
    }

    fn deadline(&self) -> Option<Time> {
        self.group.deadline()
    }
}
