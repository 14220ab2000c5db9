use std::collections::BTreeMap;

use super::Situation;

/// Who asks for each kind. Kinds that the same members ask for share a list, so that the cost is linear in members and
/// kinds where subscriptions are few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Askers {
    /// The distinct lists of members, each in order.
    lists: Vec<Vec<u32>>,
    /// For each kind the number of its list.
    list: Vec<u32>,
}

impl Askers {
    pub(super) fn new(situation: &Situation) -> Self {
        let mut sets = vec![Vec::new(); situation.kinds().len()];
        for (subscription, number) in situation.subscriptions().iter().zip(0_u32..) {
            for kind in subscription {
                if let Some(set) = sets.get_mut(*kind as usize) {
                    set.push(number);
                }
            }
        }
        let mut members = vec![Vec::new(); situation.subscriptions().len()];
        for (subscription, member) in situation.subscribed().iter().zip(0_u32..) {
            members[*subscription as usize].push(member);
        }
        let (mut askers, mut known) = (Self::default(), BTreeMap::new());
        for set in sets {
            let next = askers.lists.len() as u32;
            let list = *known.entry(set).or_insert_with_key(|set| {
                askers.lists.push(union(set, &members));
                next
            });
            askers.list.push(list);
        }
        askers
    }

    /// The distinct lists, each with the kinds that are asked for by exactly these members, in order.
    pub fn lists(&self) -> Vec<(&[u32], Vec<u32>)> {
        let mut lists: Vec<(&[u32], Vec<u32>)> = self.lists.iter().map(|list| (list.as_slice(), Vec::new())).collect();
        for (list, kind) in self.list.iter().zip(0..) {
            lists[*list as usize].1.push(kind);
        }
        lists
    }

    /// Those of each kind, in order of the kinds.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.list.iter().map(|list| self.lists[*list as usize].as_slice())
    }
}

fn union(set: &[u32], members: &[Vec<u32>]) -> Vec<u32> {
    match set {
        [] => Vec::new(),
        [one] => members[*one as usize].clone(),
        several => {
            let mut all: Vec<u32> = several.iter().flat_map(|set| members[*set as usize].iter().copied()).collect();
            all.sort_unstable();
            all
        }
    }
}
