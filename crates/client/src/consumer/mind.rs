use groma_model::Time;
use groma_session::consumer::Consumer;
use groma_session::net::NetInput;

use crate::shell::{Mind, Todo};

/// A consumer's machine as a shell runs it.
#[derive(Debug)]
pub(crate) struct ConsumerMind {
    pub(super) consumer: Consumer,
}

impl Mind for ConsumerMind {
    fn handle_net(&mut self, now: Time, input: NetInput) {
        self.consumer.handle(now, input);
    }

    fn poll(&mut self) -> Option<Todo> {
        let net = self.consumer.poll().map(Todo::Net);
        net.or_else(|| self.consumer.take_news().then_some(Todo::Wake))
    }

    fn deadline(&self) -> Option<Time> {
        self.consumer.deadline()
    }
}
