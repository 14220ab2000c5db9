use std::sync::Weak;

use groma_session::consumer::ReleaseId;

use super::mind::ConsumerMind;
use crate::shell::Shell;

/// The duty to tell the group that partitions have been given up; told when it is dropped.
#[derive(Debug)]
pub(crate) struct Release {
    pub(super) shell: Weak<Shell<ConsumerMind>>,
    pub(super) id: ReleaseId,
}

impl Drop for Release {
    fn drop(&mut self) {
        if let Some(shell) = self.shell.upgrade() {
            shell.with(|mind, now| mind.consumer.released(now, self.id));
        }
    }
}
