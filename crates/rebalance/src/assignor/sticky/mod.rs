//! Kafka's `sticky`: as even as the subscriptions allow, and of all such targets one that moves as little as possible.

mod choice;
mod near;
mod unequal;
mod uniform;

pub use choice::Sticky;
