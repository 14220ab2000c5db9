use super::headers::Headers;
use super::holdings::{Chains, Holdings, NONE, Stripes};
use super::press::{Page, Parcels, Press};
use crate::share::{Kind, Plan, Situation};

/// What each member has after a round: its list of partitions as bytes.
pub(super) struct Deal<'a> {
    kinds: &'a [Kind],
    owner: &'a [u32],
    headers: Headers,
    /// The lists of those who have what they claimed, as they wrote them.
    kept: Vec<Option<&'a [u8]>>,
}

impl<'a> Deal<'a> {
    /// Of these topics; with what each member claims, if it is in order.
    pub(super) fn new(
        (situation, plan): (&'a Situation, &'a Plan),
        topics: &[(&str, u32)],
        claimed: Vec<Option<&'a [u8]>>,
    ) -> Self {
        let kept = kept(situation, plan, claimed);
        let owner = plan.owner.get(..situation.resources()).unwrap_or(&plan.owner);
        Self { kinds: situation.kinds(), owner, headers: Headers::new(topics), kept }
    }

    /// For each member its list of topics and partitions, in order, between a front and a back. Linear in members and
    /// partitions.
    pub(super) fn parcels(&self, front: &[u8], back: &[u8]) -> Parcels {
        match Stripes::of(self.owner, self.kept.len()) {
            Some(stripes) => self.print(&stripes, (front, back)),
            None => self.print(&Chains::of(self.owner, self.kept.len()), (front, back)),
        }
    }

    fn print<H: Holdings>(&self, holdings: &H, around: (&[u8], &[u8])) -> Parcels {
        let mut press = Press::new(around, (self.kept.len(), self.length_max()));
        let (mut page, places) = (Page::default(), Places::new(self.kinds));
        let mut alike = 0;
        for (member, kept) in (0..).zip(&self.kept) {
            match kept {
                Some(list) => {
                    alike = 0;
                    press.print(list);
                    continue;
                }
                None if H::IN_STEP && alike > 0 => {
                    alike -= 1;
                    page.raise();
                }
                None => alike = self.write(holdings.first(member), (holdings, &places), &mut page),
            }
            press.print(page.list());
        }
        press.parcels()
    }

    /// Writes the list that begins with this resource. Yields for how many members after this one the same topics with
    /// as many partitions follow, if their resources are in step.
    fn write(&self, first: u32, (holdings, places): (&impl Holdings, &Places<'_>), page: &mut Page) -> u32 {
        page.clear();
        let (mut next, mut kind, mut alike) = (first, NONE, u32::MAX);
        while next != NONE {
            kind = places.kind_of(next, kind.wrapping_add(1));
            let range = self.kinds[kind as usize].range();
            let numbers_at = page.open(self.headers.of(kind));
            let mut last = next;
            while next < range.end {
                page.put(next - range.start);
                (last, next) = (next, holdings.after(next));
            }
            page.close(numbers_at);
            alike = alike.min(range.end - 1 - last);
        }
        alike
    }

    /// All lists together have no more bytes than this.
    fn length_max(&self) -> usize {
        let kept: usize = self.kept.iter().flatten().map(|list| list.len()).sum();
        let header =
            |(number, kind): (u32, &Kind)| (kind.count as usize).min(self.kept.len()) * self.headers.of(number).len();
        let headers: usize = (0..).zip(self.kinds).map(header).sum();
        kept + headers + 4 * (self.kept.len() + self.owner.len())
    }
}

/// The lists of those who neither gain nor lose anything by a plan.
fn kept<'a>(situation: &Situation, plan: &Plan, mut claimed: Vec<Option<&'a [u8]>>) -> Vec<Option<&'a [u8]>> {
    if claimed.iter().all(Option::is_none) {
        return claimed;
    }
    let mut change = |member: u32| claimed.get_mut(member as usize).and_then(Option::take);
    for (holder, owner) in situation.holder().iter().zip(&plan.owner).filter(|(holder, owner)| holder != owner) {
        change(*holder);
        change(*owner);
    }
    situation.lost_claims().iter().for_each(|(_, claimant, _)| _ = change(*claimant));
    claimed
}

/// Finds the kind of a resource.
struct Places<'a> {
    kinds: &'a [Kind],
    /// A resource's number shifted by this is the number of its shelf.
    shift: u32,
    /// For each shelf the kind of its first resource; and one more.
    shelves: Vec<u32>,
}

impl<'a> Places<'a> {
    fn new(kinds: &'a [Kind]) -> Self {
        let resources = kinds.last().map_or(0, |kind| kind.range().end);
        let shift = (resources / (SHELVES_PER_KIND * kinds.len() as u32 + 1)).checked_ilog2().unwrap_or(0);
        let mut kind = 0;
        let shelf = |first: u32| {
            while kinds.get(kind).is_some_and(|kind| kind.range().end <= first) {
                kind += 1;
            }
            kind as u32
        };
        let shelves = (0..=(resources >> shift) + 1).map(|number| number << shift).map(shelf).collect();
        Self { kinds, shift, shelves }
    }

    /// `guess` is tried first.
    #[inline]
    fn kind_of(&self, resource: u32, guess: u32) -> u32 {
        match self.kinds.get(guess as usize) {
            Some(kind) if kind.range().contains(&resource) => guess,
            _ => self.search(resource),
        }
    }

    #[inline]
    fn search(&self, resource: u32) -> u32 {
        let shelf = (resource >> self.shift) as usize;
        let (first, last) = (self.shelves[shelf], self.shelves[shelf + 1]);
        let kinds = &self.kinds[first as usize..last as usize];
        first + kinds.partition_point(|kind| kind.range().end <= resource) as u32
    }
}

const SHELVES_PER_KIND: u32 = 2;

#[cfg(test)]
mod tests {
    use groma_model::TopicPartition;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::Partitions;
    use super::*;
    use crate::share::{NOBODY, SituationBuilder};

    /// Topics with names of many lengths and these counts of partitions, so many members, and for each resource a number
    /// that says who holds it and who is to own it.
    fn group(counts: &[u32], members: u32, holders: &[u32]) -> (Vec<(String, u32)>, Situation) {
        let mut builder = SituationBuilder::new();
        let name = |number: usize| format!("{}{number:03}", "t".repeat(number * 7 % 40));
        let mut topics: Vec<(String, u32)> = counts.iter().enumerate().map(|(n, count)| (name(n), *count)).collect();
        topics.sort_unstable();
        let kinds: Vec<u32> = topics.iter().map(|(_, count)| builder.kind(*count)).collect();
        (0..members).for_each(|_| _ = builder.member(kinds.clone()));
        for (resource, holder) in (0..).zip(holders).filter(|(_, holder)| **holder < members) {
            builder.claim(*holder, resource, None);
        }
        (topics, builder.build())
    }

    /// Each member's list, partition by partition.
    fn plain(topics: &[(String, u32)], owner: &[u32], member: u32) -> Vec<u8> {
        let names =
            topics.iter().flat_map(|(topic, count)| (0..*count as i32).map(move |n| TopicPartition::new(topic, n)));
        let owned: Vec<TopicPartition> =
            names.zip(owner).filter(|(_, o)| **o == member).map(|(name, _)| name).collect();
        let list: Partitions = owned.iter().collect();
        if list.is_empty() { vec![0; 4] } else { list.section().to_vec() }
    }

    fn assert_plain(topics: &[(String, u32)], situation: &Situation, owner: Vec<u32>) {
        let plan = Plan::new(owner.clone(), owner);
        let members = 0..situation.members() as u32;
        let lists: Vec<Vec<u8>> = members.clone().map(|m| plain(topics, situation.holder(), m)).collect();
        let claimed = lists.iter().map(|list| (list.len() > 4).then_some(list.as_slice())).collect();
        let names: Vec<(&str, u32)> = topics.iter().map(|(topic, count)| (topic.as_str(), *count)).collect();
        let parcels = Deal::new((situation, &plan), &names, claimed).parcels(&[7, 8], &[9]);
        for member in members {
            let expected = [&[7, 8], plain(topics, &plan.owner, member).as_slice(), &[9]].concat();
            assert_eq!(parcels.of(member), expected, "member {member} of {:?}", plan.owner);
        }
    }

    proptest! {
        #[test]
        fn lists_are_those_that_are_written_partition_by_partition(
            counts in vec(0_u32..9, 0..9),
            members in 1_u32..7,
            draws in vec((0_u32..9, 0_u32..9, 0_u32..3), 64),
        ) {
            let resources = counts.iter().sum::<u32>() as usize;
            let draws = &draws[..resources.min(draws.len())];
            let (topics, situation) = group(&counts, members, &draws.iter().map(|(holder, ..)| *holder).collect::<Vec<_>>());
            let stays = |((holder, other, dice), held): (&(u32, u32, u32), &u32)| match dice {
                0 if other < &members => *other,
                0 => NOBODY,
                _ if holder < &members => *held,
                _ => *other % members,
            };
            assert_plain(&topics, &situation, draws.iter().zip(situation.holder()).map(stays).collect());
        }

        #[test]
        fn what_is_dealt_in_turn_is_written_as_anything_else(counts in vec(0_u32..40, 0..9), members in 1_u32..50) {
            let (topics, situation) = group(&counts, members, &[]);
            assert_plain(&topics, &situation, (0..situation.resources() as u32).map(|r| r % members).collect());
        }
    }

    #[test]
    fn lists_that_fill_more_than_a_sheet_are_whole() {
        let (topics, situation) = group(&[60_000, 200_000, 3], 7, &[]);
        assert_plain(&topics, &situation, (0..260_003).map(|r| r % 7).collect());
        assert_plain(&topics, &situation, (0..260_003).map(|r| r / 40_000).collect());
    }
}
