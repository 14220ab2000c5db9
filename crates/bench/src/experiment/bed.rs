use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use groma_client::{Admin, NewTopic, Properties};

use super::names::Names;
use super::release::release;
use crate::BenchError;
use crate::child::{Child, Ready, Spawn, own_program};
use crate::definition::Benchmark;
use crate::interrupt::Interrupt;
use crate::limits::{Limited, Limiter, Placement, allowed_cores, pin_self};
use crate::load::{create_input, kafka, properties};
use crate::machine;

/// What all cells of a benchmark run on: a Kafka, a way to limit instances, and cores for either side.
#[derive(Debug)]
pub(crate) struct Bed {
    pub(crate) bootstrap: String,
    pub(crate) client_config: Option<PathBuf>,
    pub(crate) admin: Admin,
    pub(crate) properties: Properties,
    pub(crate) limiter: Limiter,
    pub(crate) placement: Placement,
    /// Which Kafka it is, for people.
    pub(crate) kafka: String,
    pub(crate) logs: PathBuf,
    interrupt: Interrupt,
    /// What has been made and not yet taken away.
    made: Mutex<Vec<Names>>,
    broker: Option<Child>,
}

/// A Kafka that is there already.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) bootstrap: String,
    pub(crate) client_config: Option<PathBuf>,
}

impl Bed {
    /// Starts the embedded broker, or connects to the Kafka given.
    pub(crate) async fn make(
        benchmark: &Benchmark,
        given: Option<Given>,
        logs: PathBuf,
        interrupt: Interrupt,
    ) -> Result<Self, BenchError> {
        let most = benchmark.instances.iter().map(|i| i.0).max().unwrap_or(1);
        let cores = benchmark.limits.cpu.unwrap_or(1.0) * f64::from(most);
        let placement = Placement::share(&allowed_cores(), cores);
        pin_self(&placement.others);
        let (broker, given) = match given {
            Some(given) => (None, given),
            None => {
                let (broker, bootstrap) = start_broker(&placement, &logs).await?;
                (Some(broker), Given { bootstrap, client_config: None })
            }
        };
        let properties = properties(&given.bootstrap, given.client_config.as_ref())?;
        let wrong = kafka(&given.bootstrap);
        let admin = Admin::connect(&properties.client).await.map_err(&wrong)?;
        let known = admin.list_topics().await.map_err(&wrong)?;
        if !known.iter().any(|topic| topic.name == PROGRESS) {
            let topic = NewTopic::new(PROGRESS, 1).with_config("retention.ms", "3600000");
            admin.create_topics(&[topic]).await.map_err(&wrong)?;
        }
        drop(wrong);
        let kafka = if broker.is_some() { EMBEDDED.to_owned() } else { release(&admin).await };
        Ok(Self {
            kafka,
            bootstrap: given.bootstrap,
            client_config: given.client_config,
            admin,
            properties,
            limiter: Limiter::detect(),
            placement,
            logs,
            interrupt,
            made: Mutex::default(),
            broker,
        })
    }

    /// To be asked wherever there is something to stop before this process may end.
    ///
    /// # Errors
    /// The process was asked to stop.
    pub(crate) fn go_on(&self) -> Result<(), BenchError> {
        if self.interrupt.has_come() { Err(BenchError::Interrupted) } else { Ok(()) }
    }

    /// The broker's process id, where it is ours.
    pub(crate) fn broker_id(&self) -> Option<u32> {
        self.broker.as_ref().map(Child::id)
    }

    /// How a process beside the instances starts.
    pub(crate) fn beside(&self) -> Limited {
        Limited { groups: Vec::new(), cores: self.placement.others.clone() }
    }

    /// Makes the topics of a cell.
    pub(crate) async fn make_topics(&self, names: &Names, partitions: u32) -> Result<(), BenchError> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).push(names.clone());
        create_input(&self.admin, &names.input, partitions).await.map_err(kafka(&self.bootstrap))?;
        let output = NewTopic::new(&names.output, partitions).with_config("retention.ms", "-1");
        self.admin.create_topics(&[output]).await.map_err(kafka(&self.bootstrap))
    }

    /// Takes away what a cell made; what is gone already is fine.
    pub(crate) async fn clean(&self, names: &Names) {
        let Ok(known) = self.admin.list_topics().await else { return };
        for topic in known.iter().filter(|topic| names.covers(&topic.name)) {
            let _ = self.admin.delete_topics(&[&topic.name]).await;
        }
        let _ = self.admin.delete_groups(&[&names.group]).await;
        self.made.lock().unwrap_or_else(PoisonError::into_inner).retain(|made| made != names);
    }

    /// Takes away what cells made that were broken off.
    pub(crate) async fn clean_rest(&self) {
        let made = std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner));
        for names in made {
            self.clean(&names).await;
        }
    }

    /// Stops the broker.
    pub(crate) async fn close(self) {
        if let Some(broker) = self.broker {
            broker.stop(GRACE).await;
        }
    }
}

async fn start_broker(placement: &Placement, logs: &std::path::Path) -> Result<(Child, String), BenchError> {
    let mut command = vec![own_program()?.into_os_string()];
    command.extend(["broker", "--listen", "127.0.0.1:0"].map(OsString::from));
    command.extend(["--set", "group.initial.rebalance.delay.ms=250"].map(OsString::from));
    let spawn = Spawn {
        name: "broker".to_owned(),
        command,
        limited: Limited { groups: Vec::new(), cores: placement.others.clone() },
        logs: logs.to_owned(),
        ready: Ready::Line(LISTENING.to_owned()),
        scratch: Some(machine::scratch()),
    };
    let (broker, line) = Child::start(&spawn, START).await?;
    let bootstrap = line.trim_start_matches(LISTENING).trim().to_owned();
    Ok((broker, bootstrap))
}

pub(crate) use groma_usecases::progress::TOPIC as PROGRESS;

/// What the broker that a benchmark starts itself is.
const EMBEDDED: &str = "embedded, of this groma";
const LISTENING: &str = "listening on ";
const START: Duration = Duration::from_secs(20);
const GRACE: Duration = Duration::from_secs(5);
