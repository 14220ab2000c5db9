use crate::args::Broker;
use crate::exit::{Done, Outcome};
use groma_broker::BrokerConfig;

/// Runs the embedded broker until it is asked to stop.
pub(crate) fn run(arguments: Broker) -> Outcome {
    let Broker { listen, advertise, data, max_bytes, settings } = arguments;
    let mut config = BrokerConfig {
        listen,
        advertise,
        data,
        max_bytes: max_bytes.map(|size| size.bytes),
        ..BrokerConfig::default()
    };
    for (key, value) in settings {
        config.set(&key, &value)?;
    }
    groma_broker::foreground(config)?;
    Ok(Done::Fine)
}
