//! Records on the wire: Avro in Confluent framing (a zero byte, a 4-byte schema id, the fields), and JSON.

mod active_power;
mod avro;
mod java_double;
mod json;
mod window_statistics;

pub use active_power::{ActivePower, ActivePowerDecoder};
pub use java_double::write_double;
pub use json::JsonEncoder;
pub use window_statistics::{WindowStatistics, WindowStatisticsEncoder};
