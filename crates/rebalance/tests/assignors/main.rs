//! Assignors against Kafka's results, against plain oracles, and against what every target must be.

mod groups;
mod kafka;
mod outside;
mod promises;
mod racks;
mod sticky;
mod weighted;
