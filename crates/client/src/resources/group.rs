use groma_session::group::{Catalog, Custom, Interest, Resource, ResourceGroup as Machine};

use super::Membership;
use super::log::Log;
use crate::config::{check_client, check_resource_group};
use crate::{ClientConfig, ClientError, ConfigError, Detail, ResourceGroupConfig, Trace};

/// A member of a group that shares out resources of an application's own, or just elects a leader.
///
/// Every member says what exists; what the group's leader says counts. Each resource is run by one member at a time: it
/// is given to another only after its holder has stopped it, or has been silent for its session timeout, by which time
/// it has been told [`ResourceEvent::Lost`](crate::ResourceEvent::Lost).
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
pub type ResourceGroup<R> = Membership<Custom<R>>;

impl<R: Resource> Membership<Custom<R>> {
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
        Self::enter(cluster, Machine::new(cluster, config), catalog).await
    }

    /// The same, with a trace that has what happens to this member: its steps in each round, what it is given and gives
    /// up, and as leader what moves and why. They are written as [`Self::next`] and [`Self::try_next`] come to them.
    ///
    /// ```no_run
    /// # async fn demo(cluster: groma_client::ClientConfig) -> Result<(), Box<dyn std::error::Error>> {
    /// use groma_client::{ResourceGroup, ResourceGroupConfig, Trace};
    /// let (config, cameras) = (ResourceGroupConfig::new("watch", "cameras"), ["gate", "yard"].map(str::to_owned));
    /// let trace = Trace::open("watch.trace", "watch")?;
    /// let group = ResourceGroup::join_traced(&cluster, config, cameras, trace).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::join`].
    pub async fn join_traced(
        cluster: &ClientConfig,
        mut config: ResourceGroupConfig,
        resources: impl IntoIterator<Item = R>,
        trace: Trace,
    ) -> Result<Self, ClientError> {
        let asked = std::mem::replace(&mut config.detail, Detail::Steps);
        let log = Log::of(trace, |resource: &R| resource.name().into_owned());
        Ok(Self::join(cluster, config, resources).await?.traced(log, asked))
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
}

fn catalog<R: Resource>(resources: impl IntoIterator<Item = R>) -> Result<Catalog<R>, ClientError> {
    Catalog::new(resources).map_err(|error| ClientError::Config(ConfigError::Resources(error.to_string())))
}
