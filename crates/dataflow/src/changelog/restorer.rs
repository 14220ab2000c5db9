use groma_model::{Generation, Offset};
use groma_wire::records::{Record, RecordsError};

use super::entry::{ENTRY, Entry};
use super::flush_id::FlushId;
use super::marker::{FENCE, MARKER, Marker, parse_fence};
use crate::Task;

/// Reads a task's changelog and puts back the state of its whole flushes, and nothing else.
///
/// A flush counts when its marker is there with all its entries, and no newer generation was seen before the marker.
/// Reading ends at the owner's own fence: the shell knows its offset.
#[derive(Debug)]
pub struct Restorer {
    generation: Generation,
    newest: Option<Generation>,
    pending: Vec<Pending>,
    last: Option<Marker>,
}

/// Entries of a flush whose marker has not come yet.
#[derive(Debug)]
struct Pending {
    id: FlushId,
    /// End of the key and end of the state of each entry, in `bytes`.
    entries: Vec<Span>,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    window: groma_model::Timestamp,
    key_end: usize,
    state_end: usize,
}

/// Why a changelog cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangelogError {
    /// A batch of the changelog is malformed.
    #[error("the changelog is damaged: {0}")]
    Records(#[from] RecordsError),
    /// A record is neither entry, marker nor fence, or not of this task's format.
    #[error("the changelog holds a malformed {0}; it was written by another program or topology, use another group")]
    Malformed(&'static str),
    /// A marker counts other entries than are there.
    #[error(
        "the flush that ends at offset {offset} of the changelog has {found} of its {expected} entries; some were deleted"
    )]
    Incomplete {
        /// The marker.
        offset: Offset,
        /// Entries the marker counts.
        expected: u64,
        /// Entries found.
        found: u64,
    },
    /// A newer owner has written.
    #[error(
        "the changelog was written in generation {newest} of the group, this instance is in generation {own}: another instance has taken over, or the group was deleted and its changelog topic was not"
    )]
    Superseded {
        /// The newest generation seen.
        newest: Generation,
        /// The reader's.
        own: Generation,
    },
    /// The topology keeps no state.
    #[error("the changelog has entries, but this topology keeps no state; use another group")]
    Stateless,
}

impl Restorer {
    /// A reader for an owner that wrote its fence in `generation`.
    pub const fn new(generation: Generation) -> Self {
        Self { generation, newest: None, pending: Vec::new(), last: None }
    }

    /// Takes the next record of the changelog, and puts a flush back into `task` when the record makes it whole.
    ///
    /// # Errors
    /// The changelog cannot be trusted, or belongs to a newer owner by now.
    pub fn read(&mut self, record: &Record<'_>, task: &mut dyn Task) -> Result<(), ChangelogError> {
        let key = record.key.unwrap_or_default();
        let value = record.value.unwrap_or_default();
        match key.split_first() {
            Some((&ENTRY, rest)) => self.entry(rest, value),
            Some((&MARKER, _)) => self.marker(record.offset, value, task),
            Some((&FENCE, _)) => self.fence(value),
            _ => Err(ChangelogError::Malformed("record")),
        }
    }

    /// The last whole flush, if there is any.
    pub const fn last(&self) -> Option<&Marker> {
        self.last.as_ref()
    }

    fn entry(&mut self, key: &[u8], value: &[u8]) -> Result<(), ChangelogError> {
        let (id, entry) = Entry::parse(key, value).ok_or(ChangelogError::Malformed("entry"))?;
        if self.is_old(id.generation) {
            return Ok(());
        }
        self.pending_of(id).push(&entry);
        Ok(())
    }

    fn marker(&mut self, offset: Offset, value: &[u8], task: &mut dyn Task) -> Result<(), ChangelogError> {
        let marker = Marker::parse(value).ok_or(ChangelogError::Malformed("marker"))?;
        if self.is_old(marker.id.generation) {
            return Ok(());
        }
        self.see(marker.id.generation)?;
        let pending = self.pending_of(marker.id);
        let found = pending.entries.len() as u64;
        if found != marker.entries {
            return Err(ChangelogError::Incomplete { offset, expected: marker.entries, found });
        }
        pending.apply(task)?;
        task.restore_marker(&marker);
        self.pending.clear();
        self.last = Some(marker);
        Ok(())
    }

    fn fence(&mut self, value: &[u8]) -> Result<(), ChangelogError> {
        let generation = parse_fence(value).ok_or(ChangelogError::Malformed("fence"))?;
        if self.is_old(generation) {
            return Ok(());
        }
        self.see(generation)?;
        self.pending.clear();
        Ok(())
    }

    fn is_old(&self, generation: Generation) -> bool {
        self.newest.is_some_and(|newest| generation < newest)
    }

    fn see(&mut self, generation: Generation) -> Result<(), ChangelogError> {
        if generation > self.generation {
            return Err(ChangelogError::Superseded { newest: generation, own: self.generation });
        }
        if self.newest != Some(generation) {
            self.newest = Some(generation);
            self.pending.retain(|pending| pending.id.generation >= generation);
        }
        Ok(())
    }

    /// The entries of flush `id`; an earlier flush of the same owner that got no marker is given up.
    fn pending_of(&mut self, id: FlushId) -> &mut Pending {
        let index = match self.pending.iter().position(|pending| pending.id.generation == id.generation) {
            Some(index) => index,
            None => {
                self.pending.push(Pending::new(id));
                self.pending.len() - 1
            }
        };
        let pending = &mut self.pending[index];
        if pending.id != id {
            *pending = Pending::new(id);
        }
        pending
    }
}

impl Pending {
    const fn new(id: FlushId) -> Self {
        Self { id, entries: Vec::new(), bytes: Vec::new() }
    }

    fn push(&mut self, entry: &Entry<'_>) {
        self.bytes.extend_from_slice(entry.key);
        let key_end = self.bytes.len();
        self.bytes.extend_from_slice(entry.state);
        self.entries.push(Span { window: entry.window, key_end, state_end: self.bytes.len() });
    }

    fn apply(&self, task: &mut dyn Task) -> Result<(), ChangelogError> {
        let mut start = 0;
        for span in &self.entries {
            let (key, state) = (&self.bytes[start..span.key_end], &self.bytes[span.key_end..span.state_end]);
            task.restore_entry(&Entry { key, window: span.window, state })?;
            start = span.state_end;
        }
        Ok(())
    }
}
