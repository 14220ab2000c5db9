//! Shares out camera feeds among workers: start as many as you like, and kill any of them.
//! `cameras BOOTSTRAP GROUP COUNT [SESSION_MS [POLICY [TRACE]]]`; SIGTERM makes a worker leave.
//!
//! Each line says what happens: `run camera-03`, `stop camera-03`, `lead 5`, `follow`, `left`. With TRACE, a file of
//! its own, it also writes there what `groma group explain GROUP --trace TRACE` reads.

use std::collections::BTreeSet;

use groma_client::{
    ClientConfig, ClientError, PolicyName, PolicySettings, ResourceEvent, ResourceGroup, ResourceGroupConfig, Span,
    Trace,
};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let usage = "cameras BOOTSTRAP GROUP COUNT [SESSION_MS [POLICY [TRACE]]]";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bootstrap, group, count, others @ ..] = arguments.as_slice() else { return Err(usage.into()) };
    let session = Span::from_millis(others.first().map_or(Ok(10_000), |text| text.parse())?);
    let policy = others.get(1).map_or(Some(PolicyName::TwoRound), |name| PolicyName::by_name(name)).ok_or(usage)?;
    let config = ResourceGroupConfig::new(group, "cameras").with_session_timeout(session);
    let config = config.with_policy(&PolicySettings::of(policy));
    let count: u32 = count.parse()?;
    let (cluster, cameras) = (ClientConfig::new(bootstrap), (1..=count).map(|number| format!("camera-{number:02}")));
    let member = match others.get(2) {
        Some(file) => ResourceGroup::join_traced(&cluster, config, cameras, Trace::open(file, group)?).await?,
        None => ResourceGroup::join(&cluster, config, cameras).await?,
    };
    share_out(member).await?;
    println!("left");
    Ok(())
}

async fn share_out(mut group: ResourceGroup<String>) -> Result<(), ClientError> {
    let mut stop = signal(SignalKind::terminate()).expect("signals can be heard");
    let mut running = BTreeSet::new();
    loop {
        let event = tokio::select! {
            _ = stop.recv() => break,
            event = group.next() => event,
        };
        match event {
            ResourceEvent::Assigned(cameras) => {
                cameras.iter().for_each(|camera| println!("run {camera}"));
                running.extend(cameras);
            }
            ResourceEvent::Revoked(cameras) | ResourceEvent::Lost(cameras) => {
                cameras.resources().iter().for_each(|camera| println!("stop {camera}"));
                running.retain(|camera| !cameras.resources().contains(camera));
                cameras.done();
            }
            ResourceEvent::Leading(generation) => println!("lead {}", generation.0),
            ResourceEvent::Following => println!("follow"),
            ResourceEvent::Error(error) => return Err(error),
            ResourceEvent::Rebalancing | ResourceEvent::Stable(_) | ResourceEvent::Step(_) => {}
        }
    }
    running.iter().for_each(|camera| println!("stop {camera}"));
    group.close().await
}
