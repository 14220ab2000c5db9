use std::ops::Range;

use bytes::Bytes;

/// The members' lists.
pub(super) struct Parcels {
    sheets: Vec<Bytes>,
    /// For each member which sheet, and where on it.
    places: Vec<(u32, Range<u32>)>,
}

impl Parcels {
    /// The list of a member.
    pub(super) fn of(&self, member: u32) -> Bytes {
        let (sheet, range) = &self.places[member as usize];
        self.sheets
            .get(*sheet as usize)
            .map_or_else(Bytes::new, |sheet| sheet.slice(range.start as usize..range.end as usize))
    }
}

/// Prints the lists one behind the other on large sheets, so that they take few allocations and are written once.
pub(super) struct Press<'a> {
    /// What stands in front of each list and behind it.
    around: (&'a [u8], &'a [u8]),
    sheet: Vec<u8>,
    /// How much there is to come, at most.
    rest: usize,
    printed: Parcels,
}

/// Sheets are so large, unless there is less to come or a list is larger.
const SHEET: usize = 256 << 10;

impl<'a> Press<'a> {
    /// For so many members, whose lists have no more bytes than that together.
    pub(super) fn new(around: (&'a [u8], &'a [u8]), (members, length_max): (usize, usize)) -> Self {
        let printed = Parcels { sheets: Vec::new(), places: Vec::with_capacity(members) };
        Self { around, sheet: Vec::new(), rest: length_max + members * (around.0.len() + around.1.len()), printed }
    }

    /// Prints the list of the next member.
    pub(super) fn print(&mut self, list: &[u8]) {
        let (front, back) = self.around;
        let length = front.len() + list.len() + back.len();
        if self.sheet.capacity() - self.sheet.len() < length {
            self.turn(Vec::with_capacity(self.rest.min(SHEET).max(length)));
        }
        self.rest = self.rest.saturating_sub(length);
        let start = self.sheet.len() as u32;
        for part in [front, list, back].into_iter().filter(|part| !part.is_empty()) {
            self.sheet.extend_from_slice(part);
        }
        self.printed.places.push((self.printed.sheets.len() as u32, start..start + length as u32));
    }

    pub(super) fn parcels(mut self) -> Parcels {
        self.turn(Vec::new());
        self.printed
    }

    fn turn(&mut self, next: Vec<u8>) {
        let sheet = std::mem::replace(&mut self.sheet, next);
        if !sheet.is_empty() {
            self.printed.sheets.push(sheet.into());
        }
    }
}

/// Where one list after the other is written before it is printed.
#[derive(Default)]
pub(super) struct Page {
    bytes: Vec<u8>,
    /// Where the next byte goes.
    at: usize,
    /// Where the numbers of each topic are.
    numbers: Vec<Range<usize>>,
}

impl Page {
    /// A new list.
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.at = 4;
        self.room(0);
    }

    /// The whole list, written out.
    pub(super) fn list(&mut self) -> &[u8] {
        self.bytes[..4].copy_from_slice(&(self.numbers.len() as u32).to_be_bytes());
        &self.bytes[..self.at]
    }

    /// The next topic begins with this header, which says there is one number.
    #[inline]
    pub(super) fn open(&mut self, header: &[u8]) -> usize {
        self.room(header.len());
        let end = self.at + header.len();
        let place = &mut self.bytes[self.at..end];
        match header.len() {
            8..=16 => put_both_ends::<8>(place, header),
            17..=32 => put_both_ends::<16>(place, header),
            _ => place.copy_from_slice(header),
        }
        self.at = end;
        end
    }

    #[inline]
    pub(super) fn put(&mut self, number: u32) {
        self.room(4);
        self.bytes[self.at..self.at + 4].copy_from_slice(&number.to_be_bytes());
        self.at += 4;
    }

    /// Says how many numbers there are from here on.
    #[inline]
    pub(super) fn close(&mut self, numbers_at: usize) {
        let count = (self.at - numbers_at) / 4;
        if count != 1 {
            self.bytes[numbers_at - 4..numbers_at].copy_from_slice(&(count as u32).to_be_bytes());
        }
        self.numbers.push(numbers_at..self.at);
    }

    /// Makes all numbers larger by one.
    pub(super) fn raise(&mut self) {
        for numbers in &self.numbers {
            for place in self.bytes[numbers.clone()].as_chunks_mut::<4>().0 {
                *place = (u32::from_be_bytes(*place) + 1).to_be_bytes();
            }
        }
    }

    #[inline]
    fn room(&mut self, more: usize) {
        if self.at + more > self.bytes.len() {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        self.bytes.resize((self.at + more).max(2 * self.bytes.len()).max(PAGE_MIN), 0);
    }
}

const PAGE_MIN: usize = 512;

#[inline]
fn put_both_ends<const N: usize>(place: &mut [u8], bytes: &[u8]) {
    if let (Some(first), Some(from)) = (place.first_chunk_mut::<N>(), bytes.first_chunk()) {
        *first = *from;
    }
    if let (Some(last), Some(from)) = (place.last_chunk_mut::<N>(), bytes.last_chunk()) {
        *last = *from;
    }
}
