use std::ops::Range;

use bytes::{Bytes, BytesMut};

use crate::share::{Plan, Situation};

/// What each member has after a round: its list of partitions as bytes.
pub(super) struct Deal<'a> {
    situation: &'a Situation,
    owner: &'a [u32],
    headers: Headers,
    sizes: Vec<Size>,
    /// The lists of those who have what they claimed, as they wrote them.
    kept: Vec<Option<&'a [u8]>>,
}

/// How long a member's list is.
#[derive(Clone, Copy)]
struct Size {
    bytes: usize,
    topics: u32,
    /// The kind that was counted last.
    last: u32,
}

impl<'a> Deal<'a> {
    /// Of these topics; with what each member claims, if it is in order.
    pub(super) fn new(
        (situation, plan): (&'a Situation, &'a Plan),
        topics: &[(&str, u32)],
        claimed: Vec<Option<&'a [u8]>>,
    ) -> Self {
        let headers = Headers::new(topics);
        let kept = kept(situation, plan, claimed);
        let size = |list: &Option<&[u8]>| match list {
            Some(list) => Size { bytes: list.len() - 4, topics: 0, last: KEPT },
            None => Size { bytes: 0, topics: 0, last: NONE },
        };
        let mut sizes: Vec<Size> = kept.iter().map(size).collect();
        for (kind, number) in situation.kinds().iter().zip(0..) {
            let header = headers.of(number).len();
            let owners = plan.owner.get(kind.first as usize..kind.range().end as usize).unwrap_or_default();
            for (owner, count) in runs(owners) {
                let Some(size) = sizes.get_mut(owner as usize).filter(|size| size.last != KEPT) else { continue };
                size.bytes += 4 * count;
                if size.last != number {
                    *size = Size { bytes: size.bytes + header, topics: size.topics + 1, last: number };
                }
            }
        }
        Self { situation, owner: &plan.owner, headers, sizes, kept }
    }

    /// For each member its list of topics and partitions, in order, between a front and a back; all are parts of one
    /// buffer.
    pub(super) fn parcels(&self, front: &[u8], back: &[u8]) -> Parcels {
        let around = front.len() + 4 + back.len();
        let length: usize = self.sizes.iter().map(|size| size.bytes + around).sum();
        let mut all = BytesMut::zeroed(length);
        let mut press = Press { out: &mut all };
        let mut ends = Vec::with_capacity(self.sizes.len());
        let mut pens = Vec::with_capacity(self.sizes.len());
        let mut at = 0;
        for (size, kept) in self.sizes.iter().zip(&self.kept) {
            let start = press.put(at, front);
            let written = match kept {
                Some(list) => press.put(start, list),
                None => press.put(start, &size.topics.to_be_bytes()),
            };
            pens.push(Pen { at: written, count_at: 0, kind: if kept.is_some() { KEPT } else { NONE } });
            at = press.put(start + 4 + size.bytes, back);
            ends.push(at);
        }
        self.print(&mut pens, &mut press);
        Parcels { all: all.freeze(), ends }
    }

    fn print(&self, pens: &mut [Pen], press: &mut Press<'_>) {
        for (kind, number) in self.situation.kinds().iter().zip(0..) {
            let header = self.headers.of(number);
            let owners = self.owner.get(kind.first as usize..kind.range().end as usize).unwrap_or_default();
            let mut index = 0;
            for (owner, count) in runs(owners) {
                let first = index;
                index += count as u32;
                let Some(pen) = pens.get_mut(owner as usize).filter(|pen| pen.kind != KEPT) else { continue };
                if pen.kind != number {
                    pen.close(press);
                    *pen = pen.open(number, header, press);
                }
                pen.at = match count {
                    1 => press.put(pen.at, &first.to_be_bytes()),
                    _ => press.put_numbers(pen.at, first..index),
                };
            }
        }
        pens.iter().for_each(|pen| pen.close(press));
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

/// Owners in a row that are the same, and how many.
fn runs(owners: &[u32]) -> impl Iterator<Item = (u32, usize)> {
    let mut rest = owners;
    std::iter::from_fn(move || {
        let (owner, others) = rest.split_first()?;
        let more = match others.first() == Some(owner) {
            true => others.iter().take_while(|other| *other == owner).count(),
            false => 0,
        };
        rest = &others[more..];
        Some((*owner, more + 1))
    })
}

/// The members' lists.
pub(super) struct Parcels {
    all: Bytes,
    /// Where each list ends and the next begins.
    ends: Vec<usize>,
}

impl Parcels {
    /// The list of a member.
    pub(super) fn of(&self, member: u32) -> Bytes {
        let member = member as usize;
        let start = member.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.all.slice(start..self.ends[member])
    }
}

/// Where a member's list goes on.
#[derive(Clone, Copy)]
struct Pen {
    at: usize,
    /// Where the number of partitions of the present topic belongs.
    count_at: usize,
    kind: u32,
}

impl Pen {
    fn open(self, kind: u32, header: &[u8], press: &mut Press<'_>) -> Self {
        let at = press.put_short(self.at, header);
        Self { at, count_at: at - 4, kind }
    }

    /// Says how many partitions of the topic there are; headers have it right for one.
    fn close(self, press: &mut Press<'_>) {
        if self.kind < KEPT && self.at - self.count_at > 8 {
            press.put(self.count_at, &((self.at - self.count_at) as u32 / 4 - 1).to_be_bytes());
        }
    }
}

/// For each topic the bytes in front of its numbers: its name, and a count of one, which is the most frequent.
struct Headers {
    bytes: Vec<u8>,
    /// Where each begins; one more than there are topics.
    starts: Vec<usize>,
}

impl Headers {
    fn new(topics: &[(&str, u32)]) -> Self {
        let mut headers = Self { bytes: Vec::new(), starts: vec![0] };
        for (topic, _) in topics {
            super::bytes::put_string(&mut headers.bytes, topic);
            headers.bytes.extend(1_u32.to_be_bytes());
            headers.starts.push(headers.bytes.len());
        }
        headers
    }

    fn of(&self, kind: u32) -> &[u8] {
        &self.bytes[self.starts[kind as usize]..self.starts[kind as usize + 1]]
    }
}

/// A buffer that is filled here and there; each call says where the next byte goes.
struct Press<'a> {
    out: &'a mut [u8],
}

impl Press<'_> {
    #[inline]
    fn put(&mut self, at: usize, bytes: &[u8]) -> usize {
        self.out[at..at + bytes.len()].copy_from_slice(bytes);
        at + bytes.len()
    }

    #[inline]
    fn put_numbers(&mut self, at: usize, numbers: Range<u32>) -> usize {
        let end = at + 4 * numbers.len();
        for (place, number) in self.out[at..end].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        end
    }

    /// As [`Self::put`]; quick for up to 32 bytes, as two pieces of a fixed length that may overlap.
    #[inline]
    fn put_short(&mut self, at: usize, bytes: &[u8]) -> usize {
        let place = &mut self.out[at..at + bytes.len()];
        match bytes.len() {
            8..=16 => put_both_ends::<8>(place, bytes),
            17..=32 => put_both_ends::<16>(place, bytes),
            _ => place.copy_from_slice(bytes),
        }
        at + bytes.len()
    }
}

#[inline]
fn put_both_ends<const N: usize>(place: &mut [u8], bytes: &[u8]) {
    if let (Some(first), Some(from)) = (place.first_chunk_mut::<N>(), bytes.first_chunk()) {
        *first = *from;
    }
    if let (Some(last), Some(from)) = (place.last_chunk_mut::<N>(), bytes.last_chunk()) {
        *last = *from;
    }
}

/// No kind.
const NONE: u32 = u32::MAX;
/// No kind either: the whole list is there already.
const KEPT: u32 = u32::MAX - 1;
