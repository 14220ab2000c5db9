//! Groups and their committed offsets, kept as records of `__consumer_offsets`.

use bytes::Bytes;
use groma_model::Time;

use crate::contract::StorageFailure;
use crate::effects::AfterStore;
use crate::node::Node;
use crate::topic::Topic;

#[derive(Debug, Default)]
pub(crate) struct Groups {}

#[derive(Debug)]
pub(crate) struct StoredGroup {}

impl Groups {
    pub(crate) fn deadline(&self) -> Option<Time> {
        None
    }
    pub(crate) fn is_empty(&self) -> bool {
        true
    }
}

impl Node {
    pub(crate) fn tick_groups(&mut self) {}
    pub(crate) fn replay(&mut self, _bytes: Bytes) {}
    pub(crate) fn restore_groups(&mut self) {}
    pub(crate) fn expire_offsets(&mut self) {}
    pub(crate) fn stored(&mut self, _then: AfterStore, _result: Result<(), StorageFailure>) {}
    pub(crate) fn forget_offsets_of(&mut self, _topic: &Topic) {}
}
