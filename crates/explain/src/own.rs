use std::collections::{BTreeMap, BTreeSet};

use crate::{Basis, Fact, Known, Round, Source, Steps, What};

/// What members' own traces tell of rounds, for coordinators that tell nothing.
#[derive(Debug, Default)]
pub(crate) struct OwnWord {
    /// The first and the last join that a member has sent since it entered a generation.
    joining: BTreeMap<String, (i64, i64)>,
    /// In the order in which they were entered.
    generations: Vec<Entered>,
}

/// A generation that members say they have entered.
#[derive(Debug)]
struct Entered {
    generation: i32,
    leader: String,
    /// When the first of them began to join.
    began_ms: i64,
    /// When the first of them was in.
    entered_ms: i64,
    steps: BTreeMap<String, Steps>,
    /// Whether any of them was given anything in it.
    settled: bool,
}

/// Members enter a generation within this time of one another: a later group may use its number again.
const TOGETHER_MS: i64 = 60_000;
/// What a member's clock may be ahead of the one that dated the record.
const AHEAD_MS: i64 = 1_000;

impl OwnWord {
    pub(crate) fn take(&mut self, fact: &Fact) {
        let (Source::Member, Some(member), at) = (fact.source, &fact.member, fact.time_ms) else { return };
        match &fact.what {
            What::Joining { .. } => self.joining.entry(member.clone()).or_insert((at, at)).1 = at,
            What::Entered { generation, leader } => {
                let (first, last) = self.joining.remove(member).unwrap_or((at, at));
                let steps = Steps { joined_ms: Some(last), synced_ms: None };
                let entered = self.entered(*generation, at, leader);
                entered.began_ms = entered.began_ms.min(first);
                entered.steps.insert(member.clone(), steps);
            }
            What::Settled { generation } => {
                let mut known = self.generations.iter_mut().rev().filter(|known| known.generation == *generation);
                if let Some(known) = known.find(|known| known.steps.contains_key(member)) {
                    known.settled = true;
                    known.steps.entry(member.clone()).or_default().synced_ms = Some(at);
                }
            }
            _ => {}
        }
    }

    fn entered(&mut self, generation: i32, at: i64, leader: &str) -> &mut Entered {
        let is_it = |known: &Entered| known.generation == generation && at - known.entered_ms <= TOGETHER_MS;
        let index = self.generations.iter().rposition(is_it).unwrap_or(self.generations.len());
        if index == self.generations.len() {
            let (leader, steps) = (leader.to_owned(), BTreeMap::new());
            let entered = Entered { generation, leader, began_ms: at, entered_ms: at, steps, settled: false };
            self.generations.push(entered);
        }
        &mut self.generations[index]
    }

    /// Fills in what no coordinator told.
    pub(crate) fn complete(&self, rounds: &mut [Round]) {
        let told: BTreeSet<i32> = rounds.iter().filter_map(|round| round.generation).collect();
        for round in rounds.iter_mut().filter(|round| round.opened_ms.basis != Basis::Observed) {
            let (Some(generation), Some(stable)) = (round.generation, round.stable_ms.value) else { continue };
            let is_it = |known: &Entered| {
                known.generation == generation
                    && (known.entered_ms..=known.entered_ms + TOGETHER_MS).contains(&(stable + AHEAD_MS))
            };
            if let Some(index) = self.generations.iter().rposition(is_it) {
                self.complete_one(round, index, &told);
            }
        }
    }

    /// Generations before it that were given out to nobody were overtaken, and belong to it.
    fn complete_one(&self, round: &mut Round, index: usize, told: &BTreeSet<i32>) {
        let Some(known) = self.generations.get(index) else { return };
        let mut first = known;
        while let Some(before) = self.generations.iter().rev().find(|before| overtakes(first, before, told)) {
            first = before;
            round.overtaken = Some(before.leader.clone());
        }
        round.anew |= first.generation == 1;
        let began = first.began_ms.min(known.began_ms);
        let earlier = round.opened_ms.value.is_none_or(|opened| began < opened);
        if earlier {
            let note = "the first join that a member's own trace tells of; the coordinator may have begun earlier";
            round.opened_ms = Known::inferred(began, note);
        }
        round.closed_ms = Known::inferred(known.entered_ms, "when the first member's own trace had the generation");
        round.steps.clone_from(&known.steps);
    }
}

fn overtakes(next: &Entered, before: &Entered, told: &BTreeSet<i32>) -> bool {
    let follows = before.generation + 1 == next.generation && before.entered_ms <= next.entered_ms;
    follows && !before.settled && !told.contains(&before.generation)
}
