use std::sync::Arc;
use std::time::Duration;

use groma_explain::What;
use groma_model::{Generation, MemberId, Span, Time};
use groma_session::group::{Embedded, Membership as Machine, ResourceEvent as Told};

use super::handover::Ending;
use super::log::Log;
use super::mind::GroupMind;
use super::{Handover, ResourceEvent};
use crate::error::contacted;
use crate::shell::Shell;
use crate::{ClientConfig, ClientError, Detail};

/// A member of a group: a [`ResourceGroup`](crate::ResourceGroup) or a [`TaskGroup`](crate::TaskGroup).
///
/// Dropping a member lets it leave its group in the background, as long as the runtime runs; [`Self::close`] waits for
/// that.
#[derive(Debug)]
pub struct Membership<E: Embedded> {
    pub(super) shell: Arc<Shell<GroupMind<E>>>,
    patience: Duration,
    calls: u32,
    log: Option<Log<E::Resource>>,
    /// Whether steps in rounds are for the application too, or for the trace alone.
    detail: Detail,
}

impl<E: Embedded> Membership<E> {
    pub(super) async fn enter(
        cluster: &ClientConfig,
        group: Machine<E>,
        catalog: E::Catalog,
    ) -> Result<Self, ClientError> {
        let shell = Arc::new(Shell::start(GroupMind { group }, cluster.max_frame_bytes));
        shell.with(|mind, now| mind.group.start(now, catalog));
        shell.wait_for(|mind, _| contacted(cluster, mind.group.contact())).await?;
        let patience = Duration::from_nanos(cluster.request_timeout.0).min(CLOSE_PATIENCE);
        Ok(Self { shell, patience, calls: 0, log: None, detail: Detail::Steps })
    }

    /// The same with a trace, where the application asked to be told so much.
    pub(super) fn traced(mut self, log: Log<E::Resource>, detail: Detail) -> Self {
        (self.log, self.detail) = (Some(log), detail);
        self
    }

    /// The next event; waits until there is one.
    pub async fn next(&mut self) -> ResourceEvent<E::Resource> {
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(TURNS) {
            tokio::task::yield_now().await;
        }
        loop {
            let told = self.shell.wait_for(|mind, _| mind.group.take()).await;
            if let Some(event) = self.event(told) {
                return event;
            }
        }
    }

    /// The next event if there is one already.
    pub fn try_next(&mut self) -> Option<ResourceEvent<E::Resource>> {
        loop {
            let told = self.shell.with(|mind, _| mind.group.take())?;
            if let Some(event) = self.event(told) {
                return Some(event);
            }
        }
    }

    /// What this member owns: assigned, and not yet given up.
    pub fn held(&self) -> Vec<E::Resource> {
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

    /// Why its trace could not be written any more; the member itself goes on.
    pub fn trace_failure(&self) -> Option<String> {
        self.log.as_ref().and_then(Log::failure)
    }

    /// Leaves the group (a static member goes silently). What is still held counts as stopped, and others run it at
    /// once: stop it first.
    ///
    /// # Errors
    /// `TimedOut` when the group could not be left in time.
    pub async fn close(self) -> Result<(), ClientError> {
        let log = self.log.as_ref();
        log.inspect(|log| log.note(What::Released { resources: log.names(&self.held()) }));
        leave(&self.shell, self.patience).await.map_err(|_| ClientError::TimedOut {
            what: "leaving the group".to_owned(),
            after: Span::from_millis(u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX)),
        })?;
        log.inspect(|log| log.note(What::Left));
        Ok(())
    }

    /// What the application is told of what the machine tells; nothing where only the trace wants to know.
    fn event(&self, told: Told<E::Resource>) -> Option<ResourceEvent<E::Resource>> {
        if let Some(log) = &self.log {
            log.told(&told);
        }
        let handover = |id, resources, ending: Ending| {
            let resources = Handover::new(resources, Arc::downgrade(&self.shell), id);
            resources.logged(self.log.as_ref(), ending)
        };
        Some(match told {
            Told::Assigned(resources) => ResourceEvent::Assigned(resources),
            Told::Revoked(id, resources) => ResourceEvent::Revoked(handover(id, resources, Ending::Revoked)),
            Told::Lost(id, resources) => ResourceEvent::Lost(handover(id, resources, Ending::Lost)),
            Told::Leading(generation) => ResourceEvent::Leading(generation),
            Told::Following => ResourceEvent::Following,
            Told::Rebalancing => ResourceEvent::Rebalancing,
            Told::Stable(generation) => ResourceEvent::Stable(generation),
            Told::Step(_) if self.detail != Detail::Steps => return None,
            Told::Step(step) => ResourceEvent::Step(step),
            Told::Failed(failure) => ResourceEvent::Error(ClientError::of_membership(&failure)),
        })
    }
}

impl<E: Embedded> Drop for Membership<E> {
    fn drop(&mut self) {
        let member = self.shell.peek(|mind| !mind.group.has_left());
        if let (true, Ok(runtime)) = (member, tokio::runtime::Handle::try_current()) {
            let (shell, patience) = (Arc::clone(&self.shell), self.patience);
            runtime.spawn(async move { leave(&shell, patience).await });
        }
    }
}

async fn leave<E: Embedded>(
    shell: &Shell<GroupMind<E>>,
    patience: Duration,
) -> Result<(), tokio::time::error::Elapsed> {
    shell.with(|mind, now| mind.group.leave(now));
    tokio::time::timeout(patience, shell.wait_for(depart)).await
}

/// Gives up what is revoked on the way out; done when the group has been left.
fn depart<E: Embedded>(mind: &mut GroupMind<E>, now: Time) -> Option<()> {
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
