//! The mind of a Kafka client: metadata, producer, fetch positions, group membership, without I/O.

pub mod cluster;
pub mod consumer;
pub mod group;
pub mod net;
pub mod producer;

mod news;
mod settings;

pub use groma_wire::records::Compression;
pub use settings::{
    Acks, ClientSettings, Commit, ConsumerSettings, Delivery, Detail, GroupSettings, OnAssigned, ProducerSettings,
    Reset, ResourceGroupSettings, Strategy, TaskGroupSettings,
};
