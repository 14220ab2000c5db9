//! What a user of a session may choose, as plain values.

mod client;
mod consumer;
mod group;
mod producer;
mod resources;
mod tasks;

pub use client::ClientSettings;
pub use consumer::{ConsumerSettings, OnAssigned, Reset};
pub use group::{Commit, Detail, GroupSettings, Strategy};
pub use producer::{Acks, Delivery, ProducerSettings};
pub use resources::ResourceGroupSettings;
pub use tasks::TaskGroupSettings;
