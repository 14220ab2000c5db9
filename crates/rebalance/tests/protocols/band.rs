//! A group and its members on one table: messages are carried at once, time passes when nothing is left to carry.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bytes::Bytes;
use groma_model::{InstanceId, MemberId, Span, Time};
use groma_rebalance::coordinator::{self, Client, CoordinatorConfig, Group, Token};
use groma_rebalance::embedded::Embedded;
use groma_rebalance::member::{Event, Input, Member, MemberConfig, MemberFailure, Output, RequestId};
use groma_rebalance::protocol::Request;

/// What happened to a resource at a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step<R> {
    Start(R),
    Stop(R),
    Lose(R),
}

pub(crate) struct Band<E: Embedded> {
    pub(crate) now: Time,
    group: Group,
    members: BTreeMap<u64, Member<E>>,
    /// Members whose messages are not carried.
    cut: BTreeSet<u64>,
    pub(crate) steps: Vec<(u64, Step<E::Resource>)>,
    pub(crate) events: Vec<(u64, Event<E::Resource>)>,
    pub(crate) failures: Vec<(u64, MemberFailure)>,
    /// What the last leader gave to whom.
    pub(crate) given: Vec<(MemberId, Bytes)>,
    entropy: u128,
}

impl<E: Embedded> Band<E> {
    pub(crate) fn new() -> Self {
        let config = CoordinatorConfig { initial_rebalance_delay: Span::ZERO, ..CoordinatorConfig::default() };
        Self {
            now: Time::ZERO,
            group: Group::new(config),
            members: BTreeMap::new(),
            cut: BTreeSet::new(),
            steps: Vec::new(),
            events: Vec::new(),
            failures: Vec::new(),
            given: Vec::new(),
            entropy: 0,
        }
    }

    pub(crate) fn join(&mut self, number: u64, embedded: E, (interest, catalog): (E::Interest, E::Catalog)) {
        self.join_as(number, None, embedded, (interest, catalog));
    }

    pub(crate) fn join_as(
        &mut self,
        number: u64,
        instance: Option<&str>,
        embedded: E,
        (interest, catalog): (E::Interest, E::Catalog),
    ) {
        let config = MemberConfig { instance: instance.map(InstanceId::from), seed: number, ..MemberConfig::default() };
        self.members.insert(number, Member::new(config, embedded));
        self.put(number, Input::Catalog(catalog));
        self.put(number, Input::Subscribe(interest));
        self.put(number, Input::CoordinatorFound);
    }

    /// The process is gone without a word.
    pub(crate) fn kill(&mut self, number: u64) {
        self.members.remove(&number);
    }

    /// Nothing reaches the member, and nothing comes from it.
    pub(crate) fn cut(&mut self, number: u64) {
        self.cut.insert(number);
    }

    pub(crate) fn put(&mut self, number: u64, input: Input<E>) {
        if let Some(member) = self.members.get_mut(&number) {
            member.handle(self.now, input);
        }
        self.carry();
    }

    pub(crate) fn member(&self, number: u64) -> &Member<E> {
        &self.members[&number]
    }

    pub(crate) fn held(&self, number: u64) -> Vec<E::Resource> {
        self.member(number).held().iter().cloned().collect()
    }

    /// Who leads, each by its own belief.
    pub(crate) fn leaders(&self) -> Vec<u64> {
        self.members.iter().filter(|(_, m)| m.leads().is_some()).map(|(number, _)| *number).collect()
    }

    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.members.keys().copied().collect()
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, span: Span) {
        let end = self.now + span;
        loop {
            let members = self.members.values().filter_map(|m| m.deadline().map(|(at, _)| at));
            let next = members.chain(self.group.deadline().map(|(at, _)| at)).min();
            let Some(next) = next.filter(|at| *at <= end) else { break };
            self.now = self.now.max(next);
            self.group.handle(self.now, coordinator::Input::Tick);
            for member in self.members.values_mut() {
                member.handle(self.now, Input::Tick);
            }
            self.carry();
        }
        self.now = end;
    }

    fn carry(&mut self) {
        for _ in 0..100_000 {
            let numbers = self.numbers();
            let outputs: VecDeque<(u64, Output<E>)> = numbers
                .into_iter()
                .filter_map(|number| Some((number, self.members.get_mut(&number)?.poll()?)))
                .collect();
            let quiet = outputs.is_empty();
            for (number, output) in outputs {
                self.act(number, output);
            }
            match self.group.poll() {
                None if quiet => return,
                None => {}
                Some(output) => self.answer(output),
            }
        }
        panic!("the group does not come to rest");
    }

    fn act(&mut self, number: u64, output: Output<E>) {
        match output {
            Output::Send { id, request, .. } if !self.cut.contains(&number) => {
                self.send(Token(number << 32 | id.0), request)
            }
            Output::Revoke { id, resources, .. } => {
                self.steps.extend(resources.into_iter().map(|r| (number, Step::Stop(r))));
                self.put(number, Input::Released(id));
            }
            Output::Lost { id, resources, .. } => {
                self.steps.extend(resources.into_iter().map(|r| (number, Step::Lose(r))));
                self.put(number, Input::Released(id));
            }
            Output::Assign { resources, .. } => {
                self.steps.extend(resources.into_iter().map(|r| (number, Step::Start(r))));
            }
            Output::FindCoordinator if !self.cut.contains(&number) => self.put(number, Input::CoordinatorFound),
            Output::Event(event) => self.events.push((number, event)),
            Output::Failed(failure) => self.failures.push((number, failure)),
            Output::Send { .. } | Output::FindCoordinator | Output::Resolve(_) | Output::Left => {}
        }
    }

    fn send(&mut self, token: Token, request: Request) {
        self.entropy += 1;
        if let Request::Sync(request) = &request
            && !request.assignments.is_empty()
        {
            self.given.clone_from(&request.assignments);
        }
        let client = Client { id: format!("band-{}", token.0 >> 32), host: String::new() };
        let input = match request {
            Request::Join(request) => coordinator::Input::Join { token, request, client, entropy: self.entropy },
            Request::Sync(request) => coordinator::Input::Sync { token, request },
            Request::Heartbeat(request) => coordinator::Input::Heartbeat { token, request },
            Request::Leave(request) => coordinator::Input::Leave { token, request },
        };
        self.group.handle(self.now, input);
    }

    fn answer(&mut self, output: coordinator::Output) {
        match output {
            coordinator::Output::Reply { token, reply } => {
                let (number, id) = (token.0 >> 32, RequestId(token.0 & 0xffff_ffff));
                if let Some(member) = self.members.get_mut(&number).filter(|_| !self.cut.contains(&number)) {
                    member.handle(self.now, Input::Answered { id, result: Ok(reply) });
                }
            }
            coordinator::Output::Persist { ticket, .. } => {
                self.group.handle(self.now, coordinator::Input::Persisted(ticket));
            }
            coordinator::Output::Event(_) => {}
        }
    }

    /// Everything held, each resource with its holders.
    pub(crate) fn holders(&self) -> BTreeMap<E::Resource, Vec<u64>> {
        let mut holders: BTreeMap<E::Resource, Vec<u64>> = BTreeMap::new();
        for (number, member) in &self.members {
            member.held().iter().for_each(|r| holders.entry(r.clone()).or_default().push(*number));
        }
        holders
    }

    pub(crate) fn moved_by(&self, number: u64) -> usize {
        self.steps.iter().filter(|(n, step)| *n == number && !matches!(step, Step::Start(_))).count()
    }
}
