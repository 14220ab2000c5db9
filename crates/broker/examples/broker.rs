//! The broker in the foreground: `broker [--listen HOST:PORT] [--advertise HOST:PORT] [--data DIR] [--max-bytes N]
//! [--set key=value]...`; the first line on stdout is `listening on HOST:PORT`, SIGTERM and Ctrl-C stop it.

use std::process::ExitCode;

use groma_broker::{Broker, BrokerConfig};
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    match config(std::env::args().skip(1)).and_then(serve) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("broker: {message}");
            ExitCode::from(2)
        }
    }
}

fn serve(config: BrokerConfig) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(|e| e.to_string())?;
        let broker = Broker::start(config).map_err(|e| e.to_string())?;
        println!("listening on {}", broker.address());
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        broker.stop();
        Ok(())
    })
}

fn config(mut args: impl Iterator<Item = String>) -> Result<BrokerConfig, String> {
    let mut config = BrokerConfig::default();
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
        match flag.as_str() {
            "--listen" => config.listen = value,
            "--advertise" => config.advertise = Some(value),
            "--data" => config.data = Some(value.into()),
            "--max-bytes" => config.max_bytes = Some(value.parse().map_err(|_| format!("{value} is no number"))?),
            "--set" => {
                let (key, value) = value.split_once('=').ok_or("--set takes key=value")?;
                config.set(key, value).map_err(|e| e.to_string())?;
            }
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    Ok(config)
}
