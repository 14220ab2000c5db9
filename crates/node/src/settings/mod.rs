//! Kafka's broker settings that mean something here, typed, and by their names in Kafka.

mod broker;
mod error;
mod key;
mod value;

pub use broker::Settings;
pub use error::SettingError;
pub(crate) use key::{BROKER_KEYS, BrokerKey};
pub(crate) use value::{Kind, parse_bool, parse_i64};
