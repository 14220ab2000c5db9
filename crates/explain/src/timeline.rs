use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::evidence::Evidence;
use crate::gap::{self, Gap};
use crate::rebalance::{Draft, Moved, Owners, Rebalance, drafts};
use crate::remark;
use crate::round::{Round, Rounds, has, in_order};
use crate::step::steps;
use crate::{Basis, Bill, Fact, Known, Seat, Source, work};

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
        let seen_ms = facts.last().map_or(0, |fact| fact.time_ms);
        let drafts = drafts(Rounds::of(&facts), seen_ms);
        let mut lanes = BTreeMap::new();
        let judged = drafts.into_iter().enumerate().map(|(index, draft)| {
            let gaps = gap::gaps(&draft, &evidence);
            add_to(&mut lanes, &draft, &gaps);
            judge(index + 1, draft, (gaps, &evidence))
        });
        let rebalances: Vec<Rebalance> = judged.collect();
        let sources = [Source::Member, Source::Broker, Source::Offsets, Source::Poll, Source::Log];
        Self {
            group: group.to_owned(),
            sources: sources.into_iter().filter(|source| has(&facts, *source)).collect(),
            from_ms: facts.first().map_or(0, |fact| fact.time_ms),
            to_ms: seen_ms,
            members: evidence.seats,
            rebalances,
            lanes,
        }
    }

    /// Where partitions ended at the ends of their gaps; a gap without an end lasts to the last fact.
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

fn judge(number: usize, draft: Draft, (gaps, evidence): (Vec<Gap>, &Evidence)) -> Rebalance {
    let moves = draft.moves(evidence);
    let moved = moved(&draft, moves.as_deref(), evidence);
    Rebalance {
        number,
        began_ms: draft.began_ms(),
        settled_ms: draft.settled_ms(),
        unowned: draft.unowned(),
        trigger: draft.trigger(),
        arrived: draft.arrived(),
        gone: draft.gone().to_vec(),
        moves: moves.unwrap_or_else(|| planned_moves(&draft, evidence)),
        moved,
        least_moves: draft.least(),
        steps: steps(&draft, evidence),
        remarks: remark::of_rebalance(evidence.remarks_within(draft.span()), &draft),
        bill: Bill::of(&draft, &gaps, evidence),
        gaps,
        rounds: draft.rounds,
    }
}

/// Where nobody can read who owns what, the leader's own word is all there is.
fn planned_moves(draft: &Draft, evidence: &Evidence) -> Vec<Moved> {
    let mut moved: BTreeMap<&str, Moved> = BTreeMap::new();
    for planned in draft.planned(evidence) {
        let first = || Moved {
            resource: planned.resource.clone(),
            from: planned.from.clone(),
            to: None,
            reason: planned.cause,
            basis: Basis::Observed,
        };
        moved.entry(&planned.resource).or_insert_with(first).to.clone_from(&planned.to);
    }
    moved.into_values().collect()
}

fn moved(draft: &Draft, moves: Option<&[Moved]>, evidence: &Evidence) -> Known<u64> {
    match (moves, planned_moves(draft, evidence).len() as u64, &draft.before.owners) {
        (Some(moves), ..) => Known::observed(moves.iter().filter(|moved| moved.to.is_some()).count() as u64),
        (None, 0, None) => Known::unknown("who owned what before is not known"),
        (None, 0, Some(_)) => Known::unknown("who owns what now is not known"),
        (None, planned, _) => Known::inferred(planned, "by the leader's plan"),
    }
}

/// Who had each resource when.
type Lanes = BTreeMap<String, Vec<Stay>>;

/// Goes on with the lanes through a rebalance: gaps cut out of what the rounds say.
fn add_to(lanes: &mut Lanes, draft: &Draft, gaps: &[Gap]) {
    for gap in gaps {
        cut(lanes, gap);
    }
    if let Some(last) = draft.last() {
        settle(lanes, last);
    }
}

fn cut(lanes: &mut Lanes, gap: &Gap) {
    let stays = lanes.entry(gap.resource.clone()).or_default();
    let Some(from) = gap.from_ms.value else { return };
    if let Some(open) = stays.last_mut().filter(|stay| stay.to_ms.is_none()) {
        open.to_ms = Some(from.max(open.from_ms));
    }
    if let (Some(to), Some(member)) = (gap.to_ms.value, &gap.to) {
        stays.push(Stay { member: member.clone(), from_ms: to, to_ms: None, basis: gap.to_ms.basis });
    }
}

fn settle(lanes: &mut Lanes, last: &Round) {
    let Some(stable) = last.stable_ms.value else { return };
    let nobodys = Owners::new();
    let owners = last.owners().unwrap_or(&nobodys);
    work::did(lanes.len() + owners.len());
    for (resource, stays) in lanes.iter_mut() {
        if let Some(open) = stays.last_mut().filter(|stay| stay.to_ms.is_none() && !owners.contains_key(resource)) {
            open.to_ms = Some(stable.max(open.from_ms));
        }
    }
    for (resource, member) in owners {
        let from_ms = last.delivered_ms(member).map_or(stable, |(at, _)| at);
        let stays = lanes.entry(resource.clone()).or_default();
        let open = stays.last_mut().filter(|stay| stay.to_ms.is_none());
        match open {
            Some(stay) if stay.member == *member => {}
            open => {
                if let Some(stay) = open {
                    stay.to_ms = Some(from_ms.max(stay.from_ms));
                }
                stays.push(Stay { member: member.clone(), from_ms, to_ms: None, basis: last.stable_ms.basis });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Trigger, What};

    const MEMBERS: usize = 10;

    /// A member joins, and every resource goes on to the next member.
    fn everything_moves(resources: usize, rebalances: usize) -> Vec<Fact> {
        let seat = |member: usize, turn: usize| Seat {
            member: format!("m{member}"),
            topics: Some(vec!["t".into()]),
            assigned: Some(
                (0..resources).filter(|r| (r + turn) % MEMBERS == member).map(|r| format!("t-{r}")).collect(),
            ),
            ..Seat::default()
        };
        let mut facts = Vec::new();
        for turn in 0..rebalances {
            let (began, generation) = (turn as i64 * 10_000, turn as i32 + 1);
            let say = |time_ms, source, what| Fact { time_ms, group: "g".into(), source, member: None, what };
            let opened = What::RoundOpened { after: turn as i32, cause: Trigger::MemberJoined };
            let members = (0..MEMBERS).map(|member| seat(member, turn)).collect();
            let (protocol_type, protocol) = ("consumer".into(), Some("cooperative-sticky".into()));
            let given = What::Generation { generation, protocol_type, protocol, leader: None, members };
            facts.push(say(began, Source::Broker, opened));
            facts.push(say(began + 100, Source::Offsets, given));
            facts.push(say(began + 100, Source::Broker, What::RoundStable { generation }));
        }
        facts
    }

    #[test]
    fn the_work_is_proportional_to_resources_and_rebalances() {
        for (resources, rebalances) in [(1_000, 10), (10_000, 10), (100, 1_000)] {
            let facts = everything_moves(resources, rebalances);
            let done = work::done_by(|| {
                let timeline = Timeline::of(&facts, "g");
                assert_eq!(timeline.rebalances.len(), rebalances);
                assert_eq!(timeline.rebalances.last().unwrap().moves.len(), resources);
            });
            assert!(done < 10 * resources * rebalances, "{done} steps for {resources} x {rebalances}");
        }
    }
}
