use bytes::BufMut;
use groma_model::{Span, TopicPartition};

use super::pack::{MARK, Packed, PackedWait, Unpack, WaitTime, put_count, put_partitions, put_span, put_waits};
use crate::embedded::{Bell, Trail};
use crate::policy::Abilities;

const RANG: u8 = 1;
const CATALOG: u8 = 2;

/// What a member can and carries, appended to the user data of its subscription; leaders of other makes ignore it.
pub(super) fn put_trail(out: &mut Vec<u8>, abilities: Abilities, trail: &Trail<TopicPartition>) {
    out.put_u32(MARK);
    out.put_u8(abilities.bits());
    let rang = if trail.bell == Bell::Rang { RANG } else { 0 };
    out.put_u8(rang | if trail.catalog.is_some() { CATALOG } else { 0 });
    out.put_u64(trail.catalog.unwrap_or_default());
    put_span(out, trail.pace);
    put_span(out, trail.formation);
    put_waits(out, &trail.waits, WaitTime::Told);
    put_partitions(out, &trail.released);
    put_count(out, trail.members);
}

/// A member's trail as it lies in the bytes: a leader reads thousands of them, most of which say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RawTrail<'a> {
    pub(super) abilities: Abilities,
    pub(super) catalog: Option<u64>,
    pub(super) pace: Option<Span>,
    pub(super) formation: Option<Span>,
    /// None also from a member of an earlier version.
    pub(super) members: Option<u32>,
    pub(super) waits: Vec<PackedWait<'a>>,
    pub(super) released: Packed<'a>,
}

impl<'a> RawTrail<'a> {
    /// Reads what a member can and carries; none from a member of another make.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut unpack = Unpack::behind_mark(bytes)?;
        let abilities = Abilities::from_bits(unpack.u8()?);
        let flags = unpack.u8()?;
        let catalog = Some(unpack.u64()?).filter(|_| flags & CATALOG != 0);
        let (pace, formation) = (unpack.span()?, unpack.span()?);
        let (waits, released) = (unpack.waits()?, unpack.packed()?);
        let members = unpack.i32().and_then(|members| u32::try_from(members).ok());
        Some(Self { abilities, catalog, pace, formation, members, waits, released })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use groma_model::{Generation, MemberId};

    use super::*;
    use crate::embedded::{Owner, Waiting};

    fn trail() -> Trail<TopicPartition> {
        let resources = vec![TopicPartition::new("T", 3)];
        let (owner, opened) = (Owner::Member(MemberId::from("d-1")), Generation(2));
        Trail {
            waits: vec![Waiting { owner, opened, left: Span::from_secs(5), resources }],
            pace: None,
            formation: Some(Span::from_millis(1)),
            members: Some(4),
            catalog: Some(0),
            released: BTreeSet::from([TopicPartition::new("T", 1), TopicPartition::new("U", 0)]),
            bell: Bell::Rang,
        }
    }

    #[test]
    fn a_trail_is_read_as_it_was_written() {
        let mut bytes = Vec::new();
        put_trail(&mut bytes, Abilities::DEFERRAL, &trail());
        let whole = bytes.len();
        bytes.extend([9; 9]);
        let read = RawTrail::read(&bytes).expect("a trail");
        assert_eq!((read.abilities, read.catalog, read.pace), (Abilities::DEFERRAL, Some(0), None));
        assert_eq!((read.formation, read.members), (Some(Span::from_millis(1)), Some(4)));
        assert_eq!(read.waits.iter().map(|w| w.unpack(Span::ZERO)).collect::<Vec<_>>(), trail().waits);
        assert_eq!(read.released.list(), trail().released.into_iter().collect::<Vec<_>>());
        let first_version = whole - 4;
        assert!((0..first_version).all(|end| RawTrail::read(&bytes[..end]).is_none()));
        let early = RawTrail::read(&bytes[..first_version]).expect("a trail of the first version");
        assert_eq!((early.members, early.released), (None, read.released));
    }

    #[test]
    fn what_is_left_stays_left() {
        let mut bytes = Vec::new();
        let nearly_over = Trail { pace: Some(Span(1)), ..trail() };
        put_trail(&mut bytes, Abilities::NONE, &nearly_over);
        assert_eq!(RawTrail::read(&bytes).and_then(|t| t.pace), Some(Span::from_millis(1)));
    }
}
