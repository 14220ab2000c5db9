use groma_model::Generation;
use groma_rebalance::share::{NOBODY, Racks, Situation, SituationBuilder};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;

/// Kinds by their counts, members by the kinds they ask for, holders by resource.
pub(crate) fn situation(kinds: &[u32], members: &[&[u32]], holder: &[u32]) -> Situation {
    let mut builder = SituationBuilder::new();
    for count in kinds {
        builder.kind(*count);
    }
    for asked in members {
        builder.member(asked.to_vec());
    }
    for (resource, member) in holder.iter().enumerate().filter(|(_, m)| **m != NOBODY) {
        builder.claim(*member, resource as u32, Some(Generation(1)));
    }
    builder.build()
}

pub(crate) fn loads(owner: &[u32], members: usize) -> Vec<usize> {
    (0..members as u32).map(|m| owner.iter().filter(|o| **o == m).count()).collect()
}

/// By how many shares differ at most.
pub(crate) fn spread(owner: &[u32], members: usize) -> usize {
    let shares = loads(owner, members);
    shares.iter().max().unwrap_or(&0) - shares.iter().min().unwrap_or(&0)
}

pub(crate) fn moved(holder: &[u32], owner: &[u32]) -> usize {
    holder.iter().zip(owner).filter(|(h, o)| **h != NOBODY && h != o).count()
}

/// How many resources are near a copy.
pub(crate) fn near(racks: &Racks, owner: &[u32]) -> usize {
    owner.iter().zip(0..).filter(|(member, resource)| racks.is_near(**member, *resource)).count()
}

/// Every way to give each of `places` one of `choices` values.
pub(crate) fn all_ways(places: usize, choices: u32) -> impl Iterator<Item = Vec<u32>> {
    let count = u64::from(choices).pow(places as u32);
    (0..count).map(move |mut n| {
        let digit = |_| {
            let digit = (n % u64::from(choices)) as u32;
            n /= u64::from(choices);
            digit
        };
        (0..places).map(digit).collect()
    })
}

pub(crate) fn holders(places: usize, members: usize) -> impl Iterator<Item = Vec<u32>> {
    let named = move |way: Vec<u32>| way.into_iter().map(|m| if m == members as u32 { NOBODY } else { m }).collect();
    all_ways(places, members as u32 + 1).map(named)
}

/// Members, kinds, who asks for what and who holds what, whether it asks for it or not; costs.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) kinds: Vec<u32>,
    pub(crate) asked: Vec<Vec<u32>>,
    pub(crate) holder: Vec<u32>,
    pub(crate) costs: Vec<u32>,
}

impl Group {
    pub(crate) fn situation(&self) -> Situation {
        let asked: Vec<&[u32]> = self.asked.iter().map(Vec::as_slice).collect();
        situation(&self.kinds, &asked, &self.holder).with_costs(self.costs.clone())
    }

    pub(crate) fn members(&self) -> usize {
        self.asked.len()
    }

    pub(crate) fn is_equal(&self) -> bool {
        self.asked.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Who asks for each resource.
    pub(crate) fn askers(&self) -> Vec<Vec<u32>> {
        let ask = |kind: u32| (0..self.members() as u32).filter(|m| self.asked[*m as usize].contains(&kind)).collect();
        let each = |(kind, count): (u32, &u32)| std::iter::repeat_n(ask(kind), *count as usize);
        (0..).zip(&self.kinds).flat_map(each).collect()
    }

    /// Groups of up to seven members and 36 resources of four kinds.
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        Self::up_to(7, vec(0_u32..9, 1..5))
    }

    /// Groups of so many members at most, with any of these kinds.
    pub(crate) fn up_to(members: usize, kinds: impl Strategy<Value = Vec<u32>>) -> impl Strategy<Value = Self> {
        let equal = (kinds, 1..=members, any::<bool>());
        equal.prop_flat_map(|(kinds, members, is_equal)| {
            let resources = kinds.iter().sum::<u32>() as usize;
            let subscription = subsequence((0..kinds.len() as u32).collect::<Vec<u32>>(), 0..=kinds.len());
            let sets = if is_equal { 1 } else { members };
            let holder = prop_oneof![3 => 0..members as u32, 1 => Just(NOBODY)];
            (Just(kinds), vec(subscription, sets), vec(holder, resources), vec(1_u32..9, resources)).prop_map(
                move |(kinds, sets, holder, costs)| {
                    let asked = sets.into_iter().cycle().take(members).collect();
                    Self { kinds, asked, holder, costs }
                },
            )
        })
    }
}
