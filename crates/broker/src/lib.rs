//! An embedded single-node Kafka broker, up in milliseconds: listener and log files around [`groma_node`].
//!
//! One thread with a current-thread runtime owns the node, the log files and every connection; nothing is locked.
//!
//! It serves what plain producers, consumers and consumer groups need, in the versions of Kafka 4.4. Not served: more than
//! one broker, transactions, the group protocols of KIP-848 and KIP-1071 (clients are told at once), TLS and SASL,
//! changing settings of a running topic. `cleanup.policy=compact` is taken, and all records are kept: compaction may come
//! late in Kafka, too. Records go by age or size only where a setting says so, and a line on stderr tells it.
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

pub use broker::Broker;
pub use config::BrokerConfig;
pub use error::StartError;
pub use groma_node::{SettingError, Settings};
