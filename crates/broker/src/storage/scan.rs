use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use groma_model::Offset;
use groma_node::BatchExtent;
use groma_wire::records::{BatchHeader, HEADER_LEN, batches};

/// How much of a file to believe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// The broker that wrote it ended cleanly: the headers will do.
    Headers,
    /// It may have been killed in the middle of a write: every checksum is computed.
    Nothing,
}

/// The batches of a segment file, up to the first that is torn or does not belong there.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) batches: Vec<BatchExtent>,
    /// Bytes of those batches.
    pub(super) good: u64,
}

/// Reads a segment file that begins at offset `base`.
pub(super) fn scan(file: &File, base: Offset, trust: Trust) -> io::Result<Scan> {
    let size = file.metadata()?.len();
    let mut found = Scan { batches: Vec::new(), good: 0 };
    let mut window = Window::new(file, size);
    let mut next = base;
    while let Some(batch) = read_batch(&mut window, &found, next, trust)? {
        found.good += u64::from(batch.size);
        next = Offset(batch.last_offset.0 + 1);
        found.batches.push(batch);
    }
    Ok(found)
}

fn read_batch(window: &mut Window<'_>, found: &Scan, next: Offset, trust: Trust) -> io::Result<Option<BatchExtent>> {
    let at = found.good;
    let before = found.batches.last().map_or(0, |batch| batch.size);
    let ahead = if trust == Trust::Headers && before >= LARGE { HEADER_LEN } else { WINDOW };
    let Some(fixed) = window.bytes(at, HEADER_LEN, ahead)?.and_then(|bytes| bytes.first_chunk::<HEADER_LEN>()) else {
        return Ok(None);
    };
    let Ok(header) = BatchHeader::parse(fixed) else { return Ok(None) };
    let Ok(size) = u32::try_from(header.total_len) else { return Ok(None) };
    if header.base_offset < next || header.last_offset_delta < 0 || at + u64::from(size) > window.size {
        return Ok(None);
    }
    if trust == Trust::Nothing {
        let whole = window.bytes(at, header.total_len, WINDOW)?.and_then(|bytes| batches(bytes).next());
        if !whole.is_some_and(|batch| batch.is_ok_and(|batch| batch.verify().is_ok())) {
            return Ok(None);
        }
    }
    Ok(Some(BatchExtent {
        base_offset: header.base_offset,
        last_offset: header.last_offset(),
        size,
        max_timestamp: header.max_timestamp,
        producer: header.producer,
    }))
}

/// A part of a file in memory, moved along as it is read.
#[derive(Debug)]
pub(super) struct Window<'a> {
    file: &'a File,
    pub(super) size: u64,
    start: u64,
    held: Vec<u8>,
}

/// Bytes read at once.
const WINDOW: usize = 256 * 1024;
/// Where the batches are of this size or larger, their headers are read alone.
const LARGE: u32 = 16 * 1024;

impl<'a> Window<'a> {
    pub(super) fn new(file: &'a File, size: u64) -> Self {
        Self { file, size, start: 0, held: Vec::new() }
    }

    /// `len` bytes at `at`, or nothing where the file ends before them; up to `ahead` bytes are read at once.
    pub(super) fn bytes(&mut self, at: u64, len: usize, ahead: usize) -> io::Result<Option<&[u8]>> {
        if at + len as u64 > self.size {
            return Ok(None);
        }
        let held = at >= self.start && at + len as u64 <= self.start + self.held.len() as u64;
        if !held {
            let most = usize::try_from(self.size - at).unwrap_or(usize::MAX);
            self.held.resize(len.max(ahead).min(most), 0);
            self.file.read_exact_at(&mut self.held, at)?;
            self.start = at;
        }
        let from = (at - self.start) as usize;
        Ok(self.held.get(from..from + len))
    }
}
