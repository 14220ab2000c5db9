//! The mind of a single-node Kafka broker: topics, appends, offsets, group coordinators, without I/O.

mod settings;

pub use settings::{SettingError, Settings};
