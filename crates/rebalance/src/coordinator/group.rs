use groma_model::Time;

use super::{CoordinatorConfig, GroupMetadata, GroupView, Input, Output, Reason};
use crate::protocol::{CommitFence, GroupError};

/// One classic group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    config: CoordinatorConfig,
}

impl Group {
    /// A group nobody has joined yet.
    pub fn new(config: CoordinatorConfig) -> Self {
        Self { config }
    }

    /// A group as its last record says: stable if it has members, all of whom must show life within their session.
    pub fn restore(config: CoordinatorConfig, now: Time, metadata: GroupMetadata) -> Self {
        let _ = (now, metadata);
        Self::new(config)
    }

    /// Takes what happened.
    pub fn handle(&mut self, now: Time, input: Input) {
        let _ = (now, input);
    }

    /// Yields what is to be done; drain it before the next `handle`.
    pub fn poll(&mut self) -> Option<Output> {
        None
    }

    /// When to come back with [`Input::Tick`], and why.
    pub fn deadline(&self) -> Option<(Time, Reason)> {
        None
    }

    /// Whether offsets may be committed under this fence; an accepted one is a sign of life.
    pub fn commit(&mut self, now: Time, fence: &CommitFence) -> Result<(), GroupError> {
        let _ = (now, fence);
        Ok(())
    }

    /// The group as describe and list show it.
    pub fn view(&self) -> GroupView {
        unimplemented!("view of {:?}", self.config)
    }

    /// What is durable about the group, once the yielded records are.
    pub fn metadata(&self) -> &GroupMetadata {
        unimplemented!("metadata of {:?}", self.config)
    }

    /// Since when the group is in its present state; for the retention of offsets of an empty group.
    pub fn state_since(&self) -> Time {
        Time::ZERO
    }
}
