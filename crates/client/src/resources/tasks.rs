use groma_session::group::{Job, Role, TaskGroup as Machine, TaskList, Tasks};

use super::Membership;
use super::log::Log;
use crate::config::{check_client, check_task_group};
use crate::{ClientConfig, ClientError, ConfigError, Detail, TaskGroupConfig, Trace};

/// A member of a group that shares out tasks with state, such as counts that a process keeps on its own disk.
///
/// Every member says which tasks exist and where their states end; what the group's leader says counts. A task moves to
/// a member only when that has caught up ([`Role::WarmUp`](crate::Role)), so it does not wait for its state to be
/// restored. It does where whoever ran it is gone and nobody keeps a second copy ([`Role::Standby`](crate::Role)), and
/// where a member with a stable identity comes back to its tasks without its state. As with
/// resources, a running task is given to another member only after its holder has stopped it, or has been silent for its
/// session timeout.
///
/// ```no_run
/// # async fn demo() -> Result<(), groma_client::ClientError> {
/// use groma_client::{ClientConfig, ResourceEvent, Role, TaskGroup, TaskGroupConfig};
/// let cluster = ClientConfig::new("127.0.0.1:9092");
/// let mut config = TaskGroupConfig::new("billing", "billing");
/// config.catch_up.standbys = 1;
/// let tasks = [("north".to_owned(), Some(40_000)), ("south".to_owned(), Some(1_000_000))];
/// let mut group = TaskGroup::join(&cluster, config, tasks).await?;
/// loop {
///     match group.next().await {
///         ResourceEvent::Assigned(jobs) => {
///             for job in jobs {
///                 match job.role {
///                     Role::Active => println!("run {}", job.task),
///                     Role::Standby | Role::WarmUp => println!("follow {}", job.task),
///                 }
///             }
///         }
///         ResourceEvent::Revoked(jobs) | ResourceEvent::Lost(jobs) => println!("stop {jobs:?}"),
///         ResourceEvent::Error(error) => return Err(error),
///         _ => {}
///     }
///     group.reached([("north", Some(39_000))]);
/// }
/// # }
/// ```
pub type TaskGroup = Membership<Tasks>;

impl Membership<Tasks> {
    /// Joins a group, in which exactly these tasks exist as far as this member knows, each with the end of its state, in
    /// records, or none for a task without state.
    ///
    /// # Errors
    /// `Unreachable`; `Config` for settings that contradict each other and for tasks that cannot be told apart.
    pub async fn join(
        cluster: &ClientConfig,
        config: TaskGroupConfig,
        tasks: impl IntoIterator<Item = (String, Option<u64>)>,
    ) -> Result<Self, ClientError> {
        check_client(cluster)?;
        check_task_group(&config)?;
        Self::enter(cluster, Machine::new(cluster, config), list(tasks)?).await
    }

    /// The same, with a trace that has what happens to this member: its steps in each round, which tasks it runs and gives
    /// up, and as leader which move and why; not whose state it keeps or warms up. They are written as [`Self::next`]
    /// and [`Self::try_next`] come to them.
    ///
    /// # Errors
    /// As [`Self::join`].
    pub async fn join_traced(
        cluster: &ClientConfig,
        mut config: TaskGroupConfig,
        tasks: impl IntoIterator<Item = (String, Option<u64>)>,
        trace: Trace,
    ) -> Result<Self, ClientError> {
        let asked = std::mem::replace(&mut config.detail, Detail::Steps);
        let log = Log::of(trace, |job: &Job| job.task.clone()).of_what(|job| job.role == Role::Active);
        Ok(Self::join(cluster, config, tasks).await?.traced(log, asked))
    }

    /// Exactly these tasks exist from now on, and this far do their states go. If this member leads, a task that came or
    /// went makes a round; ends count in the next one.
    ///
    /// # Errors
    /// `Config` for tasks that cannot be told apart.
    pub fn exist(&self, tasks: impl IntoIterator<Item = (String, Option<u64>)>) -> Result<(), ClientError> {
        let tasks = list(tasks)?;
        self.shell.with(|mind, now| mind.group.exist(now, tasks));
        Ok(())
    }

    /// The state that this member has of these tasks goes up to there, whatever it does with them; none: it has no state
    /// of that task any more. Say so as often as you like: the group hears of it in the next round, and when everything
    /// that warms up here has caught up, this member asks for one ([`Ask`](groma_rebalance::tasks::Ask)). Takes time in
    /// proportion to the tasks of which there is state.
    pub fn reached<'a>(&self, positions: impl IntoIterator<Item = (&'a str, Option<u64>)>) {
        self.shell.with(|mind, now| mind.group.reached(now, positions));
    }
}

fn list(tasks: impl IntoIterator<Item = (String, Option<u64>)>) -> Result<TaskList, ClientError> {
    TaskList::new(tasks).map_err(|error| ClientError::Config(ConfigError::Resources(error.to_string())))
}
