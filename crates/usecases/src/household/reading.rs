use groma_model::Timestamp;

use crate::format::ActivePower;

/// What a sensor read, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The sensor.
    pub identifier: String,
    /// The time.
    pub timestamp: Timestamp,
    /// The power in watts.
    pub value_in_w: f64,
}

impl Reading {
    /// The reading as it goes onto the wire.
    pub fn as_record(&self) -> ActivePower<'_> {
        ActivePower { identifier: &self.identifier, timestamp: self.timestamp, value_in_w: self.value_in_w }
    }
}
