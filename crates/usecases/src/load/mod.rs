//! What the load generator sends: readings of sensors `s_0` to `s_{n-1}`, each of the same constant power.

mod sensor_key;
mod sensors;

pub use sensor_key::SensorKey;
pub use sensors::Sensors;
