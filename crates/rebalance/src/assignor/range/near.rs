use std::collections::BTreeMap;

use crate::share::{Askers, Kind, NOBODY, Owners, Racks, Situation, each_rack};

/// What is near first, then runs; none where racks make no difference to any kind. Linear in members, resources and
/// racks.
pub(super) fn assign(situation: &Situation, askers: &Askers, racks: &Racks) -> Option<Owners> {
    let lists = askers.lists();
    let mut alike: BTreeMap<(usize, u32), Vec<Kind>> = BTreeMap::new();
    for (place, (_, kinds)) in lists.iter().enumerate().filter(|(_, (members, _))| !members.is_empty()) {
        for kind in kinds.iter().filter_map(|kind| situation.kinds().get(*kind as usize)) {
            alike.entry((place, kind.count)).or_default().push(*kind);
        }
    }
    let table = |place: usize, count: u32| Table::new(lists[place].0, count, racks);
    let mut differ = alike.iter().flat_map(|((place, count), kinds)| {
        let table = table(*place, *count);
        kinds.iter().map(move |kind| table.is_concerned(*kind))
    });
    if !differ.any(|differs| differs) {
        return None;
    }
    let mut owner = vec![NOBODY; situation.resources()];
    for ((place, count), kinds) in alike {
        let mut table = table(place, count);
        match kinds.as_slice() {
            [kind] if table.is_concerned(*kind) => table.deal(*kind, &mut owner),
            [_] => {}
            several => table.deal_alike(several, &mut owner),
        }
        kinds.iter().for_each(|kind| table.clone().deal_rest(*kind, &mut owner));
    }
    Some(owner)
}

/// The members that ask for some kinds of one size, and how much of each of them they have.
#[derive(Clone)]
struct Table<'a> {
    members: &'a [u32],
    racks: &'a Racks,
    has: Vec<u32>,
    share: u32,
    /// How many more members get one more than their share.
    extra: u32,
}

impl<'a> Table<'a> {
    fn new(members: &'a [u32], count: u32, racks: &'a Racks) -> Self {
        let diners = members.len() as u32;
        Self { members, racks, has: vec![0; members.len()], share: count / diners, extra: count % diners }
    }

    /// Whether one of the members is where there are copies, and these are not everywhere the same.
    fn is_concerned(&self, kind: Kind) -> bool {
        let copies = || kind.range().map(|resource| self.racks.of_resource(resource));
        let places = copies().fold(0, |all, racks| all | racks);
        self.members.iter().any(|member| self.racks.of_member(*member) & places != 0)
            && copies().any(|racks| racks != places)
    }

    /// How many more the one at a place may get.
    fn room(&self, place: usize) -> u32 {
        (self.share + u32::from(self.extra > 0)).saturating_sub(self.has[place])
    }

    fn give(&mut self, place: usize, count: u32) -> u32 {
        self.has[place] += count;
        self.extra -= u32::from(count > 0 && self.has[place] > self.share);
        self.members[place]
    }

    /// Each in turn gets as much of what is near as it may.
    fn deal(&mut self, kind: Kind, owner: &mut Owners) {
        let mut stocks = Stocks::default();
        for resource in kind.range() {
            each_rack(self.racks.of_resource(resource)).for_each(|rack| stocks.of_rack(rack).push(resource));
            stocks.of_rack(ANYWHERE).push(resource);
        }
        for place in 0..self.members.len() {
            let rack = self.place_of(place);
            let room = self.room(place);
            let taken = (0..room).take_while(|_| {
                let free = stocks.first(rack, |resource| owner[resource as usize] == NOBODY);
                free.map(|resource| owner[resource as usize] = self.members[place]).is_some()
            });
            let taken = taken.count() as u32;
            self.give(place, taken);
        }
    }

    /// Resources with the same number go to the first that is near them all and may get more.
    fn deal_alike(&mut self, kinds: &[Kind], owner: &mut Owners) {
        let mut queues = Stocks::default();
        (0..self.members.len()).for_each(|place| queues.of_rack(self.place_of(place)).push(place as u32));
        for index in 0..kinds.first().map_or(0, |kind| kind.count) {
            let racks = kinds.iter().fold(u64::MAX, |all, kind| all & self.racks.of_resource(kind.first + index));
            let first = |rack| queues.first(rack, |place| self.room(place as usize) > 0);
            let near = each_rack(racks).chain([ANYWHERE]).filter_map(first).min();
            if let Some(place) = near {
                let member = self.give(place as usize, 1);
                kinds.iter().for_each(|kind| owner[(kind.first + index) as usize] = member);
            }
        }
    }

    /// Each in turn gets as much of what nobody has as it may.
    fn deal_rest(mut self, kind: Kind, owner: &mut Owners) {
        let mut free = owner[kind.first as usize..kind.range().end as usize].iter_mut().filter(|o| **o == NOBODY);
        for place in 0..self.members.len() {
            let taken = free.by_ref().take(self.room(place) as usize).map(|owner| *owner = self.members[place]).count();
            self.give(place, taken as u32);
        }
    }

    fn place_of(&self, place: usize) -> usize {
        match self.racks.of_member(self.members[place]) {
            0 => ANYWHERE,
            rack => rack.trailing_zeros() as usize,
        }
    }
}

/// The rack of those who do not say where they run.
const ANYWHERE: usize = u64::BITS as usize;

/// Numbers by rack, each in order; what is passed over is never looked at again.
#[derive(Default)]
struct Stocks {
    racks: BTreeMap<usize, (usize, Vec<u32>)>,
}

impl Stocks {
    fn of_rack(&mut self, rack: usize) -> &mut Vec<u32> {
        &mut self.racks.entry(rack).or_default().1
    }

    fn first(&mut self, rack: usize, is_free: impl Fn(u32) -> bool) -> Option<u32> {
        let (next, numbers) = self.racks.get_mut(&rack)?;
        *next += numbers[*next..].iter().take_while(|number| !is_free(**number)).count();
        numbers.get(*next).copied()
    }
}
