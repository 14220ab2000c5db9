//! Assignors against Kafka's results, against plain oracles, and against what every target must be.

mod groups;
mod kafka;
mod nearer;
mod outside;
mod promises;
mod racks;
mod range;
mod sticky;
mod weighted;
