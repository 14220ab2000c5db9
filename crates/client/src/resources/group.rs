use std::sync::Arc;
use std::time::Duration;

use groma_model::{Generation, MemberId, Span, Time};
use groma_session::group::{Catalog, Interest, Resource, ResourceEvent as Told, ResourceGroup as Machine};

use super::mind::GroupMind;
use super::{Handover, ResourceEvent};
use crate::config::{check_client, check_resource_group};
use crate::error::contacted;
use crate::shell::Shell;
use crate::{ClientConfig, ClientError, ConfigError, ResourceGroupConfig};

/// A member of a group that shares out resources of an application's own, or just elects a leader.
///
/// Every member says what exists; what the group's leader says counts. Each resource is run by one member at a time: it
/// is given to another only after its holder has stopped it, or has been silent for its session timeout, by which time
/// it has been told [`ResourceEvent::Lost`].
///
/// ```no_run
/// # async fn demo() -> Result<(), groma_client::ClientError> {
/// use groma_client::{ClientConfig, ResourceEvent, ResourceGroup, ResourceGroupConfig};
/// let cluster = ClientConfig::new("127.0.0.1:9092");
/// let cameras = ["gate", "yard", "roof"].map(str::to_owned);
/// let mut group = ResourceGroup::join(&cluster, ResourceGroupConfig::new("watch", "cameras"), cameras).await?;
/// loop {
///     match group.next().await {
///         ResourceEvent::Assigned(cameras) => println!("run {cameras:?}"),
///         ResourceEvent::Revoked(cameras) | ResourceEvent::Lost(cameras) => {
///             println!("stop {cameras:?}");
///             cameras.done();
///         }
///         ResourceEvent::Error(error) => return Err(error),
///         _ => {}
///     }
/// }
/// # }
/// ```
///
/// Dropping a member lets it leave its group in the background, as long as the runtime runs; [`Self::close`] waits for
/// that.
#[derive(Debug)]
pub struct ResourceGroup<R: Resource + Send + Sync + 'static> {
    shell: Arc<Shell<GroupMind<R>>>,
    patience: Duration,
    calls: u32,
}

impl<R: Resource + Send + Sync + 'static> ResourceGroup<R> {
    /// Joins a group, in which exactly these resources exist as far as this member knows.
    ///
    /// # Errors
    /// `Unreachable`; `Config` for settings that contradict each other and for resources that cannot be told apart.
    pub async fn join(
        cluster: &ClientConfig,
        config: ResourceGroupConfig,
        resources: impl IntoIterator<Item = R>,
    ) -> Result<Self, ClientError> {
        check_client(cluster)?;
        check_resource_group(&config)?;
        let catalog = catalog(resources)?;
        let mind = GroupMind { group: Machine::new(cluster, config) };
        let shell = Arc::new(Shell::start(mind, cluster.max_frame_bytes));
        shell.with(|mind, now| mind.group.start(now, catalog));
        shell.wait_for(|mind, _| contacted(cluster, mind.group.contact())).await?;
        let patience = Duration::from_nanos(cluster.request_timeout.0).min(CLOSE_PATIENCE);
        Ok(Self { shell, patience, calls: 0 })
    }

    /// The next event; waits until there is one.
    pub async fn next(&mut self) -> ResourceEvent<R> {
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(TURNS) {
            tokio::task::yield_now().await;
        }
        let event = self.shell.wait_for(|mind, _| mind.group.take()).await;
        self.event(event)
    }

    /// The next event if there is one already.
    pub fn try_next(&mut self) -> Option<ResourceEvent<R>> {
        let event = self.shell.with(|mind, _| mind.group.take())?;
        Some(self.event(event))
    }

    /// Exactly these resources exist from now on. If this member leads, the group shares them out in a new round.
    ///
    /// # Errors
    /// `Config` for resources that cannot be told apart.
    pub fn exist(&self, resources: impl IntoIterator<Item = R>) -> Result<(), ClientError> {
        let catalog = catalog(resources)?;
        self.shell.with(|mind, now| mind.group.exist(now, catalog));
        Ok(())
    }

    /// Asks for other kinds of resources; the group hears of it in a new round.
    pub fn ask(&self, interest: Interest) {
        self.shell.with(|mind, now| mind.group.ask(now, interest));
    }

    /// What this member owns: assigned, and not yet given up.
    pub fn held(&self) -> Vec<R> {
        self.shell.peek(|mind| mind.group.held().iter().cloned().collect())
    }

    /// The generation this member leads; none if it does not lead.
    pub fn leads(&self) -> Option<Generation> {
        self.shell.peek(|mind| mind.group.leads())
    }

    /// The generation this member is settled in.
    pub fn generation(&self) -> Option<Generation> {
        self.shell.peek(|mind| mind.group.generation())
    }

    /// The identity given by the coordinator.
    pub fn member_id(&self) -> Option<MemberId> {
        self.shell.peek(|mind| mind.group.member_id().cloned())
    }

    /// Leaves the group (a static member goes silently). What is still held counts as stopped, and others run it at
    /// once: stop it first.
    ///
    /// # Errors
    /// `TimedOut` when the group could not be left in time.
    pub async fn close(self) -> Result<(), ClientError> {
        leave(&self.shell, self.patience).await.map_err(|_| ClientError::TimedOut {
            what: "leaving the group".to_owned(),
            after: Span::from_millis(u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX)),
        })
    }

    fn event(&self, event: Told<R>) -> ResourceEvent<R> {
        let handover = |id, resources| Handover::new(resources, Arc::downgrade(&self.shell), id);
        match event {
            Told::Assigned(resources) => ResourceEvent::Assigned(resources),
            Told::Revoked(id, resources) => ResourceEvent::Revoked(handover(id, resources)),
            Told::Lost(id, resources) => ResourceEvent::Lost(handover(id, resources)),
            Told::Leading(generation) => ResourceEvent::Leading(generation),
            Told::Following => ResourceEvent::Following,
            Told::Rebalancing => ResourceEvent::Rebalancing,
            Told::Stable(generation) => ResourceEvent::Stable(generation),
            Told::Step(step) => ResourceEvent::Step(step),
            Told::Failed(failure) => ResourceEvent::Error(ClientError::of_membership(&failure)),
        }
    }
}

impl<R: Resource + Send + Sync + 'static> Drop for ResourceGroup<R> {
    fn drop(&mut self) {
        let member = self.shell.peek(|mind| !mind.group.has_left());
        if let (true, Ok(runtime)) = (member, tokio::runtime::Handle::try_current()) {
            let (shell, patience) = (Arc::clone(&self.shell), self.patience);
            runtime.spawn(async move { leave(&shell, patience).await });
        }
    }
}

fn catalog<R: Resource>(resources: impl IntoIterator<Item = R>) -> Result<Catalog<R>, ClientError> {
    Catalog::new(resources).map_err(|error| ClientError::Config(ConfigError::Resources(error.to_string())))
}

async fn leave<R: Resource + Send + Sync + 'static>(
    shell: &Shell<GroupMind<R>>,
    patience: Duration,
) -> Result<(), tokio::time::error::Elapsed> {
    shell.with(|mind, now| mind.group.leave(now));
    tokio::time::timeout(patience, shell.wait_for(depart)).await
}

/// Gives up what is revoked on the way out; done when the group has been left.
fn depart<R: Resource>(mind: &mut GroupMind<R>, now: Time) -> Option<()> {
    while let Some(event) = mind.group.take() {
        if let Told::Revoked(id, _) | Told::Lost(id, _) = event {
            mind.group.released(now, id);
        }
    }
    mind.group.has_left().then_some(())
}

/// After so many calls the connections get a turn, in case the application never waits.
const TURNS: u32 = 4;
/// How long leaving may take.
const CLOSE_PATIENCE: Duration = Duration::from_secs(5);
