use super::NOBODY;

/// Where members run and where resources lie (KIP-881). Racks are numbered from 0; there may be 63 of them, others count
/// as racks without any copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Racks {
    /// For each member a bit for its rack.
    members: Vec<u64>,
    /// For each resource a bit for each rack with a copy of it.
    resources: Vec<u64>,
}

impl Racks {
    /// The rack of each member, in order, and those of each resource.
    pub fn new<R: IntoIterator<Item = u32>>(
        members: impl IntoIterator<Item = Option<u32>>,
        resources: impl IntoIterator<Item = R>,
    ) -> Self {
        let bit = |rack: u32| 1 << rack.min(ELSEWHERE);
        let bits = |racks: R| racks.into_iter().fold(0, |all, rack| all | bit(rack)) & !bit(ELSEWHERE);
        Self {
            members: members.into_iter().map(|rack| rack.map_or(0, bit)).collect(),
            resources: resources.into_iter().map(bits).collect(),
        }
    }

    /// Whether it makes a difference who gets what: a member is in a rack that has copies, and not every such rack has
    /// a copy of everything.
    pub fn matter(&self) -> bool {
        let places = self.resources.iter().fold(0, |all, racks| all | racks);
        self.members.iter().any(|rack| rack & places != 0) && self.resources.iter().any(|racks| *racks != places)
    }

    /// Whether a member runs where there is a copy of a resource.
    pub fn is_near(&self, member: u32, resource: u32) -> bool {
        member != NOBODY && self.of_member(member) & self.of_resource(resource) != 0
    }

    pub(crate) fn of_member(&self, member: u32) -> u64 {
        self.members.get(member as usize).copied().unwrap_or(0)
    }

    /// The rack of a member that says where it runs.
    pub(crate) fn rack_of_member(&self, member: u32) -> Option<usize> {
        let rack = self.of_member(member).trailing_zeros();
        (rack < u64::BITS).then_some(rack as usize)
    }

    pub(crate) fn of_resource(&self, resource: u32) -> u64 {
        self.resources.get(resource as usize).copied().unwrap_or(0)
    }
}

/// The racks among these, by their bits.
pub(crate) fn each_rack(mut racks: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let rack = racks.trailing_zeros();
        racks &= racks.checked_sub(1)?;
        Some(rack as usize)
    })
}

/// The rack of members where there are no copies of anything.
const ELSEWHERE: u32 = u64::BITS - 1;
