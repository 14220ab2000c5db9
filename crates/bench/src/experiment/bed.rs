use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use groma_client::{Admin, ClientError, NewTopic, Properties};
use tokio::time::timeout;

use super::names::{Names, origin};
use super::release::release;
use super::screen;
use super::strictness::Strictness;
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
    pub(crate) strictness: Strictness,
    pub(crate) placement: Placement,
    /// Which Kafka it is, for people.
    pub(crate) kafka: String,
    pub(crate) logs: PathBuf,
    pub(crate) interrupt: Interrupt,
    /// The topic that instances report on. It is this run's own, so that it can be taken away in the end: another run on
    /// the same Kafka may be reporting meanwhile.
    pub(crate) progress: String,
    /// What has been made and not yet taken away.
    made: Mutex<Vec<Names>>,
    broker: Option<Mutex<Child>>,
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
                (Some(Mutex::new(broker)), Given { bootstrap, client_config: None })
            }
        };
        let properties = properties(&given.bootstrap, given.client_config.as_ref())?;
        refuse_one_identity(&properties)?;
        let admin = Admin::connect(&properties.client).await.map_err(kafka(&given.bootstrap))?;
        let kafka = if broker.is_some() { EMBEDDED.to_owned() } else { release(&admin).await };
        Ok(Self {
            kafka,
            bootstrap: given.bootstrap,
            client_config: given.client_config,
            admin,
            properties,
            limiter: Limiter::detect(),
            strictness: Strictness::detect(),
            placement,
            logs,
            interrupt,
            progress: format!("{}-progress", origin()),
            made: Mutex::default(),
            broker,
        })
    }

    /// Makes the topic that instances report on; [`Self::close`] takes it away.
    pub(crate) async fn make_progress(&self) -> Result<(), BenchError> {
        let topic = NewTopic::new(&self.progress, 1).with_config("retention.ms", "3600000");
        let made = async { self.admin.create_topics(&[topic]).await.map_err(kafka(&self.bootstrap)) };
        self.guard(made).await
    }

    /// Does `work` as long as our broker lives and nobody asks this process to stop; then it is dropped.
    ///
    /// # Errors
    /// `Interrupted`; `Kafka`, see [`Self::close`]; and what `work` fails with.
    pub(crate) async fn guard<T>(&self, work: impl Future<Output = Result<T, BenchError>>) -> Result<T, BenchError> {
        tokio::select! {
            biased;
            () = self.broker_ends() => Err(BenchError::Kafka(format!("the broker at {} has ended", self.bootstrap))),
            done = self.interrupt.or_interrupted(work) => done,
        }
    }

    async fn broker_ends(&self) {
        let Some(broker) = &self.broker else { return std::future::pending().await };
        while locked(broker).ended().is_none() {
            tokio::time::sleep(LOOK_AT_BROKER).await;
        }
    }

    /// How long processes get to end by themselves.
    pub(crate) fn grace(&self) -> Duration {
        if self.interrupt.asked().is_some() { SHORT_GRACE } else { GRACE }
    }

    /// How long the Kafka may take to answer when something is to be taken away.
    fn patience(&self) -> Duration {
        self.interrupt.since().map_or(CLEANING, |since| FAREWELL.saturating_sub(since).max(LEAST))
    }

    /// The broker's process id, where it is ours.
    pub(crate) fn broker_id(&self) -> Option<u32> {
        self.broker.as_ref().map(|broker| locked(broker).id())
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

    /// Takes away what a cell made; what is gone already is fine. Where the Kafka does not answer, all is left for
    /// [`Self::close`].
    pub(crate) async fn clean(&self, names: &Names) {
        if self.broker.as_ref().is_some_and(|broker| locked(broker).ended().is_some()) {
            return;
        }
        let Ok(Ok(known)) = timeout(self.patience(), self.admin.list_topics()).await else { return };
        let taking = async {
            for topic in known.iter().filter(|topic| names.covers(&topic.name)) {
                let _ = self.admin.delete_topics(&[&topic.name]).await;
            }
            let _ = self.admin.delete_groups(&[&names.group]).await;
        };
        if timeout(TAKING, taking).await.is_ok() {
            self.made.lock().unwrap_or_else(PoisonError::into_inner).retain(|made| made != names);
        }
    }

    /// Takes away whatever is left, or stops the broker and all with it; what that died of, if it did before.
    pub(crate) async fn close(mut self) -> Option<BenchError> {
        let Some(broker) = self.broker.take() else {
            self.leave_kafka().await;
            return None;
        };
        let mut broker = broker.into_inner().unwrap_or_else(PoisonError::into_inner);
        let death = if broker.ended().is_some() { Some(broker.death().await) } else { None };
        broker.stop(GRACE).await;
        death
    }

    async fn leave_kafka(&self) {
        for names in self.left() {
            self.clean(&names).await;
        }
        let gone = self.left().is_empty()
            && match timeout(self.patience(), self.admin.delete_topics(&[&self.progress])).await {
                Ok(Ok(()) | Err(ClientError::UnknownTopic { .. } | ClientError::Refused { .. })) => true,
                Ok(Err(_)) | Err(_) => false,
            };
        if !gone {
            screen::line(&format!(
                "groma: {} did not answer in time, so what this run made is left there: delete the topics and groups \
                 whose names begin with {}-",
                self.bootstrap,
                origin()
            ));
        }
    }

    fn left(&self) -> Vec<Names> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// All instances read the same file; of two with one identity the older is fenced.
fn refuse_one_identity(properties: &Properties) -> Result<(), BenchError> {
    match properties.membership().0.instance.as_ref() {
        None => Ok(()),
        Some(name) => Err(BenchError::Usage(format!(
            "client setting `group.instance.id={}` would give all instances one identity; leave it out",
            name.as_str()
        ))),
    }
}

fn locked(broker: &Mutex<Child>) -> MutexGuard<'_, Child> {
    broker.lock().unwrap_or_else(PoisonError::into_inner)
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

/// What the broker that a benchmark starts itself is.
const EMBEDDED: &str = "embedded, of this groma";
const LISTENING: &str = "listening on ";
const START: Duration = Duration::from_secs(20);
const GRACE: Duration = Duration::from_secs(5);
/// The same once the process was asked to stop.
const SHORT_GRACE: Duration = Duration::from_secs(2);
/// How long all may take once the process was asked to stop, where the Kafka does not answer.
const FAREWELL: Duration = Duration::from_secs(4);
const LOOK_AT_BROKER: Duration = Duration::from_millis(100);
const LEAST: Duration = Duration::from_secs(1);
const CLEANING: Duration = Duration::from_secs(5);
/// How long a Kafka that answers may take to delete what a cell made.
const TAKING: Duration = Duration::from_secs(10);
