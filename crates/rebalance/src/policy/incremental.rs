use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use groma_model::Span;

use super::{Abilities, Policy, TwoRound};
use crate::embedded::Mode;
use crate::share::{NOBODY, Owners, Plan, Situation};

/// Design III: of what moves only for balance no more than so much is under way at a time, and an interval lies between
/// one batch and the next; so no resource waits for another that takes longer to stop. What nobody holds is granted at
/// once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incremental {
    /// How much may be moved for balance in one round.
    pub limit: Limit,
    /// How long after the beginning of one batch the next may begin. Zero: each round grants a batch and begins the
    /// next, and a change takes `ceil(moves / limit) + 1` rounds; else it takes two rounds for each batch.
    pub interval: Span,
    /// By how many per cent a load may be off the mean, beyond the next whole one, before moves begin. Once they have
    /// begun they go on to the target.
    pub tolerance: u32,
}

/// How much may be moved for balance in one round; whichever bound is reached first. At least one resource always may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    /// How many resources.
    pub moves: u32,
    /// How much move cost, see [`Situation::cost_of`]. A resource that costs more moves alone.
    pub cost: u64,
}

impl Limit {
    /// So many resources, whatever they cost.
    pub const fn moves(moves: u32) -> Self {
        Self { moves, cost: u64::MAX }
    }

    /// So much move cost, however many resources.
    pub const fn cost(cost: u64) -> Self {
        Self { moves: u32::MAX, cost }
    }

    /// Whether another resource of this cost may move where so many that cost so much together do already.
    pub(crate) const fn admits(self, (taken, spent): (usize, u64), cost: u64) -> bool {
        taken == 0 || (taken < self.moves as usize && spent.saturating_add(cost) <= self.cost)
    }
}

/// One resource a round, a second apart, until all loads are within one of the mean.
impl Default for Incremental {
    fn default() -> Self {
        Self { limit: Limit::moves(1), interval: Span::from_secs(1), tolerance: 0 }
    }
}

impl Policy for Incremental {
    fn name(&self) -> &str {
        "incremental"
    }

    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn needs(&self) -> Abilities {
        Abilities::PACING
    }

    fn within(&self, common: Abilities) -> Option<Arc<dyn Policy>> {
        if common.cover(Abilities::PACING) { Some(Arc::new(*self)) } else { Some(Arc::new(TwoRound)) }
    }

    fn outlook<'a>(&self, situation: &'a Situation) -> Cow<'a, Situation> {
        TwoRound.outlook(situation)
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let mut plan = TwoRound.plan(situation, target);
        let mut moves = Moves::for_balance(situation, &plan);
        if moves.pending.is_empty() {
            return plan;
        }
        let pace = situation.past().pace;
        if pace.is_none() && moves.loads_fit(self.tolerance) {
            moves.stay_for_good(situation, &mut plan);
            return plan;
        }
        let open = pace.unwrap_or(Span::ZERO);
        let again = moves.take_again(&situation.past().unheeded);
        let pace = match open {
            Span::ZERO if again > 0 || moves.take(self.limit) > 0 => self.interval,
            open => open,
        };
        moves.stay_for_now(situation, &mut plan);
        plan.pace = Some(pace);
        plan.held_back = moves.pending.iter().map(|(_, list)| list.len()).sum();
        // Who was not told in time would be overtaken again: it calls the others itself when it has released the batch.
        plan.alarm = (!moves.pending.is_empty() && again == 0).then_some(pace);
        plan
    }
}

/// A move for balance: what it costs, and what moves.
type Candidate = (u64, u32);

/// What a plan moves although its holder is content: not free, not contested, still asked for.
struct Moves<'a> {
    situation: &'a Situation,
    /// For each member what it carries if no pending move is made.
    load: Vec<u64>,
    /// For each giver, what it is to give, the cheapest last.
    pending: Vec<(u32, Vec<Candidate>)>,
}

impl<'a> Moves<'a> {
    fn for_balance(situation: &'a Situation, plan: &Plan) -> Self {
        let mut load = vec![0_u64; situation.members()];
        let mut give: Vec<Vec<Candidate>> = vec![Vec::new(); situation.members()];
        let mut carry = |member: u32, cost: u64| {
            if let Some(load) = load.get_mut(member as usize) {
                *load += cost;
            }
        };
        for (resource, (holder, target)) in (0_u32..).zip(situation.holder().iter().zip(&plan.target)) {
            let cost = situation.cost_of(resource);
            if *holder == NOBODY || holder == target || *target == NOBODY || !situation.asks_for(*holder, resource) {
                carry(*target, cost);
            } else if let Some(list) = give.get_mut(*holder as usize) {
                carry(*holder, cost);
                list.push((cost, resource));
            }
        }
        give.iter_mut().for_each(|list| list.sort_unstable_by_key(|c| Reverse(*c)));
        let pending = (0_u32..).zip(give).filter(|(_, list)| !list.is_empty()).collect();
        Self { situation, load, pending }
    }

    /// Whether every load is within the tolerance of the mean, to the next whole one.
    fn loads_fit(&self, tolerance: u32) -> bool {
        let (members, total) = (self.load.len() as u128, self.load.iter().map(|l| u128::from(*l)).sum::<u128>());
        let (above, below) = (100 + u128::from(tolerance), 100_u128.saturating_sub(u128::from(tolerance)));
        let most = (total * above).div_ceil((members * 100).max(1));
        let least = total * below / (members * 100).max(1);
        self.load.iter().all(|l| (least..=most).contains(&u128::from(*l)))
    }

    /// Takes a batch off what is pending, always from the most loaded that still has to give; yields how many.
    fn take(&mut self, limit: Limit) -> usize {
        let place = |(place, (giver, _)): (usize, &(u32, Vec<Candidate>))| (*giver, place);
        let load = |giver: u32| self.load.get(giver as usize).copied().unwrap_or_default();
        let mut givers: BinaryHeap<(u64, Reverse<u32>, usize)> =
            self.pending.iter().enumerate().map(place).map(|(giver, at)| (load(giver), Reverse(giver), at)).collect();
        let (mut taken, mut spent) = (0_usize, 0_u64);
        while let Some((load, giver, at)) = givers.pop() {
            let Some((_, list)) = self.pending.get_mut(at) else { continue };
            let fits = |(cost, _): &&Candidate| limit.admits((taken, spent), *cost);
            let Some((cost, _)) = list.last().filter(fits).copied() else { continue };
            list.pop();
            (taken, spent) = (taken + 1, spent.saturating_add(cost));
            givers.push((load.saturating_sub(cost), giver, at));
        }
        self.pending.retain(|(_, list)| !list.is_empty());
        taken
    }

    /// Goes on with a batch that has begun: what of it is still pending was to be released by members that were not told.
    /// Yields how many resources that are.
    fn take_again(&mut self, unheeded: &[u32]) -> usize {
        let left = |pending: &[(u32, Vec<Candidate>)]| pending.iter().map(|(_, list)| list.len()).sum::<usize>();
        let before = left(&self.pending);
        for (_, list) in &mut self.pending {
            list.retain(|(_, resource)| unheeded.binary_search(resource).is_err());
        }
        self.pending.retain(|(_, list)| !list.is_empty());
        before - left(&self.pending)
    }

    /// What is still pending stays where it is in this round.
    fn stay_for_now(&self, situation: &Situation, plan: &mut Plan) {
        for (_, resource) in self.pending.iter().flat_map(|(_, list)| list) {
            plan.owner[*resource as usize] = situation.holder()[*resource as usize];
        }
    }

    /// What is pending is not worth a move.
    fn stay_for_good(&self, situation: &Situation, plan: &mut Plan) {
        self.stay_for_now(situation, plan);
        for (_, resource) in self.pending.iter().flat_map(|(_, list)| list) {
            plan.target[*resource as usize] = self.situation.holder()[*resource as usize];
        }
    }
}
