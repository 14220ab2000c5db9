use groma_model::{Generation, Partition, Timestamp};

use super::fields::Fields;
use super::flush_id::FlushId;
use crate::Outbox;

pub(super) const ENTRY: u8 = 1;
const KEY_HEAD: usize = 9;
const VALUE_HEAD: usize = 12;
/// Longest part of key and state that is laid out without touching the heap.
const IN_PLACE: usize = 256;

/// The state of one key and window, as it stands in the changelog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The key.
    pub key: &'a [u8],
    /// Start of the window.
    pub window: Timestamp,
    /// The encoded state.
    pub state: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Reads an entry behind its kind byte, and the flush it belongs to.
    pub(super) fn parse(key: &'a [u8], value: &'a [u8]) -> Option<(FlushId, Self)> {
        let (mut head, mut stamp) = (Fields(key), Fields(value));
        let window = Timestamp(head.i64()?);
        let id = FlushId { generation: Generation(stamp.i32()?), number: stamp.u64()? };
        Some((id, Self { key: head.0, window, state: stamp.0 }))
    }
}

/// Writes an entry of flush `id` to `partition` of the changelog.
pub(crate) fn append_entry(out: &mut Outbox, partition: Partition, id: FlushId, entry: &Entry<'_>) {
    let mut key = Laid::new();
    key.put(&[ENTRY]);
    key.put(&entry.window.0.to_be_bytes());
    key.put(entry.key);
    let mut value = Laid::new();
    value.put(&id.generation.0.to_be_bytes());
    value.put(&id.number.to_be_bytes());
    value.put(entry.state);
    out.log(partition, entry.window, key.bytes(), value.bytes());
}

/// Bytes put one behind the other, on the stack while they are few.
struct Laid {
    short: [u8; IN_PLACE],
    len: usize,
    long: Vec<u8>,
}

impl Laid {
    const fn new() -> Self {
        Self { short: [0; IN_PLACE], len: 0, long: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) {
        match self.short.get_mut(self.len..self.len + bytes.len()) {
            Some(room) if self.long.is_empty() => {
                room.copy_from_slice(bytes);
                self.len += bytes.len();
            }
            _ => {
                if self.long.is_empty() {
                    self.long.extend_from_slice(&self.short[..self.len]);
                }
                self.long.extend_from_slice(bytes);
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        if self.long.is_empty() { &self.short[..self.len] } else { &self.long }
    }
}

const _: () = assert!(KEY_HEAD < IN_PLACE && VALUE_HEAD < IN_PLACE);
