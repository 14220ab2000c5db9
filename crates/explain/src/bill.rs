use std::collections::BTreeMap;

use serde::Serialize;

use crate::evidence::{Act, Evidence, weaker};
use crate::gap::{Gap, Mode};
use crate::rebalance::{Draft, End};
use crate::{Basis, Known, Round};

/// What a rebalance cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bill {
    /// Time in which resources did not run, summed over resources, in milliseconds.
    pub stopped_ms: Known<u64>,
    /// Records that arrived while nobody processed their partition.
    pub delayed_records: Known<u64>,
    /// Records that the old owner had processed and the new one processed again.
    pub repeated_records: Known<u64>,
    /// At most so many records can have been processed again: what had arrived and was not committed.
    pub repeated_records_at_most: Known<u64>,
}

/// Adds up what is known, and remembers what is not.
struct Sum {
    total: u64,
    basis: Basis,
    note: Option<String>,
    known: usize,
    missing: usize,
    why: Option<String>,
}

impl Bill {
    pub(crate) fn of(draft: &Draft, gaps: &[Gap], evidence: &Evidence) -> Self {
        if draft.before.owners.is_none() {
            let unknown = || Known::unknown("who owned what before is not known");
            return Self {
                stopped_ms: unknown(),
                delayed_records: unknown(),
                repeated_records: unknown(),
                repeated_records_at_most: unknown(),
            };
        }
        let none = nothing_stopped(draft);
        let sum = |cost: &dyn Fn(&Gap) -> Known<u64>| {
            let (open, over) = (gaps.iter().filter(|gap| gap.to.is_none()), gaps.iter().filter(|gap| gap.to.is_some()));
            if gaps.is_empty() { none.clone() } else { Sum::of(open.chain(over).map(cost)) }
        };
        Self {
            stopped_ms: sum(&|gap| length(draft, gap)),
            delayed_records: sum(&|gap| delayed(draft, gap, evidence)),
            repeated_records: sum(&|gap| repeated(draft, gap, evidence)),
            repeated_records_at_most: sum(&|gap| at_most(gap, evidence)),
        }
    }
}

impl Sum {
    fn of(parts: impl Iterator<Item = Known<u64>>) -> Known<u64> {
        let mut sum = Self { total: 0, basis: Basis::Observed, note: None, known: 0, missing: 0, why: None };
        for part in parts {
            sum.add(part);
        }
        sum.result()
    }

    fn add(&mut self, part: Known<u64>) {
        match part.value {
            Some(value) => {
                self.total = self.total.saturating_add(value);
                self.known += 1;
                self.basis = weaker(self.basis, part.basis);
                self.note = self.note.take().or(part.note);
            }
            None => {
                self.missing += 1;
                self.why = self.why.take().or(part.note);
            }
        }
    }

    fn result(self) -> Known<u64> {
        let why = self.why.unwrap_or_default();
        match (self.known, self.missing) {
            (0, _) => Known::unknown(why),
            (_, 0) => Known { value: Some(self.total), basis: self.basis, note: self.note },
            (_, missing) => Known::inferred(self.total, format!("at least: {missing} more cannot be told ({why})")),
        }
    }
}

/// Without a gap nothing was lost, as far as members keep what they hold.
fn nothing_stopped(draft: &Draft) -> Known<u64> {
    if draft.before.owners.as_ref().is_none_or(BTreeMap::is_empty) {
        return Known::inferred(0, "nothing ran before");
    }
    match draft.rounds.iter().map(Round::mode).any(|mode| mode == Mode::Unknown) {
        true => Known::unknown("whether members keep what they hold through a round is not known of this protocol"),
        false => Known::inferred(0, "nothing changed hands, and what stays runs on"),
    }
}

/// What happened up to the last fact, where nothing has run again.
fn so_far(draft: &Draft, gap: &Gap) -> Option<i64> {
    let lasts = gap.to.is_none() && draft.end != End::Stuck;
    lasts.then(|| draft.until_ms.min(draft.seen_ms))
}

const SO_FAR: &str = "at least, so far: it has not run again yet";

fn length(draft: &Draft, gap: &Gap) -> Known<u64> {
    if let (Some(from), Some(now)) = (gap.from_ms.value, so_far(draft, gap)) {
        return Known::inferred(u64::try_from(now.saturating_sub(from)).unwrap_or(0), SO_FAR);
    }
    let note =
        [&gap.from_ms, &gap.to_ms].into_iter().filter(|end| end.value.is_none()).find_map(|end| end.note.clone());
    let Some(length) = gap.length_ms() else { return Known::unknown(note.unwrap_or_default()) };
    let basis = weaker(gap.from_ms.basis, gap.to_ms.basis);
    Known { value: Some(length), basis, note: gap.from_ms.note.clone().or_else(|| gap.to_ms.note.clone()) }
}

fn delayed(draft: &Draft, gap: &Gap, evidence: &Evidence) -> Known<u64> {
    let now = so_far(draft, gap);
    let (Some(from), Some(to)) = (gap.from_ms.value, gap.to_ms.value.or(now)) else {
        return Known::unknown("how long it did not run is not known");
    };
    let ends = weaker(gap.from_ms.basis, if now.is_some() { Basis::Inferred } else { gap.to_ms.basis });
    let how = || gap.from_ms.note.clone().or_else(|| gap.to_ms.note.clone());
    if to <= from {
        return Known { value: Some(0), basis: ends, note: how() };
    }
    let (start, end) = (evidence.end(&gap.resource, from), evidence.end(&gap.resource, to));
    let (Some(first), Some(last)) = (start.value, end.value) else {
        return Known::unknown("where partitions ended then was not seen");
    };
    let note = now.map(|_| SO_FAR.to_owned()).or(start.note).or(end.note).or_else(how);
    Known {
        value: u64::try_from(last.saturating_sub(first)).ok(),
        basis: weaker(weaker(start.basis, end.basis), ends),
        note,
    }
}

fn repeated(draft: &Draft, gap: &Gap, evidence: &Evidence) -> Known<u64> {
    let (Some(from), Some(to)) = (&gap.from, &gap.to) else {
        return Known::unknown("what does not run yet has processed nothing again");
    };
    let since = gap.from_ms.value.unwrap_or(i64::MIN);
    let resumed =
        evidence.when((to, &gap.resource), (since, draft.until_ms), |act| matches!(act, Act::Running(Some(_))));
    let Some((_, Act::Running(Some(resumed)))) = resumed else {
        return Known::unknown("where members go on only their own traces tell");
    };
    let Some(reached) = evidence.reached(from, &gap.resource, gap.to_ms.value.unwrap_or(i64::MAX)) else {
        return Known::unknown("how far members had come only their own traces tell");
    };
    let repeated = u64::try_from(reached.saturating_sub(resumed)).unwrap_or(0);
    let window = (draft.window().0, gap.to_ms.value.unwrap_or(i64::MAX));
    match evidence.when((from, &gap.resource), window, |act| act == Act::Stopped) {
        Some(_) => Known::observed(repeated),
        None => Known::inferred(repeated, "at least: from the last position that its trace tells"),
    }
}

fn at_most(gap: &Gap, evidence: &Evidence) -> Known<u64> {
    let Some(stopped) = gap.from_ms.value else { return Known::unknown("when it stopped is not known") };
    let end = evidence.end(&gap.resource, stopped);
    let Some(arrived) = end.value else { return Known::unknown("where partitions ended then was not seen") };
    let Some(committed) = evidence.committed(&gap.resource, gap.to_ms.value.unwrap_or(stopped)) else {
        return Known::unknown("no commit was seen");
    };
    let open = u64::try_from(arrived.saturating_sub(committed)).unwrap_or(0);
    Known::inferred(open, "all that had arrived and was not committed")
}
