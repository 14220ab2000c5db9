use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::evidence::Evidence;
use crate::gap::{self, Gap};
use crate::rebalance::{Draft, Moved, Rebalance, drafts};
use crate::remark;
use crate::round::{Round, Rounds, has, in_order};
use crate::step::steps;
use crate::{Basis, Bill, Fact, Known, Seat, Source};

/// What happened in a group, as far as facts tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// The group.
    pub group: String,
    /// Whose word it rests on.
    pub sources: Vec<Source>,
    /// The first and the last fact.
    pub from_ms: i64,
    /// The last fact.
    pub to_ms: i64,
    /// Everybody who was ever a member, by identity.
    pub members: BTreeMap<String, Seat>,
    /// The rebalances, in order.
    pub rebalances: Vec<Rebalance>,
    /// Who had each resource when.
    pub lanes: BTreeMap<String, Vec<Stay>>,
}

/// A time in which a resource was a member's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stay {
    /// Whose.
    pub member: String,
    /// From when.
    pub from_ms: i64,
    /// Until when; none when it still is.
    pub to_ms: Option<i64>,
    /// How the beginning is known.
    pub basis: Basis,
}

/// Where a partition ended at a time: what a shell may still find out, to be handed in as `Ends`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// The partition.
    pub resource: String,
    /// The time.
    pub at_ms: i64,
}

impl Timeline {
    /// What these facts tell of `group`; facts of other groups are passed over. Facts may come in any order.
    pub fn of(facts: &[Fact], group: &str) -> Self {
        let facts = in_order(facts, group);
        let evidence = Evidence::of(&facts);
        let drafts = drafts(Rounds::of(&facts));
        let lanes = lanes(&drafts, &evidence);
        let rebalances: Vec<Rebalance> =
            drafts.into_iter().enumerate().map(|(index, draft)| judge(index + 1, draft, &evidence)).collect();
        let sources = [Source::Member, Source::Broker, Source::Offsets, Source::Poll, Source::Log];
        Self {
            group: group.to_owned(),
            sources: sources.into_iter().filter(|source| has(&facts, *source)).collect(),
            from_ms: facts.first().map_or(0, |fact| fact.time_ms),
            to_ms: facts.last().map_or(0, |fact| fact.time_ms),
            members: evidence.seats,
            rebalances,
            lanes,
        }
    }

    /// Where partitions ended at the ends of their gaps, as far as that is not known yet.
    pub fn questions(&self) -> BTreeSet<Question> {
        let gaps = self.rebalances.iter().flat_map(|rebalance| &rebalance.gaps);
        let ends = gaps.flat_map(|gap| [(gap, gap.from_ms.value), (gap, gap.to_ms.value)]);
        ends.filter_map(|(gap, at)| Some(Question { resource: gap.resource.clone(), at_ms: at? })).collect()
    }

    /// A short name for each member: its stable identity, or its id without most of the random part.
    pub fn names(&self) -> BTreeMap<String, String> {
        crate::name::short_names(&self.members)
    }
}

fn judge(number: usize, draft: Draft, evidence: &Evidence) -> Rebalance {
    let gaps: Vec<Gap> = gap::gaps(&draft, evidence);
    let settled = draft.last().map_or_else(|| Known::unknown("it has no round"), |round| round.stable_ms.clone());
    Rebalance {
        number,
        began_ms: draft.began_ms(),
        settled_ms: settled,
        trigger: draft.trigger(),
        arrived: draft.arrived(),
        gone: draft.gone(),
        moves: draft.moves(evidence).unwrap_or_else(|| planned_moves(&draft, evidence)),
        least_moves: draft.least(),
        steps: steps(&draft, evidence),
        remarks: remark::of_rebalance(&evidence.remarks, draft.span(), &draft.rounds),
        bill: Bill::of(&draft, &gaps, evidence),
        gaps,
        rounds: draft.rounds,
    }
}

/// Where nobody can read who owns what, the leader's own word is all there is.
fn planned_moves(draft: &Draft, evidence: &Evidence) -> Vec<Moved> {
    let (begin, end) = draft.window();
    let planned = evidence.planned.iter().filter(|(at, _)| (begin..=end).contains(at));
    let moved = planned.map(|(_, planned)| Moved {
        resource: planned.resource.clone(),
        from: planned.from.clone(),
        to: planned.to.clone(),
        reason: planned.cause,
        basis: Basis::Observed,
    });
    if draft.before.owners.is_some() { Vec::new() } else { moved.collect() }
}

/// Who had each resource when: gaps cut out of what the rounds say.
fn lanes(drafts: &[Draft], evidence: &Evidence) -> BTreeMap<String, Vec<Stay>> {
    let mut lanes: BTreeMap<String, Vec<Stay>> = BTreeMap::new();
    for draft in drafts {
        let gaps = gap::gaps(draft, evidence);
        for gap in &gaps {
            cut(&mut lanes, gap);
        }
        let Some(last) = draft.last() else { continue };
        settle(&mut lanes, last);
    }
    lanes
}

fn cut(lanes: &mut BTreeMap<String, Vec<Stay>>, gap: &Gap) {
    let stays = lanes.entry(gap.resource.clone()).or_default();
    let Some(from) = gap.from_ms.value else { return };
    if let Some(open) = stays.last_mut().filter(|stay| stay.to_ms.is_none()) {
        open.to_ms = Some(from.max(open.from_ms));
    }
    if let (Some(to), Some(member)) = (gap.to_ms.value, &gap.to) {
        stays.push(Stay { member: member.clone(), from_ms: to, to_ms: None, basis: gap.to_ms.basis });
    }
}

fn settle(lanes: &mut BTreeMap<String, Vec<Stay>>, last: &Round) {
    let Some(stable) = last.stable_ms.value else { return };
    let owners = last.owners().unwrap_or_default();
    for (resource, stays) in lanes.iter_mut() {
        if let Some(open) = stays.last_mut().filter(|stay| stay.to_ms.is_none() && !owners.contains_key(resource)) {
            open.to_ms = Some(stable.max(open.from_ms));
        }
    }
    for (resource, member) in owners {
        let from_ms = last.delivered_ms(&member).map_or(stable, |(at, _)| at);
        let stays = lanes.entry(resource).or_default();
        let open = stays.last_mut().filter(|stay| stay.to_ms.is_none());
        match open {
            Some(stay) if stay.member == member => {}
            open => {
                if let Some(stay) = open {
                    stay.to_ms = Some(from_ms.max(stay.from_ms));
                }
                stays.push(Stay { member, from_ms, to_ms: None, basis: last.stable_ms.basis });
            }
        }
    }
}
