use std::collections::BTreeSet;

use groma_model::Time;

use super::state::State;
use super::{LostCause, Member, Output, RejoinCause, ReleaseId, RevokeCause};
use crate::embedded::{Embedded, Mode};

impl<E: Embedded> Member<E> {
    /// Names what must be released before the next join: everything under eager, else what is no longer asked for.
    pub(super) fn prepare(&mut self, now: Time) {
        let (going, cause) = match (self.mode(), &self.interest) {
            (Mode::Eager, _) => (self.held.clone(), RevokeCause::Eager),
            (Mode::Cooperative, Some(interest)) => {
                let gone = self.held.iter().filter(|r| !self.embedded.covers(interest, r));
                (gone.cloned().collect(), RevokeCause::Unsubscribed)
            }
            (Mode::Cooperative, None) => (BTreeSet::new(), RevokeCause::Unsubscribed),
        };
        self.revoke(now, going, cause);
    }

    /// Whether what is held is kept over the next join: by the protocol of the generation joined last.
    pub(super) fn mode(&self) -> Mode {
        self.embedded.mode(self.protocol.as_deref())
    }

    /// Asks the application to stop resources in good order, except those it has been asked about already.
    pub(super) fn revoke(&mut self, now: Time, mut going: BTreeSet<E::Resource>, cause: RevokeCause) {
        for open in self.releases.values() {
            going.retain(|r| !open.contains(r));
        }
        if going.is_empty() {
            return;
        }
        let id = ReleaseId(self.next_id());
        self.release_by.get_or_insert(now + self.config.rebalance_timeout);
        self.outputs.push_back(Output::Revoke { id, resources: going.iter().cloned().collect(), cause });
        self.releases.insert(id, going);
    }

    /// Everything held may belong to others from now on.
    pub(super) fn lose_everything(&mut self, cause: LostCause) {
        let held = std::mem::take(&mut self.held);
        self.settled = None;
        self.carried.forget();
        self.lease.clear();
        if held.is_empty() {
            return;
        }
        let id = ReleaseId(self.next_id());
        self.release_by = None;
        self.releases.clear();
        self.outputs.push_back(Output::Lost { id, resources: held.iter().cloned().collect(), cause });
        self.releases.insert(id, held);
    }

    pub(super) fn released(&mut self, id: ReleaseId) {
        let Some(gone) = self.releases.remove(&id) else { return };
        self.held.retain(|r| !gone.contains(r));
        let is_exclusive = gone.iter().any(|r| self.embedded.is_exclusive(r));
        if self.settled.is_some() {
            self.carried.released(gone.into_iter());
        }
        if self.releases.is_empty() {
            self.release_by = None;
            if matches!(self.state, State::Stable) && is_exclusive {
                self.wish = Some(RejoinCause::Released);
            }
        }
    }
}
