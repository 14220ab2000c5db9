use groma_model::Time;
use groma_session::net::NetInput;
use groma_session::producer::{Producer, ProducerInput, ProducerOutput, Sticky};

use crate::shell::{Mind, Todo};

/// A producer and the partition its keyless records are on.
pub(super) struct ProducerMind {
    pub(super) producer: Producer,
    pub(super) sticky: Sticky,
}

impl Mind for ProducerMind {
    fn handle_net(&mut self, now: Time, input: NetInput) {
        self.producer.handle(now, ProducerInput::Net(input));
    }

    fn poll(&mut self) -> Option<Todo> {
        self.producer.poll().map(|output| match output {
            ProducerOutput::Net(output) => Todo::Net(output),
            ProducerOutput::Wake => Todo::Wake,
        })
    }

    fn deadline(&self) -> Option<Time> {
        self.producer.deadline()
    }
}
