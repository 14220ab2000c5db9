use groma_model::{Generation, Time, TopicPartition};
use groma_rebalance::embedded::Offence;
use groma_rebalance::embedded::consumer::{LateClaims, audit};
use groma_rebalance::protocol::{MemberReport, SyncRequest};

use super::check::{Claim, Property, claims, decision_faults};
use super::client::{Client, short};
use super::network::Process;
use super::world::{Cluster, Dialect};

/// A resource that a leader gave away while somebody held it (B89).
#[derive(Debug)]
pub(super) struct Breach {
    holder: Process,
    resource: TopicPartition,
    generation: Generation,
    at: Time,
}

impl Cluster {
    /// Checks what a leader hands in, who was told this. One that keeps the rules is never accused; what one that does
    /// not gives away is named, with somebody who does claim it.
    pub(super) fn check_decision(&mut self, from: Process, reports: &[MemberReport], sync: &SyncRequest) {
        let claims = claims(reports);
        let offences = audit(reports, &sync.assignments, LateClaims::Count);
        if self.clients[from.place].dialect == Dialect::Rogue {
            self.waiting.end();
            return offences.iter().for_each(|offence| self.name_breach(&claims, sync.generation, offence));
        }
        for offence in &offences {
            let what = format!("the audit finds that {}", self.history.words.offence(offence));
            self.violate(Property::NoOffence, what);
        }
        for (property, what) in decision_faults(&claims, sync) {
            self.violate(property, what);
        }
        self.check_plan(&claims, sync);
    }

    fn name_breach(&mut self, claims: &[Claim], generation: Generation, offence: &Offence<TopicPartition>) {
        let line = format!("against the rules: {}", self.history.words.offence(offence));
        let Offence::GrantedHeld { holder, resource, .. } = offence else {
            return self.violate(Property::NoOffence, line);
        };
        if !claims.iter().any(|claim| claim.member == *holder && claim.owned.contains(resource)) {
            self.violate(Property::NoOffence, format!("{line}, but nobody claims {}", short(resource)));
        }
        self.history.tell(self.now, || line);
        self.checks.named += 1;
        let is = |client: &Client| client.member.as_ref().is_some_and(|member| member.member() == Some(holder));
        let Some(place) = self.clients.iter().position(is) else { return };
        let breach = Breach { holder: self.process(place), resource: resource.clone(), generation, at: self.now };
        self.checks.breaches.push(breach);
    }

    /// Whether a process runs a resource that a leader has given away, and does not know it yet or is stopping it: for as
    /// long as it takes to be missed, and then expelled from the round.
    pub(super) fn is_wronged(&self, client: &Client, place: usize, resource: &TopicPartition) -> bool {
        let member = &self.settings.member;
        let longest = member.session_timeout + member.rebalance_timeout;
        let stops = client.stopping.values().flatten().any(|stopping| stopping == resource);
        let took = client.member.as_ref().and_then(groma_rebalance::member::Member::generation);
        let process = Process { place, life: client.life };
        self.checks.breaches.iter().any(|breach| {
            let knows = took.is_some_and(|took| took >= breach.generation);
            let same = breach.holder == process && breach.resource == *resource;
            same && (stops || !knows) && self.now.since(breach.at) <= longest
        })
    }

    /// Whether a leader has given away what this process held, or it has run on what it said it had stopped: the fence is
    /// by generation, not by resource, so what it commits meanwhile is taken.
    pub(super) fn was_wronged(&self, process: Process, resource: &TopicPartition) -> bool {
        self.checks.clung.contains(&(process, resource.clone()))
            || self.checks.breaches.iter().any(|breach| breach.holder == process && breach.resource == *resource)
    }

    /// How many resources leaders have given away while others held them; each time was named.
    pub const fn breaches_named(&self) -> u64 {
        self.checks.named
    }

    /// Processes that break the rules when they lead, of those that are up.
    pub(crate) fn rogues(&self) -> Vec<String> {
        let rogue = |client: &&Client| client.is_member() && client.dialect == Dialect::Rogue;
        self.clients.iter().filter(rogue).map(|client| client.name.clone()).collect()
    }

    /// From now on all processes that start are of one make, whose policy promises this.
    pub(crate) fn only_ours(&mut self, bounds: super::Bounds) {
        self.settings.makes.clear();
        self.settings.bounds = bounds;
    }
}
