use super::uniform::Shares;
use crate::share::{Kind, NOBODY, Owners, Racks, each_rack};

/// Deals out what nobody has to members in a rack with a copy of it, as far as their shares go: what has fewest such
/// members first, each in the rack with the most room. What is left is for [`super::uniform`].
pub(super) fn deal(asked: &[Kind], racks: &Racks, (shares, owner): (&mut Shares, &mut Owners)) {
    let mut rooms = Rooms::new(shares.kept.len() as u32, racks);
    let mut free: Vec<u32> = asked.iter().flat_map(|k| k.range()).filter(|r| owner[*r as usize] == NOBODY).collect();
    free.sort_by_key(|resource| rooms.members_near(racks.of_resource(*resource)));
    for limit in [shares.least, shares.least + 1] {
        rooms.open(shares, limit);
        free.retain(|resource| {
            if limit > shares.least && shares.extra == 0 {
                return true;
            }
            let Some(member) = rooms.take(racks.of_resource(*resource)) else { return true };
            shares.extra -= usize::from(shares.kept[member as usize] == shares.least);
            shares.kept[member as usize] += 1;
            owner[*resource as usize] = member;
            false
        });
    }
}

/// The members of each rack that may get more.
struct Rooms {
    racks: Vec<Room>,
}

#[derive(Default)]
struct Room {
    members: Vec<u32>,
    /// Those with room, once for each resource they may get; the next one is the last.
    places: Vec<u32>,
}

impl Rooms {
    fn new(members: u32, racks: &Racks) -> Self {
        let mut rooms = Self { racks: (0..u64::BITS).map(|_| Room::default()).collect() };
        for member in 0..members {
            if let Some(room) = racks.rack_of_member(member).and_then(|rack| rooms.racks.get_mut(rack)) {
                room.members.push(member);
            }
        }
        rooms
    }

    fn members_near(&self, racks: u64) -> usize {
        each_rack(racks).map(|rack| self.racks[rack].members.len()).sum()
    }

    /// All members may get resources until they have so many; those who have least come first.
    fn open(&mut self, shares: &Shares, limit: u32) {
        for room in &mut self.racks {
            let places = |m: &u32| std::iter::zip(shares.kept[*m as usize]..limit, std::iter::repeat(*m));
            let mut places: Vec<(u32, u32)> = room.members.iter().flat_map(places).collect();
            places.sort_unstable_by(|a, b| b.cmp(a));
            room.places = places.into_iter().map(|(_, member)| member).collect();
        }
    }

    /// A place in one of these racks, the one with the most room.
    fn take(&mut self, racks: u64) -> Option<u32> {
        let widest = each_rack(racks).max_by_key(|rack| (self.racks[*rack].places.len(), std::cmp::Reverse(*rack)))?;
        self.racks[widest].places.pop()
    }
}
