//! An embedded single-node Kafka broker, up in milliseconds: listener and log files around [`groma_node`].
//!
//! One thread with a current-thread runtime owns the node, the log files and every connection; nothing is locked.
//!
//! ```
//! use groma_broker::{Broker, BrokerConfig};
//!
//! let broker = Broker::start(BrokerConfig::ephemeral())?;
//! println!("bootstrap.servers={}", broker.bootstrap());
//! broker.stop();
//! # Ok::<(), groma_broker::StartError>(())
//! ```

mod address;
mod broker;
mod clock;
mod config;
mod error;
mod net;
mod notice;
mod opening;
mod shell;
mod storage;

pub use broker::{Broker, foreground};
pub use config::BrokerConfig;
pub use error::StartError;
pub use groma_node::{SettingError, Settings};
