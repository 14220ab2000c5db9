use std::collections::{BTreeMap, VecDeque};

use crate::share::{Askers, NOBODY, Owners, Racks, Situation, each_rack};

/// Lets members exchange what is not where it was before, so that as much of it as can be is near a copy (KIP-881): only
/// among kinds that the same members ask for, and only what weighs the same, so that loads stay and nothing moves that
/// did not move anyway. Linear in resources, times racks at most.
pub(super) fn exchange(
    situation: &Situation,
    (askers, racks): (&Askers, &Racks),
    weight: impl Fn(u32) -> u64,
    owner: &mut Owners,
) {
    let home = situation.rightful_holder();
    for (_, kinds) in askers.lists() {
        let mut loose: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let resources = kinds.iter().filter_map(|kind| situation.kinds().get(*kind as usize)).flat_map(|k| k.range());
        for resource in resources {
            let (had, has) = (home[resource as usize], owner[resource as usize]);
            if has != NOBODY && (had == NOBODY || had != has) {
                loose.entry(weight(resource)).or_default().push(resource);
            }
        }
        loose.values().for_each(|loose| Exchange::new(racks, loose, owner).settle(owner));
    }
}

/// Resources, and the members that have them; each rack has as many seats as its members have of these.
struct Exchange<'a> {
    racks: &'a Racks,
    loose: &'a [u32],
    /// For each resource the rack in whose seat it is.
    seat: Vec<Option<usize>>,
    /// For each rack how many seats nobody has.
    room: [usize; RACKS],
    /// For two racks those in a seat of the first, now or once, that could be in the second.
    links: BTreeMap<(usize, usize), Vec<usize>>,
    /// Racks from which no free seat can be reached; it stays so.
    full: u64,
}

const RACKS: usize = u64::BITS as usize;

impl<'a> Exchange<'a> {
    fn new(racks: &'a Racks, loose: &'a [u32], owner: &Owners) -> Self {
        let mut exchange =
            Self { racks, loose, seat: vec![None; loose.len()], room: [0; RACKS], links: BTreeMap::new(), full: 0 };
        let rack = |resource: &u32| racks.rack_of_member(owner[*resource as usize]);
        loose.iter().filter_map(rack).for_each(|rack| exchange.room[rack] += 1);
        for (place, resource) in loose.iter().enumerate() {
            if let Some(rack) = rack(resource).filter(|rack| racks.of_resource(*resource) >> rack & 1 == 1) {
                exchange.sit(place, rack);
                exchange.room[rack] -= 1;
            }
        }
        exchange
    }

    /// Finds seats for as many as possible, and gives each resource to a member in the rack of its seat.
    fn settle(mut self, owner: &mut Owners) {
        for place in 0..self.loose.len() {
            if self.seat[place].is_none() {
                self.find_seat(place);
            }
        }
        let sits_with = |place: usize, member: u32| {
            self.seat[place].is_some() && self.seat[place] == self.racks.rack_of_member(member)
        };
        let mut members: BTreeMap<Option<usize>, VecDeque<u32>> = BTreeMap::new();
        let (mut seated, mut standing) = (Vec::new(), Vec::new());
        for (place, resource) in self.loose.iter().enumerate() {
            let has = owner[*resource as usize];
            if sits_with(place, has) {
                continue;
            }
            members.entry(self.racks.rack_of_member(has)).or_default().push_back(has);
            match self.seat[place] {
                Some(rack) => seated.push((*resource, rack)),
                None => standing.push(*resource),
            }
        }
        for (resource, rack) in seated {
            if let Some(member) = members.get_mut(&Some(rack)).and_then(VecDeque::pop_front) {
                owner[resource as usize] = member;
            }
        }
        for (resource, member) in standing.into_iter().zip(members.into_values().flatten()) {
            owner[resource as usize] = member;
        }
    }

    /// The shortest way by which others, each in a rack near it, make room.
    fn find_seat(&mut self, place: usize) {
        let mut came: BTreeMap<usize, (usize, Option<usize>)> = BTreeMap::new();
        let near = self.racks.of_resource(self.loose[place]) & !self.full;
        came.extend(each_rack(near).map(|rack| (rack, (place, None))));
        let mut queue: VecDeque<usize> = each_rack(near).collect();
        while let Some(rack) = queue.pop_front() {
            if self.room[rack] > 0 {
                self.room[rack] -= 1;
                return self.move_up(rack, &came);
            }
            for next in each_rack(!self.full) {
                if let Some(who) = self.link(rack, next).filter(|_| !came.contains_key(&next)) {
                    came.insert(next, (who, Some(rack)));
                    queue.push_back(next);
                }
            }
        }
        came.keys().for_each(|rack| self.full |= 1 << rack);
    }

    fn move_up(&mut self, last: usize, came: &BTreeMap<usize, (usize, Option<usize>)>) {
        let mut rack = Some(last);
        while let Some((to, (who, from))) = rack.and_then(|rack| Some((rack, *came.get(&rack)?))) {
            self.sit(who, to);
            rack = from;
        }
    }

    fn sit(&mut self, place: usize, rack: usize) {
        self.seat[place] = Some(rack);
        for other in each_rack(self.racks.of_resource(self.loose[place])).filter(|other| *other != rack) {
            self.links.entry((rack, other)).or_default().push(place);
        }
    }

    /// One in a seat of a rack that could be in another one.
    fn link(&mut self, rack: usize, other: usize) -> Option<usize> {
        let links = self.links.get_mut(&(rack, other))?;
        while links.last().is_some_and(|place| self.seat[*place] != Some(rack)) {
            links.pop();
        }
        links.last().copied()
    }
}
