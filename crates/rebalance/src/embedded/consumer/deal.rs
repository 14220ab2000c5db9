use bytes::{Bytes, BytesMut};

use crate::share::{Plan, Situation};

/// What each member has after a round: its list of partitions as bytes.
pub(super) struct Deal<'a> {
    situation: &'a Situation,
    headers: Headers,
    /// The kind and number of all that is owned, member by member, each in order.
    shares: Vec<(u32, u32)>,
    /// Where each member's begin; one more than there are members.
    starts: Vec<u32>,
    /// How many bytes the lists take, but for their counts of topics.
    length: usize,
}

impl<'a> Deal<'a> {
    /// Sorts resources by owner in two passes: count, then place.
    pub(super) fn new(situation: &'a Situation, plan: &Plan, topics: &[(&str, u32)]) -> Self {
        let mut deal = Self {
            situation,
            headers: Headers::new(topics),
            shares: Vec::new(),
            starts: Vec::with_capacity(situation.members() + 1),
            length: 0,
        };
        deal.count(&plan.owner);
        deal.place(&plan.owner);
        deal
    }

    fn count(&mut self, owner: &[u32]) {
        let mut counts = vec![(0_u32, u32::MAX); self.situation.members()];
        for (kind, number) in self.situation.kinds().iter().zip(0..) {
            let size = self.headers.length(number);
            for owner in owner.get(kind.first as usize..kind.range().end as usize).unwrap_or_default() {
                let Some((count, last)) = counts.get_mut(*owner as usize) else { continue };
                *count += 1;
                self.length += 4;
                if *last != number {
                    *last = number;
                    self.length += size;
                }
            }
        }
        let mut total = 0;
        for (count, _) in counts {
            self.starts.push(total);
            total += count;
        }
        self.starts.push(total);
        self.shares = vec![(0, 0); total as usize];
    }

    fn place(&mut self, owner: &[u32]) {
        let mut next = self.starts.clone();
        next.pop();
        for (kind, number) in self.situation.kinds().iter().zip(0..) {
            let owners = owner.get(kind.first as usize..kind.range().end as usize).unwrap_or_default();
            for (owner, resource) in owners.iter().zip(0..) {
                if let Some(place) = next.get_mut(*owner as usize) {
                    self.shares[*place as usize] = (number, resource);
                    *place += 1;
                }
            }
        }
    }

    /// For each member its list of topics and partitions, in order, between a front and a back; all are parts of one
    /// buffer.
    pub(super) fn parcels(&self, front: &[u8], back: &[u8]) -> Vec<Bytes> {
        let members = self.situation.members();
        let length = self.length + members * (front.len() + 4 + back.len());
        let mut press = Press { out: BytesMut::zeroed(length + Headers::REACH), at: 0 };
        let ends: Vec<usize> = (0..members).map(|member| self.print(member, (front, back), &mut press)).collect();
        let all = press.out.freeze();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).map(|(start, end)| all.slice(start..*end)).collect()
    }

    fn print(&self, member: usize, (front, back): (&[u8], &[u8]), press: &mut Press) -> usize {
        press.put(front);
        let topics_at = press.skip(4);
        let (mut topics, mut count, mut count_at) = (0_u32, 0_u32, 0);
        let mut last = u32::MAX;
        for (kind, number) in &self.shares[self.starts[member] as usize..self.starts[member + 1] as usize] {
            if *kind != last {
                if count > 1 {
                    press.patch(count_at, count);
                }
                self.headers.print(*kind as usize, press);
                (last, topics, count, count_at) = (*kind, topics + 1, 0, press.at - 4);
            }
            count += 1;
            press.put_u32(*number);
        }
        if count > 1 {
            press.patch(count_at, count);
        }
        press.patch(topics_at, topics);
        press.put(back);
        press.at
    }
}

/// For each topic the bytes in front of its numbers: its name, and a count of one, which is the most frequent.
struct Headers {
    bytes: Vec<u8>,
    /// Where each begins; one more than there are topics.
    starts: Vec<u32>,
}

impl Headers {
    /// So many bytes are copied in any case: a fixed number is faster than the right one.
    const REACH: usize = 32;

    fn new(topics: &[(&str, u32)]) -> Self {
        let mut headers = Self { bytes: Vec::new(), starts: vec![0] };
        for (topic, _) in topics {
            super::bytes::put_string(&mut headers.bytes, topic);
            headers.bytes.extend(1_u32.to_be_bytes());
            headers.starts.push(headers.bytes.len() as u32);
        }
        headers.bytes.extend([0; Self::REACH]);
        headers
    }

    fn length(&self, kind: u32) -> usize {
        (self.starts[kind as usize + 1] - self.starts[kind as usize]) as usize
    }

    fn print(&self, kind: usize, press: &mut Press) {
        let (start, end) = (self.starts[kind] as usize, self.starts[kind + 1] as usize);
        let reach = Self::REACH;
        press.out[press.at..press.at + reach].copy_from_slice(&self.bytes[start..start + reach]);
        if end - start > reach {
            press.out[press.at + reach..press.at + end - start].copy_from_slice(&self.bytes[start + reach..end]);
        }
        press.at += end - start;
    }
}

/// A buffer of zeros that is filled from its start.
struct Press {
    out: BytesMut,
    at: usize,
}

impl Press {
    fn put(&mut self, bytes: &[u8]) {
        self.out[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    fn put_u32(&mut self, number: u32) {
        self.patch(self.at, number);
        self.at += 4;
    }

    const fn skip(&mut self, count: usize) -> usize {
        let before = self.at;
        self.at += count;
        before
    }

    fn patch(&mut self, at: usize, number: u32) {
        self.out[at..at + 4].copy_from_slice(&number.to_be_bytes());
    }
}
