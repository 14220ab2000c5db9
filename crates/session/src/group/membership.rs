use std::collections::{BTreeSet, VecDeque};

use groma_model::{Generation, MemberId, Time};
use groma_rebalance::embedded::Embedded;
use groma_rebalance::member::{Input, Phase, ReleaseId};
use groma_rebalance::tasks::Ask;

use super::{Departure, Driver, GroupTag, ResourceEvent, Wish};
use crate::cluster::{AutoCreate, Cluster, ClusterEvent, Contact};
use crate::net::{NetInput, NetOutput};
use crate::news::News;
use crate::settings::ClientSettings;

/// A member of a group that shares out something else than topic partitions, as its embedded protocol says.
#[derive(Debug)]
pub struct Membership<E: Embedded> {
    cluster: Cluster<GroupTag>,
    pub(super) driver: Driver<E>,
    /// What the application has not taken yet. Revocations are answered one by one, of what tells how a round goes
    /// only the last is kept, and of steps the last `STEPS_KEPT`, so there are never many.
    events: VecDeque<ResourceEvent<E::Resource>>,
    pub(super) interest: E::Interest,
    /// Where tasks warm up: whether to ask for a round.
    pub(super) ask: Ask,
    /// Whether the application has been told that this member leads.
    told: Role,
    news: News,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Leader,
    Follower,
}

impl<E: Embedded> Membership<E> {
    pub(super) fn of(client: &ClientSettings, driver: Driver<E>, interest: E::Interest) -> Self {
        Self {
            cluster: Cluster::new(client, AutoCreate::Forbidden),
            driver,
            events: VecDeque::new(),
            interest,
            ask: Ask::default(),
            told: Role::Follower,
            news: News::None,
        }
    }

    /// Seeks contact with the cluster, and enters the group. As leader it shares out what is in the catalog.
    pub fn start(&mut self, now: Time, catalog: E::Catalog) {
        self.cluster.start(now);
        self.driver.handle(now, Input::Catalog(catalog));
        self.driver.handle(now, Input::Subscribe(self.interest.clone()));
        self.advance(now);
    }

    /// Whether the cluster has answered.
    pub const fn contact(&self) -> &Contact {
        self.cluster.contact()
    }

    /// Takes in what happened to connections, and time.
    pub fn handle(&mut self, now: Time, input: NetInput) {
        self.cluster.handle(now, input);
        self.advance(now);
    }

    /// What is to be done about connections.
    pub fn poll(&mut self) -> Option<NetOutput> {
        self.cluster.poll()
    }

    /// Whether there is something new since the last question.
    pub fn take_news(&mut self) -> bool {
        self.news.take()
    }

    /// When to hand in a tick.
    pub fn deadline(&self) -> Option<Time> {
        [self.cluster.deadline(), self.driver.deadline()].into_iter().flatten().min()
    }

    /// What exists has changed. It counts when this member leads.
    pub fn exist(&mut self, now: Time, catalog: E::Catalog) {
        self.driver.handle(now, Input::Catalog(catalog));
        self.advance(now);
    }

    /// Asks for something else.
    pub fn ask(&mut self, now: Time, interest: E::Interest) {
        self.interest = interest.clone();
        self.driver.handle(now, Input::Subscribe(interest));
        self.advance(now);
    }

    /// The next thing to tell the application.
    pub fn take(&mut self) -> Option<ResourceEvent<E::Resource>> {
        self.turn().or_else(|| self.events.pop_front())
    }

    /// The application has stopped what a `Revoked` or `Lost` named.
    pub fn released(&mut self, now: Time, id: ReleaseId) {
        self.driver.handle(now, Input::Released(id));
        self.advance(now);
    }

    /// What this member owns: assigned, and not yet released.
    pub const fn held(&self) -> &BTreeSet<E::Resource> {
        self.driver.member().held()
    }

    /// The generation this member leads.
    pub fn leads(&self) -> Option<Generation> {
        self.driver.member().leads()
    }

    /// The generation this member is settled in.
    pub const fn generation(&self) -> Option<Generation> {
        self.driver.member().generation()
    }

    /// The identity given by the coordinator.
    pub const fn member_id(&self) -> Option<&MemberId> {
        self.driver.member().member()
    }

    /// What the member is doing.
    pub fn phase(&self) -> Phase {
        self.driver.member().phase()
    }

    /// Leaves the group; everything is revoked first.
    pub fn leave(&mut self, now: Time) {
        self.driver.leave(now);
        self.advance(now);
    }

    /// Whether the group has been left.
    pub fn has_left(&self) -> bool {
        self.driver.departure == Departure::Left
    }

    /// Whether this member has begun or ceased to lead since the application was told.
    fn turn(&mut self) -> Option<ResourceEvent<E::Resource>> {
        let (told, event) = match (self.told, self.leads()) {
            (Role::Follower, Some(generation)) => (Role::Leader, ResourceEvent::Leading(generation)),
            (Role::Leader, None) => (Role::Follower, ResourceEvent::Following),
            (Role::Leader, Some(_)) | (Role::Follower, None) => return None,
        };
        self.told = told;
        Some(event)
    }

    pub(super) fn advance(&mut self, now: Time) {
        for _ in 0..TURNS {
            self.driver.tick(now);
            let answered = self.take_answers(now);
            let wished = self.take_wishes(now);
            if (answered, wished) == (News::None, News::None) {
                break;
            }
            self.news = News::Some;
        }
        if (self.told == Role::Leader) != self.leads().is_some() {
            self.news = News::Some;
        }
    }

    fn take_answers(&mut self, now: Time) -> News {
        let mut news = News::None;
        while let Some(event) = self.cluster.poll_event() {
            news = News::Some;
            if let ClusterEvent::Answered { tag, result } = event {
                self.driver.on_answer(now, tag, result);
            }
        }
        news
    }

    fn take_wishes(&mut self, now: Time) -> News {
        let mut news = News::None;
        while let Some(wish) = self.driver.poll(now, &mut self.cluster) {
            news = News::Some;
            self.grant(wish);
        }
        news
    }

    fn grant(&mut self, wish: Wish<E>) {
        let event = match wish {
            Wish::Assign(resources) => ResourceEvent::Assigned(resources),
            Wish::Revoke(id, resources) => ResourceEvent::Revoked(id, resources),
            Wish::Lost(id, resources) => ResourceEvent::Lost(id, resources),
            Wish::Rebalancing => ResourceEvent::Rebalancing,
            Wish::Stable(generation) => ResourceEvent::Stable(generation),
            Wish::Failed(failure) => ResourceEvent::Failed(failure),
            Wish::Step(step) => ResourceEvent::Step(step),
            Wish::Left | Wish::Resolve(_) => return,
        };
        if event.is_step() && self.events.iter().filter(|event| event.is_step()).count() >= STEPS_KEPT {
            let oldest = self.events.iter().position(ResourceEvent::is_step);
            oldest.map(|oldest| self.events.remove(oldest));
        }
        if event.is_progress() {
            self.events.retain(|event| !event.is_progress());
        }
        self.events.push_back(event);
    }
}

/// Steps that an application that does not take them has waiting.
const STEPS_KEPT: usize = 256;
/// Rounds of answers and wishes in one go; what is left comes with the next input.
const TURNS: usize = 64;
