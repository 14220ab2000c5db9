use groma_model::Time;

use super::state::{Farewell, State};
use super::{Event, LostCause, Member, MemberFailure, RejoinCause, RequestId, Unanswered};
use crate::embedded::Embedded;
use crate::protocol::{GroupError, Reply};

impl<E: Embedded> Member<E> {
    /// An answer counts only if it belongs to the request the member waits for (KAFKA-9823); all others are late.
    pub(super) fn answered(&mut self, now: Time, id: RequestId, result: Result<Reply, Unanswered>) {
        if let Some(beat) = self.beat.take_if(|b| b.request == id) {
            return match result {
                Ok(Reply::Heartbeat(verdict)) => self.beat_answered(now, &beat, verdict),
                _ => self.beat_unanswered(now),
            };
        }
        match (&self.state, result) {
            (State::Joining(request), result) if *request == id => self.join_over(now, result),
            (State::Syncing { request, sent, shared }, result) if *request == id => {
                let (sent, shared) = (*sent, *shared);
                self.sync_over(now, (sent, shared), result);
            }
            (State::Leaving(Farewell::Said(request)), _) if *request == id => self.left(),
            _ => {}
        }
    }

    fn join_over(&mut self, now: Time, result: Result<Reply, Unanswered>) {
        match result {
            Ok(Reply::Join(Ok(joined))) => {
                self.lease.join_answered(now);
                self.joined(now, joined);
            }
            Ok(Reply::Join(Err(error))) => {
                self.lease.join_refused(now);
                self.join_refused(now, error);
            }
            _ => {
                self.lease.join_refused(now);
                self.lose_link(now);
                self.retry(now, RejoinCause::Retry);
            }
        }
    }

    fn join_refused(&mut self, now: Time, error: GroupError) {
        match error {
            GroupError::MemberIdRequired(id) => {
                self.identity = Some(id);
                self.rejoin(RejoinCause::IdentityGiven);
            }
            GroupError::CoordinatorLoading | GroupError::RequestTimedOut => {
                self.retry_later(now, RejoinCause::Retry);
            }
            GroupError::CoordinatorNotAvailable | GroupError::NotCoordinator => {
                self.lose_link(now);
                self.retry_later(now, RejoinCause::Retry);
            }
            GroupError::UnknownMember => self.expelled(now, error),
            GroupError::RebalanceInProgress => {
                self.event(Event::Recovered(error));
                self.retry(now, RejoinCause::Told);
            }
            GroupError::FencedInstance => self.fail(MemberFailure::Refused(error), LostCause::Fenced),
            GroupError::InconsistentProtocol if self.offers_less() => self.expelled(now, error),
            _ => self.fail(MemberFailure::Refused(error), LostCause::Failed),
        }
    }

    /// Whether it offers fewer protocols than it speaks because of what it holds: an eager group has gone on without it.
    fn offers_less(&self) -> bool {
        !self.held.is_empty() && self.embedded.mode(None) != self.mode()
    }

    fn sync_over(&mut self, now: Time, (sent, shared): (Time, Option<usize>), result: Result<Reply, Unanswered>) {
        match result {
            Ok(Reply::Sync(Ok(synced))) => {
                self.lease.fetched(sent);
                self.settle(now, &synced);
            }
            Ok(Reply::Sync(Err(GroupError::ServerFailed))) => {
                self.fail(MemberFailure::NotStored { bytes: shared }, LostCause::Failed);
            }
            Ok(Reply::Sync(Err(error))) => self.sync_refused(now, error),
            _ => {
                self.lose_link(now);
                self.retry(now, RejoinCause::Retry);
            }
        }
    }

    fn sync_refused(&mut self, now: Time, error: GroupError) {
        match error {
            GroupError::RebalanceInProgress | GroupError::CoordinatorLoading => {
                self.event(Event::Recovered(error));
                self.retry(now, RejoinCause::Told);
            }
            GroupError::CoordinatorNotAvailable | GroupError::NotCoordinator | GroupError::RequestTimedOut => {
                self.lose_link(now);
                self.retry_later(now, RejoinCause::Retry);
            }
            GroupError::UnknownMember => self.expelled(now, error),
            GroupError::IllegalGeneration => self.generation_gone(now, error),
            GroupError::FencedInstance => self.fail(MemberFailure::Refused(error), LostCause::Fenced),
            _ => self.fail(MemberFailure::Refused(error), LostCause::Failed),
        }
    }

    /// The generation we joined is not the group's: the coordinator has started again, or a round went on without us.
    /// A dynamic member that is still on the book has missed none, so what it holds is still its own; a static one
    /// stays on the book whatever it misses.
    fn generation_gone(&mut self, now: Time, error: GroupError) {
        if self.config.instance.is_some() {
            return self.outdated(now, error);
        }
        self.event(Event::Recovered(error));
        self.joined = None;
        self.retry(now, RejoinCause::Retry);
    }
}
