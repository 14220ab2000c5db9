use std::fmt::{self, Debug, Formatter};
use std::sync::Weak;

use groma_session::group::{ReleaseId, Resource};

use super::mind::GroupMind;
use crate::shell::Shell;

/// Resources to be given up. Nobody else gets them before [`Handover::done`] is called or the value is dropped; only a
/// second process under the same stable identity runs them until the first one hears that it is fenced.
pub struct Handover<R: Resource + Send + Sync + 'static> {
    resources: Vec<R>,
    shell: Weak<Shell<GroupMind<R>>>,
    id: ReleaseId,
}

impl<R: Resource + Send + Sync + 'static> Handover<R> {
    pub(super) const fn new(resources: Vec<R>, shell: Weak<Shell<GroupMind<R>>>, id: ReleaseId) -> Self {
        Self { resources, shell, id }
    }

    /// The resources to be given up, in order.
    pub fn resources(&self) -> &[R] {
        &self.resources
    }

    /// Tells the group that none of them runs here any more. Dropping does the same.
    pub fn done(self) {}
}

impl<R: Resource + Send + Sync + 'static> Drop for Handover<R> {
    fn drop(&mut self) {
        if let Some(shell) = self.shell.upgrade() {
            shell.with(|mind, now| mind.group.released(now, self.id));
        }
    }
}

impl<R: Resource + Send + Sync + 'static> Debug for Handover<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.resources).finish()
    }
}
