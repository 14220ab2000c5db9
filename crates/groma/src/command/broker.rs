use super::cluster::on_this_thread;
use crate::args;
use crate::exit::{Done, Outcome};
use groma_bench::Interrupt;
use groma_broker::{Broker, BrokerConfig};

/// Runs the embedded broker until it is asked to stop, by whatever signal.
pub(crate) fn run(arguments: args::Broker) -> Outcome {
    let args::Broker { listen, advertise, data, max_bytes, settings } = arguments;
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
    let interrupt = Interrupt::listen()?;
    let broker = Broker::start(config)?;
    println!("listening on {}", broker.address());
    on_this_thread(interrupt.wait())?;
    broker.stop();
    Ok(Done::Fine)
}
