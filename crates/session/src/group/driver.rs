use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};

use groma_model::{Generation, GroupId, Span, Time};
use groma_rebalance::embedded::Embedded;
use groma_rebalance::member::{
    Event, Input, Member, MemberConfig, MemberFailure, Output, Phase, ReleaseId, RequestId, Unanswered,
};
use groma_rebalance::protocol::{GroupError, LeaveReply, Reply as Answer, Request};
use groma_rebalance::rpc;
use groma_wire::ErrorCode;
use groma_wire::messages::{FindCoordinatorRequest, FindCoordinatorResponse};

use super::GroupTag;
use crate::Detail;
use crate::cluster::{Cluster, Target};
use crate::net::{Call, CallError, Lane, Reply, Sent};

/// Carries what a member says to its coordinator, which it looks up, and back.
#[derive(Debug)]
pub(crate) struct Driver<E: Embedded> {
    pub(crate) group: GroupId,
    pub(crate) departure: Departure,
    coordinator: Coordinator,
    member: Member<E>,
    kinds: BTreeMap<RequestId, Kind>,
    round: Round,
    /// What the application is told about rounds.
    pub(crate) detail: Detail,
    /// A step that is told after the beginning of its round.
    step: Option<Event<E::Resource>>,
}

/// Whether the group is being left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Departure {
    Staying,
    Leaving,
    Left,
}

/// What a member wants that is not a request.
#[derive(Debug)]
pub(crate) enum Wish<E: Embedded> {
    Resolve(E::Interest),
    Assign(Vec<E::Resource>),
    Revoke(ReleaseId, Vec<E::Resource>),
    Lost(ReleaseId, Vec<E::Resource>),
    Rebalancing,
    Stable(Generation),
    Step(Event<E::Resource>),
    Failed(MemberFailure),
    Left,
}

/// Who coordinates the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coordinator {
    Unknown,
    Asked,
    Known(i32),
}

/// Whether the application has been told of a round that is not over; a round may take several joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Over,
    Running,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Join,
    Sync,
    Heartbeat,
    Leave,
}

impl<E: Embedded> Driver<E> {
    pub(crate) fn new(group: GroupId, config: MemberConfig, embedded: E) -> Self {
        Self {
            group,
            departure: Departure::Staying,
            coordinator: Coordinator::Unknown,
            member: Member::new(config, embedded),
            kinds: BTreeMap::new(),
            round: Round::Over,
            detail: Detail::Ends,
            step: None,
        }
    }

    pub(crate) const fn member(&self) -> &Member<E> {
        &self.member
    }

    /// Hands something to the member. On the way it may call code of the application's, such as an assignor: if that
    /// panics, the member can be relied on no longer, and only gives up what it has.
    pub(crate) fn handle(&mut self, now: Time, input: Input<E>) {
        let turn = AssertUnwindSafe(|| self.member.handle(now, input));
        if let Err(panic) = panic::catch_unwind(turn) {
            self.member.handle(now, Input::Panicked(said(&*panic)));
        }
    }

    /// The coordinator, if it is known.
    pub(crate) const fn node(&self) -> Option<i32> {
        match self.coordinator {
            Coordinator::Known(node) => Some(node),
            Coordinator::Unknown | Coordinator::Asked => None,
        }
    }

    pub(crate) fn deadline(&self) -> Option<Time> {
        self.member.deadline().map(|(at, _)| at)
    }

    pub(crate) fn tick(&mut self, now: Time) {
        if self.deadline().is_some_and(|at| at <= now) {
            self.handle(now, Input::Tick);
        }
    }

    pub(crate) fn leave(&mut self, now: Time) {
        if self.departure == Departure::Staying {
            self.departure = Departure::Leaving;
            self.handle(now, Input::Leave);
        }
    }

    /// Carries out what the member wants sent; gives what else it wants.
    pub(crate) fn poll<T: From<GroupTag>>(&mut self, now: Time, cluster: &mut Cluster<T>) -> Option<Wish<E>> {
        if let Some(step) = self.step.take() {
            return Some(Wish::Step(step));
        }
        while let Some(output) = self.member.poll() {
            match output {
                Output::FindCoordinator => self.find_coordinator(now, cluster),
                Output::Resolve(interest) => return Some(Wish::Resolve(interest)),
                Output::Send { id, request, patience } => self.send(now, (id, request), patience, cluster),
                Output::Revoke { id, resources, .. } => return Some(Wish::Revoke(id, resources)),
                Output::Lost { id, resources, .. } => return Some(Wish::Lost(id, resources)),
                Output::Assign { resources, .. } => return Some(Wish::Assign(resources)),
                Output::Failed(failure) => {
                    let stays = self.member.phase() == Phase::Failed;
                    self.departure = if stays { Departure::Left } else { Departure::Leaving };
                    return Some(Wish::Failed(failure));
                }
                Output::Left => {
                    self.departure = Departure::Left;
                    return Some(Wish::Left);
                }
                Output::Event(event @ Event::Joining(_)) if self.round == Round::Over => {
                    self.round = Round::Running;
                    self.step = (self.detail == Detail::Steps).then_some(event);
                    return Some(Wish::Rebalancing);
                }
                Output::Event(Event::Stable(generation)) => {
                    self.round = Round::Over;
                    return Some(Wish::Stable(generation));
                }
                Output::Event(event) if self.detail == Detail::Steps => return Some(Wish::Step(event)),
                Output::Event(_) => {}
            }
        }
        None
    }

    pub(crate) fn on_answer(&mut self, now: Time, tag: GroupTag, result: Result<Option<Reply>, CallError>) {
        match tag {
            GroupTag::Coordinator => self.on_coordinator(now, result),
            GroupTag::Member(id) => self.on_reply(now, id, result),
        }
    }

    /// The coordinator is another broker, or cannot be reached: it is looked up again.
    pub(crate) fn coordinator_lost(&mut self, now: Time) {
        if matches!(self.coordinator, Coordinator::Known(_)) {
            self.coordinator = Coordinator::Unknown;
            self.handle(now, Input::CoordinatorLost);
        }
    }

    fn on_coordinator(&mut self, now: Time, result: Result<Option<Reply>, CallError>) {
        let input = match coordinator_in(result) {
            Ok(node) => {
                self.coordinator = Coordinator::Known(node);
                Input::CoordinatorFound
            }
            Err(error) => {
                self.coordinator = Coordinator::Unknown;
                Input::CoordinatorUnknown(error)
            }
        };
        self.handle(now, input);
    }

    fn on_reply(&mut self, now: Time, id: RequestId, result: Result<Option<Reply>, CallError>) {
        let Some(kind) = self.kinds.remove(&id) else { return };
        let result = match result {
            Ok(Some(reply)) => typed(reply).ok_or(Unanswered::Disconnected),
            Err(CallError::Unsupported(_)) => Ok(unsupported(kind)),
            Err(CallError::TimedOut { .. }) => Err(Unanswered::TimedOut),
            Ok(None) | Err(CallError::Disconnected { .. } | CallError::Malformed(_)) => Err(Unanswered::Disconnected),
        };
        self.handle(now, Input::Answered { id, result });
    }

    fn find_coordinator<T: From<GroupTag>>(&mut self, now: Time, cluster: &mut Cluster<T>) {
        self.coordinator = Coordinator::Asked;
        let request = FindCoordinatorRequest {
            coordinator_keys: vec![self.group.0.clone()],
            ..FindCoordinatorRequest::default()
        };
        let timeout = cluster.settings().request_timeout;
        cluster.call(now, Target::Any.over(Lane::Control, timeout), request, GroupTag::Coordinator.into());
    }

    fn send<T: From<GroupTag>>(
        &mut self,
        now: Time,
        (id, request): (RequestId, Request),
        patience: Span,
        cluster: &mut Cluster<T>,
    ) {
        let (kind, lane, call): (_, _, Call) = match &request {
            Request::Join(join) => (Kind::Join, Lane::Group, rpc::write_join_request(&self.group, join).into()),
            Request::Sync(sync) => (Kind::Sync, Lane::Group, rpc::write_sync_request(&self.group, sync).into()),
            Request::Heartbeat(beat) => {
                (Kind::Heartbeat, Lane::Control, rpc::write_heartbeat_request(&self.group, beat).into())
            }
            Request::Leave(leave) => {
                (Kind::Leave, Lane::Control, rpc::write_leave_request(&self.group, leave, LEAVE_VERSION).into())
            }
        };
        self.kinds.insert(id, kind);
        match self.coordinator {
            Coordinator::Known(node) => {
                cluster.call(now, Target::Node(node).over(lane, patience), call, GroupTag::Member(id).into());
            }
            Coordinator::Unknown | Coordinator::Asked => {
                let cause = "the coordinator is not known".to_owned();
                self.on_reply(now, id, Err(CallError::Disconnected { cause, sent: Sent::No }));
            }
        }
    }
}

fn coordinator_in(result: Result<Option<Reply>, CallError>) -> Result<i32, GroupError> {
    let reply = match result {
        Ok(reply) => reply.and_then(|reply| FindCoordinatorResponse::try_from(reply).ok()),
        Err(CallError::Unsupported(_)) => return Err(GroupError::UnsupportedVersion),
        Err(_) => None,
    };
    let found = reply.and_then(|response| response.coordinators.into_iter().next());
    let found = found.ok_or(GroupError::CoordinatorNotAvailable)?;
    ErrorCode::check(found.error_code).map_err(rpc::group_error)?;
    Ok(found.node_id)
}

fn typed(reply: Reply) -> Option<Answer> {
    Some(match reply {
        Reply::JoinGroup(response) => Answer::Join(rpc::join_reply(response)),
        Reply::SyncGroup(response) => Answer::Sync(rpc::sync_reply(response)),
        Reply::Heartbeat(response) => Answer::Heartbeat(rpc::heartbeat_reply(&response)),
        Reply::LeaveGroup(response) => Answer::Leave(rpc::leave_reply(response)),
        _ => return None,
    })
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a word").to_owned()
}

fn unsupported(kind: Kind) -> Answer {
    let error = GroupError::UnsupportedVersion;
    match kind {
        Kind::Join => Answer::Join(Err(error)),
        Kind::Sync => Answer::Sync(Err(error)),
        Kind::Heartbeat => Answer::Heartbeat(Err(error)),
        Kind::Leave => Answer::Leave(LeaveReply { results: Err(error) }),
    }
}

/// The first version whose layout names several leavers; later ones only add to it.
const LEAVE_VERSION: i16 = 3;
