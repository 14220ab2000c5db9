use std::fmt::{self, Debug, Formatter};
use std::sync::Weak;

use groma_explain::What;
use groma_session::group::{Embedded, ReleaseId};

use super::log::Log;
use super::mind::GroupMind;
use crate::shell::Shell;

/// Resources to be given up. Nobody else gets them before [`Handover::done`] is called or the value is dropped; only a
/// second process under the same stable identity runs them until the first one hears that it is fenced.
pub struct Handover<R> {
    resources: Vec<R>,
    /// Tells the group.
    give_up: Option<Box<dyn FnOnce() + Send + Sync>>,
}

/// Why resources are given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Revoked,
    Lost,
}

impl<R: 'static> Handover<R> {
    pub(super) fn new<E: Embedded>(resources: Vec<R>, shell: Weak<Shell<GroupMind<E>>>, id: ReleaseId) -> Self {
        let give_up = move || {
            if let Some(shell) = shell.upgrade() {
                shell.with(|mind, now| mind.group.released(now, id));
            }
        };
        Self { resources, give_up: Some(Box::new(give_up)) }
    }

    /// The same, which before it tells the group writes that nothing of them runs here any more.
    pub(super) fn logged(mut self, log: Option<&Log<R>>, ending: Ending) -> Self {
        if let Some(log) = log
            && let Some(give_up) = self.give_up.take()
        {
            let (log, resources) = (log.clone(), log.names(&self.resources));
            self.give_up = Some(Box::new(move || {
                log.note(match ending {
                    Ending::Revoked => What::Released { resources },
                    Ending::Lost => What::Lost { resources },
                });
                give_up();
            }));
        }
        self
    }

    /// The resources to be given up, in order.
    pub fn resources(&self) -> &[R] {
        &self.resources
    }

    /// Tells the group that none of them runs here any more. Dropping does the same.
    pub fn done(self) {}
}

impl<R> Drop for Handover<R> {
    fn drop(&mut self) {
        if let Some(give_up) = self.give_up.take() {
            give_up();
        }
    }
}

impl<R: Debug> Debug for Handover<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.resources).finish()
    }
}
