use std::sync::Arc;

use groma_model::{MemberId, Span, Time};

use crate::cause::{RemovalCause, RoundCause};
use crate::coordinator::phase::{Grew, JoinWindow, Phase};
use crate::coordinator::roster::{Member, Parked};
use crate::coordinator::{Event, Group, GroupMetadata, GroupRecord, Reason};
use crate::protocol::{GroupError, LeaderDuty, Reply, Role};

/// A round nobody has joined is looked at again no sooner than this, whatever the members ask for.
const PATIENCE_MIN: Span = Span::from_secs(1);

impl Group {
    /// A new reason for a round: opens one, or sees whether the open one is complete.
    pub(super) fn open_or_close(&mut self, now: Time, cause: RoundCause) {
        if matches!(self.phase, Phase::Joining(_)) {
            self.event(Event::RoundAlso(cause));
            self.try_close_round(now);
        } else {
            self.open_round(now, cause);
        }
    }

    pub(super) fn after_removal(&mut self, now: Time, cause: RoundCause) {
        match self.phase {
            Phase::Stable(_) | Phase::Syncing(_) => self.open_round(now, cause),
            Phase::Joining(_) | Phase::Empty | Phase::Dead => self.try_close_round(now),
        }
    }

    pub(in crate::coordinator) fn open_round(&mut self, now: Time, cause: RoundCause) {
        self.refuse_syncs(now);
        self.timers.stop(Reason::SyncWindow);
        self.event(Event::RoundOpened { after: self.generation, cause });
        if matches!(self.phase, Phase::Empty) {
            let delay = self.config.initial_rebalance_delay;
            let remaining = self.roster.rebalance_timeout_max() - delay;
            self.enter(now, Phase::Joining(JoinWindow::Initial { remaining, grew: Grew::No }));
            self.timers.set(Reason::JoinWindow, now + delay);
        } else {
            self.enter(now, Phase::Joining(JoinWindow::Usual));
            self.timers.set(Reason::JoinWindow, now + self.roster.rebalance_timeout_max());
            self.try_close_round(now);
        }
    }

    fn refuse_syncs(&mut self, now: Time) {
        if !matches!(self.phase, Phase::Syncing(_)) {
            return;
        }
        let parked = |(id, m): (&MemberId, &Member)| matches!(m.parked(), Parked::Sync(_)).then(|| id.clone());
        let ids: Vec<MemberId> = self.roster.in_order().filter_map(parked).collect();
        for id in ids {
            let parked = self.roster.park(&id, Parked::Nothing);
            self.supersede(parked, &GroupError::RebalanceInProgress);
            self.arm_session(now, &id);
        }
    }

    /// Ends the join phase if everybody who is expected has come.
    pub(super) fn try_close_round(&mut self, now: Time) {
        if matches!(self.phase, Phase::Joining(JoinWindow::Usual)) && self.roster.all_joined() {
            self.close_round(now);
        }
    }

    /// Ends the join phase without those who have not come; static members among them stay on the book.
    fn close_round(&mut self, now: Time) {
        self.timers.stop(Reason::JoinWindow);
        self.drop_missing();
        if !self.roster.is_empty() && !self.elect_leader() {
            let patience = self.roster.rebalance_timeout_max().max(PATIENCE_MIN);
            return self.timers.set(Reason::JoinWindow, now + patience);
        }
        self.generation = self.generation.next();
        if self.roster.is_empty() { self.become_empty(now) } else { self.form_generation(now) }
    }

    fn drop_missing(&mut self) {
        let missing = |(id, m): (&MemberId, &Member)| (!m.has_joined() && m.instance.is_none()).then(|| id.clone());
        let ids: Vec<MemberId> = self.roster.in_order().filter_map(missing).collect();
        for id in ids {
            self.remove(&id, RemovalCause::JoinMissed, GroupError::UnknownMember);
        }
    }

    /// Whether one of those who joined can lead.
    fn elect_leader(&mut self) -> bool {
        let incumbent = self.leader.as_ref().and_then(|id| self.roster.member(id));
        if incumbent.is_some_and(Member::has_joined) {
            return true;
        }
        let Some(next) = self.roster.in_order().find(|(_, m)| m.has_joined()).map(|(id, _)| id.clone()) else {
            return false;
        };
        self.leader = Some(next);
        true
    }

    fn become_empty(&mut self, now: Time) {
        self.protocol = None;
        self.leader = None;
        self.enter(now, Phase::Empty);
        let empty = GroupMetadata {
            protocol_type: self.protocol_type.clone(),
            generation: self.generation,
            ..GroupMetadata::default()
        };
        self.persist(GroupRecord::Metadata(Arc::new(empty)));
        self.event(Event::Emptied(self.generation));
    }

    fn form_generation(&mut self, now: Time) {
        self.persist_again();
        self.protocol = self.roster.elect_protocol();
        let joined = |(id, m): (&MemberId, &Member)| m.has_joined().then(|| (id.clone(), m.seat));
        let joined: Vec<(MemberId, u64)> = self.roster.in_order().filter_map(joined).collect();
        self.enter(now, Phase::Syncing(joined.iter().map(|(_, seat)| *seat).collect()));
        self.timers.set(Reason::SyncWindow, now + self.roster.rebalance_timeout_max());
        if let Some(leader) = self.leader.clone() {
            let members = self.roster.len();
            self.event(Event::RoundClosed { generation: self.generation, leader, members });
        }
        for (id, _) in joined {
            self.answer_join(now, &id);
        }
    }

    fn answer_join(&mut self, now: Time, id: &MemberId) {
        let leads = self.leader.as_ref() == Some(id);
        let role = if leads { self.leader_role(LeaderDuty::Assign) } else { Role::Follower };
        let joined = self.joined(id.clone(), role);
        if let Parked::Join(token, _) = self.roster.park(id, Parked::Nothing) {
            self.reply_durable(id.clone(), token, Reply::Join(Ok(joined)));
        }
        self.roster.settle(id);
        self.arm_session(now, id);
    }

    /// Acts on every deadline that has come.
    pub(in crate::coordinator) fn expire(&mut self, now: Time) {
        while let Some(reason) = self.timers.take_due(now) {
            match reason {
                Reason::JoinWindow => self.join_window_over(now),
                Reason::SyncWindow => self.drop_unsynced(now),
                Reason::Session(seat) => self.session_over(now, seat),
                Reason::Pending(seat) => {
                    self.roster.remove_pending_seat(seat);
                    self.try_close_round(now);
                }
            }
        }
    }

    fn session_over(&mut self, now: Time, seat: u64) {
        if let Some(id) = self.roster.by_seat(seat).cloned() {
            self.remove(&id, RemovalCause::SessionExpired, GroupError::UnknownMember);
            self.after_removal(now, RoundCause::SessionExpired(id));
        }
    }

    fn join_window_over(&mut self, now: Time) {
        match self.phase {
            Phase::Joining(JoinWindow::Initial { remaining, grew: Grew::Yes }) if remaining > Span::ZERO => {
                let delay = self.config.initial_rebalance_delay.min(remaining);
                self.phase = Phase::Joining(JoinWindow::Initial { remaining: remaining - delay, grew: Grew::No });
                self.timers.set(Reason::JoinWindow, now + delay);
            }
            Phase::Joining(_) => self.close_round(now),
            Phase::Empty | Phase::Syncing(_) | Phase::Stable(_) | Phase::Dead => {}
        }
    }
}
