use std::borrow::Cow;
use std::sync::Arc;

use groma_model::Span;

use super::{Abilities, Policy, TwoRound};
use crate::embedded::Mode;
use crate::share::{Former, Loss, NOBODY, Owners, Plan, Situation, Standing, Wait};

/// Design II: resources whose owner is gone wait for it, for a bounded time, and nothing that is held is moved for
/// balance meanwhile. If it comes back it has them at once; when the time is up they go to others.
///
/// The wait belongs to the loss, not to the leader: members carry it in their reports, so that whoever leads goes on
/// with the time that is left.
///
/// A newcomer takes the place of one former owner, of the one that has been awaited longest if its name does not say
/// which, and has what that one had. It has more, or anything if there is no place for it, only when nothing waits any
/// more: until then all that is held stays where it is.
#[derive(Clone, Debug)]
pub struct Deferred {
    /// How long lost resources wait at most (Connect's `scheduled.rebalance.max.delay.ms`, 5 min). Zero: not at all.
    pub max_delay: Span,
    /// Where members take the time from.
    pub source: DelaySource,
    /// When one that comes back gets its resources.
    pub returner: Returner,
    /// How long a group that begins gathers members before it shares anything out (`group.initial.rebalance.delay.ms`,
    /// 3 s, KIP-134); what the coordinator has waited already is taken off. Never more than `max_delay`.
    pub formation: Span,
    /// What to do when nothing waits.
    pub otherwise: Arc<dyn Policy>,
}

/// Where members take the time of a wait from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DelaySource {
    /// From the plan.
    #[default]
    Plan,
    /// From their own configuration: the plan says only that there is a wait.
    Configuration,
}

/// When a member that comes back gets its resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Returner {
    /// In the round in which it comes back.
    #[default]
    AtOnce,
    /// When the wait is over, as in Kafka Connect.
    AfterDelay,
}

impl Default for Deferred {
    fn default() -> Self {
        Self {
            max_delay: Span::from_secs(300),
            source: DelaySource::Plan,
            returner: Returner::AtOnce,
            formation: Span::from_secs(3),
            otherwise: Arc::new(TwoRound),
        }
    }
}

impl Policy for Deferred {
    fn name(&self) -> &str {
        if self.otherwise.needs().cover(Abilities::PACING) { "deferred+incremental" } else { "deferred" }
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn needs(&self) -> Abilities {
        Abilities::DEFERRAL.and(self.otherwise.needs())
    }

    fn within(&self, common: Abilities) -> Option<Arc<dyn Policy>> {
        let otherwise = match common.cover(self.otherwise.needs()) {
            true => Arc::clone(&self.otherwise),
            false => self.otherwise.within(common)?,
        };
        match common.cover(Abilities::DEFERRAL) {
            true => Some(Arc::new(Self { otherwise, ..self.clone() })),
            false => Some(otherwise),
        }
    }

    fn constant_delay(&self) -> Option<Span> {
        (self.source == DelaySource::Configuration).then_some(self.max_delay)
    }

    fn outlook<'a>(&self, situation: &'a Situation) -> Cow<'a, Situation> {
        let returned = self.judge(situation).returned;
        match returned.as_slice() {
            [] => Cow::Borrowed(situation),
            returned => Cow::Owned(situation.as_if(returned)),
        }
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        if let Some(left) = self.gathering(situation) {
            return gather(situation, left);
        }
        let waits = self.judge(situation).waits;
        if waits.is_empty() {
            return self.otherwise.plan(situation, target);
        }
        freeze(situation, target, waits)
    }
}

/// What becomes of resources that nobody claims because of their owner.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    /// Their owner is here, or somebody who must be taken for it: resource and member.
    returned: Vec<(u32, u32)>,
    /// Their owner is awaited.
    waits: Vec<Wait>,
}

impl Deferred {
    /// How much longer the group gathers members, if it does.
    fn gathering(&self, situation: &Situation) -> Option<Span> {
        let past = situation.past();
        let whole = self.formation.min(self.max_delay);
        let left = match past.formation {
            left if past.is_blank() => (whole - past.gathered).min(left.unwrap_or(whole)),
            Some(left) => left.min(whole),
            None => Span::ZERO,
        };
        let held = situation.holder().iter().any(|h| *h != NOBODY) || !situation.lost_claims().is_empty();
        (left > Span::ZERO && !held).then_some(left)
    }

    fn judge(&self, situation: &Situation) -> Verdict {
        let past = situation.past();
        let mut verdict = Verdict { returned: past.homes.clone(), waits: Vec::new() };
        if past.losses.is_empty() {
            return verdict;
        }
        let heirs = self.heirs(situation);
        for (number, loss) in (0_u32..).zip(&past.losses) {
            let left = loss.left.unwrap_or(self.max_delay).min(self.max_delay);
            let taken = heirs.take_over(situation, (number, loss), &mut verdict.returned);
            if left > Span::ZERO && taken < loss.resources.len() {
                let returned = verdict.returned.get(verdict.returned.len() - taken..).unwrap_or_default();
                let mut resources = loss.resources.clone();
                resources.retain(|r| !returned.iter().any(|(given, _)| given == r));
                verdict.waits.push(Wait { loss: number, left, resources });
            }
        }
        verdict
    }

    /// Who takes over which loss.
    fn heirs(&self, situation: &Situation) -> Heirs {
        let newcomers = match self.returner {
            Returner::AtOnce => newcomers(situation),
            Returner::AfterDelay => Vec::new(),
        };
        let losses = &situation.past().losses;
        let open: Vec<u32> =
            (0_u32..).zip(losses).filter(|(_, l)| l.former != Former::Static).map(|(n, _)| n).collect();
        let nameless = open.iter().any(|n| losses[*n as usize].former == Former::Unknown);
        if newcomers.is_empty() || nameless || newcomers.len() > open.len() {
            return Heirs::All(newcomers);
        }
        Heirs::Each(couple(losses, open, newcomers))
    }
}

/// Who takes over what was lost.
enum Heirs {
    /// All these share all losses evenly; none of them if there are none.
    All(Vec<u32>),
    /// Each takes over one loss: loss and member, sorted.
    Each(Vec<(u32, u32)>),
}

impl Heirs {
    /// Gives away what somebody takes over of a loss; yields how many resources.
    fn take_over(&self, situation: &Situation, (number, loss): (u32, &Loss), returned: &mut Vec<(u32, u32)>) -> usize {
        let before = returned.len();
        match self {
            _ if loss.former == Former::Static => {}
            Self::All(heirs) => {
                for resource in &loss.resources {
                    let turn = returned.len() % heirs.len().max(1);
                    let in_turn = heirs.iter().cycle().skip(turn).take(heirs.len());
                    let heir = in_turn.copied().find(|heir| situation.asks_for(*heir, *resource));
                    returned.extend(heir.map(|heir| (*resource, heir)));
                }
            }
            Self::Each(couples) => {
                let heir = couples.binary_search_by_key(&number, |(loss, _)| *loss).ok().map(|at| couples[at].1);
                let asked = loss.resources.iter().filter_map(|r| heir.map(|h| (*r, h)));
                returned.extend(asked.filter(|(resource, heir)| situation.asks_for(*heir, *resource)));
            }
        }
        returned.len() - before
    }
}

/// Members that come back, or must be taken for such: new ones whose own resources, if they had any, are not known. An
/// older peer that claims nothing is taken for one if there is enough for everybody to have had something.
fn newcomers(situation: &Situation) -> Vec<u32> {
    let past = situation.past();
    let enough = situation.members() <= situation.resources();
    let comes = |member: &u32| match past.standing(*member) {
        Standing::New => true,
        Standing::Silent => enough,
        Standing::Settled => false,
    };
    let known = |member: &u32| past.homes.iter().any(|(_, m)| m == member);
    (0..situation.members() as u32).filter(|m| comes(m) && !known(m)).collect()
}

/// Finds a loss for each newcomer: its own if its name says so, else the one that has waited longest.
fn couple(losses: &[Loss], mut open: Vec<u32>, newcomers: Vec<u32>) -> Vec<(u32, u32)> {
    let mut couples = Vec::with_capacity(newcomers.len());
    let mut nameless = Vec::new();
    for newcomer in newcomers {
        match open.iter().position(|n| losses[*n as usize].heir == Some(newcomer)) {
            Some(place) => couples.push((open.remove(place), newcomer)),
            None => nameless.push(newcomer),
        }
    }
    open.sort_by_key(|n| (losses[*n as usize].left.unwrap_or(Span(u64::MAX)), *n));
    couples.extend(open.into_iter().zip(nameless));
    couples.sort_unstable();
    couples
}

/// Nothing is shared out before the group has gathered.
fn gather(situation: &Situation, left: Span) -> Plan {
    let nobody = vec![NOBODY; situation.resources()];
    Plan { alarm: Some(left), formation: Some(left), ..Plan::new(nobody.clone(), nobody) }
}

/// What is held stays, what is free goes where it is to be, what is awaited waits.
fn freeze(situation: &Situation, target: Owners, waits: Vec<Wait>) -> Plan {
    let mut plan = TwoRound.plan(situation, situation.at_rest(target));
    for resource in waits.iter().flat_map(|w| &w.resources) {
        plan.owner[*resource as usize] = NOBODY;
        plan.target[*resource as usize] = NOBODY;
    }
    plan.alarm = waits.iter().map(|w| w.left).min();
    plan.pace = situation.past().pace;
    Plan { waits, ..plan }
}
