use groma_model::Timestamp;

use super::sensor_key::SensorKey;
use crate::format::ActivePower;

/// A set of sensors that all read the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensors {
    /// How many: `s_0` to `s_{count-1}`.
    pub count: u32,
    /// What each reads, in watts. Theodolite's default is 10.
    pub value_in_w: f64,
}

impl Sensors {
    /// `count` sensors that read 10 W.
    pub const fn new(count: u32) -> Self {
        Self { count, value_in_w: 10.0 }
    }

    /// The key of sensor `number`, and its record's value at `time` appended to `value`.
    #[inline]
    pub fn reading(&self, number: u32, time: Timestamp, value: &mut Vec<u8>) -> SensorKey {
        let key = SensorKey::new(number);
        ActivePower { identifier: key.as_str(), timestamp: time, value_in_w: self.value_in_w }.encode(value);
        key
    }
}
