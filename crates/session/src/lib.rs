//! The mind of a Kafka client: metadata, producer, fetch positions, group membership, without I/O.

mod compression;
mod settings;

pub use compression::Compression;
pub use settings::{
    Acks, ClientSettings, Commit, ConsumerSettings, Delivery, GroupSettings, OnAssigned, ProducerSettings, Reset,
    Strategy,
};
