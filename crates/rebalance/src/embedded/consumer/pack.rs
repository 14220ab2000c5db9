use bytes::BufMut;
use groma_model::{Generation, InstanceId, MemberId, Span, TopicPartition};

use super::bytes::put_string;
use crate::embedded::{Owner, Waiting};

/// Four letters by which our own user data is told from that of others.
pub(super) const MARK: u32 = u32::from_be_bytes(*b"Grm1");

/// More than this of what is lost or released is not carried in user data, lest reports outgrow what they report.
const RESOURCES_MAX: usize = 20_000;

/// Times on the wire are whole milliseconds, rounded up so that what is left stays left; none is -1.
pub(super) fn put_span(out: &mut Vec<u8>, span: Option<Span>) {
    let millis = span.map(|s| s.0.div_ceil(1_000_000).min(i32::MAX as u64) as i32);
    out.put_i32(millis.unwrap_or(-1));
}

/// A count as int32; none is -1.
pub(super) fn put_count(out: &mut Vec<u8>, count: Option<u32>) {
    out.put_i32(count.and_then(|count| i32::try_from(count).ok()).unwrap_or(-1));
}

/// Partitions in order: topic, count, numbers.
pub(super) fn put_partitions<'a>(out: &mut Vec<u8>, partitions: impl IntoIterator<Item = &'a TopicPartition>) {
    let topics_at = out.len();
    out.put_i32(0);
    let (mut topics, mut count, mut count_at) = (0_i32, 0_i32, 0);
    let mut last: Option<&str> = None;
    for one in partitions.into_iter().take(RESOURCES_MAX) {
        if last != Some(one.topic.as_str()) {
            last = Some(one.topic.as_str());
            put_string(out, &one.topic);
            (topics, count, count_at) = (topics + 1, 0, out.len());
            out.put_i32(0);
        }
        count += 1;
        out.put_i32(one.partition.0);
        patch(out, count_at, count);
    }
    patch(out, topics_at, topics);
}

/// Lost resources that wait. Without `left` members take the time from their own configuration.
pub(super) fn put_waits(out: &mut Vec<u8>, waits: &[Waiting<TopicPartition>], time: WaitTime) {
    out.put_i32(waits.len() as i32);
    for wait in waits {
        out.put_i32(wait.opened.0);
        let number;
        let (kind, name) = match &wait.owner {
            Owner::Unknown(0) => (0, ""),
            Owner::Unknown(which) => {
                number = which.to_string();
                (0, number.as_str())
            }
            Owner::Member(member) => (1, member.as_str()),
            Owner::Instance(instance) => (2, instance.as_str()),
        };
        out.put_u8(kind);
        put_string(out, name);
        put_span(out, Some(wait.left).filter(|_| time == WaitTime::Told));
        put_partitions(out, &wait.resources);
    }
}

/// Whether a wait says how much is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::embedded) enum WaitTime {
    Told,
    Configured,
}

fn patch(out: &mut [u8], at: usize, number: i32) {
    if let Some(place) = out.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_be_bytes());
    }
}

/// Reads what was put; each read fails where the bytes end.
pub(super) struct Unpack<'a> {
    rest: &'a [u8],
}

impl<'a> Unpack<'a> {
    /// Behind the mark; none if it is not there.
    pub(super) fn behind_mark(bytes: &'a [u8]) -> Option<Self> {
        let mut unpack = Self { rest: bytes };
        (unpack.i32()? as u32 == MARK).then_some(unpack)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*taken)
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }

    pub(super) fn i32(&mut self) -> Option<i32> {
        self.take().map(i32::from_be_bytes)
    }

    pub(super) fn span(&mut self) -> Option<Option<Span>> {
        let millis = self.i32()?;
        Some(u64::try_from(millis).ok().map(Span::from_millis))
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(i16::from_be_bytes(self.take()?)).ok()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    /// A count of things that take at least so many bytes each.
    fn count(&mut self, size_min: usize) -> Option<usize> {
        let count = usize::try_from(self.i32()?).ok()?;
        (count <= self.rest.len() / size_min).then_some(count)
    }

    /// A list of partitions, skipped over.
    pub(super) fn packed(&mut self) -> Option<Packed<'a>> {
        let before = self.rest;
        for _ in 0..self.count(6)? {
            self.text()?;
            let numbers = self.count(4)? * 4;
            self.rest = self.rest.get(numbers..)?;
        }
        Some(Packed(&before[..before.len() - self.rest.len()]))
    }

    /// Lost resources that wait.
    pub(super) fn waits(&mut self) -> Option<Vec<PackedWait<'a>>> {
        let mut waits = Vec::new();
        for _ in 0..self.count(15)? {
            let opened = Generation(self.i32()?);
            let owner = (self.u8()?, self.text()?);
            waits.push(PackedWait { opened, owner, left: self.span()?, partitions: self.packed()? });
        }
        Some(waits)
    }
}

/// A list of partitions as it lies in the bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed<'a>(&'a [u8]);

impl<'a> Packed<'a> {
    /// Calls back with each topic and its partitions (big-endian numbers).
    pub(super) fn each(self, mut topic: impl FnMut(&'a str, &'a [u8])) {
        let mut unpack = Unpack { rest: self.0 };
        for _ in 0..unpack.count(6).unwrap_or(0) {
            let (Some(name), Some(count)) = (unpack.text(), unpack.count(4)) else { return };
            let Some((numbers, rest)) = unpack.rest.split_at_checked(count * 4) else { return };
            unpack.rest = rest;
            topic(name, numbers);
        }
    }

    pub(super) fn list(self) -> Vec<TopicPartition> {
        let mut list = Vec::new();
        self.each(|topic, numbers| {
            let number = |b: &[u8]| b.try_into().map_or(-1, i32::from_be_bytes);
            list.extend(numbers.chunks_exact(4).map(|b| TopicPartition::new(topic, number(b))));
        });
        list
    }
}

/// Lost resources that wait, as they lie in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedWait<'a> {
    pub(super) opened: Generation,
    /// What kind of name it is, and the name.
    pub(super) owner: (u8, &'a str),
    /// None where members take the time from their own configuration.
    pub(super) left: Option<Span>,
    pub(super) partitions: Packed<'a>,
}

impl PackedWait<'_> {
    pub(super) fn unpack(&self, configured: Span) -> Waiting<TopicPartition> {
        let resources = self.partitions.list();
        let (opened, left) = (self.opened, self.left.unwrap_or(configured));
        Waiting { owner: owner(self.owner), opened, left, resources }
    }
}

pub(super) fn owner((kind, name): (u8, &str)) -> Owner {
    match kind {
        1 => Owner::Member(MemberId::from(name)),
        2 => Owner::Instance(InstanceId::from(name)),
        _ => Owner::Unknown(name.parse().unwrap_or(0)),
    }
}
