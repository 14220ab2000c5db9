use std::collections::BTreeMap;

use crate::{Fact, Source, What};

/// Facts as they come, without commits that tell nothing more: of those between two facts of other kinds the last of
/// each partition stays. What a gap asks for is the last commit before something else happened.
#[derive(Debug, Default)]
pub struct Thinned {
    facts: Vec<Fact>,
    /// Where the commit of these partitions stands that the next one of them replaces.
    latest: BTreeMap<(Source, String, Vec<String>), usize>,
}

impl Thinned {
    /// Takes the next fact.
    pub fn push(&mut self, fact: Fact) {
        match &fact.what {
            What::Committed { offsets } => {
                let key = (fact.source, fact.group.clone(), offsets.keys().cloned().collect());
                let next = self.facts.len();
                let place = *self.latest.entry(key).or_insert(next);
                match self.facts.get_mut(place) {
                    Some(earlier) => *earlier = fact,
                    None => self.facts.push(fact),
                }
            }
            What::Ends { .. } => self.facts.push(fact),
            _ => {
                self.latest.clear();
                self.facts.push(fact);
            }
        }
    }

    /// The facts, nearly in the order in which they came.
    pub fn into_facts(self) -> Vec<Fact> {
        self.facts
    }
}

impl Extend<Fact> for Thinned {
    fn extend<T: IntoIterator<Item = Fact>>(&mut self, facts: T) {
        facts.into_iter().for_each(|fact| self.push(fact));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(time_ms: i64, resource: &str, offset: i64) -> Fact {
        let offsets = BTreeMap::from([(resource.to_owned(), offset)]);
        let what = What::Committed { offsets };
        Fact { time_ms, group: "g".into(), source: Source::Offsets, member: None, what }
    }

    #[test]
    fn a_day_of_commits_leaves_the_last_before_whatever_else_happened() {
        let mut thinned = Thinned::default();
        let round = Fact { what: What::Forgotten, ..commit(50_000, "t-0", 0) };
        for second in 0..100_000 {
            thinned.extend((0..12).map(|partition| commit(second, &format!("t-{partition}"), second)));
            thinned.extend(Some(round.clone()).filter(|_| second == 50_000));
        }
        let facts = thinned.into_facts();
        assert_eq!(facts.len(), 12 + 1 + 12);
        assert_eq!(
            (&facts[3], &facts[12], &facts[16]),
            (&commit(50_000, "t-3", 50_000), &round, &commit(99_999, "t-3", 99_999))
        );
    }
}
