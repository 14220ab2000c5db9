use std::collections::VecDeque;

use groma_model::Timestamp;

use super::key_table::{KeyId, KeyTable};
use crate::{Tumbling, Window};

/// One cell for each key and open window, and the stream time that opens and closes them.
///
/// A window's cells are an array over [`KeyId`]. A window leaves as a whole: its array is used for the next one, and
/// keys that no other window holds give their number back.
#[derive(Debug)]
pub struct WindowStore<S> {
    windows: Tumbling,
    stream_time: Option<Timestamp>,
    keys: KeyTable,
    /// In order of time.
    open: VecDeque<Segment<S>>,
    spare: Vec<Segment<S>>,
}

#[derive(Debug)]
struct Segment<S> {
    window: Window,
    cells: Vec<Cell<S>>,
    dirty: Vec<KeyId>,
}

#[derive(Clone, Debug, Default)]
struct Cell<S> {
    state: S,
    mark: Mark,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    Absent,
    Clean,
    Dirty,
}

/// Arrays kept for windows to come.
const SPARE_SEGMENTS: usize = 4;

impl<S: Default + Clone> WindowStore<S> {
    /// A store without any window.
    pub fn new(windows: Tumbling) -> Self {
        Self { windows, stream_time: None, keys: KeyTable::default(), open: VecDeque::new(), spare: Vec::new() }
    }

    /// The state that a record of `key` at `time` changes; none when it is late. Moves stream time on.
    #[inline]
    pub fn cell(&mut self, key: &[u8], time: Timestamp) -> Option<&mut S> {
        let window = self.windows.of(time);
        let now = self.stream_time.unwrap_or(time);
        if self.windows.is_closed(window, now) {
            return None;
        }
        self.stream_time = Some(now.max(time));
        let index = self.segment(window);
        let segment = &mut self.open[index];
        let id = self.keys.intern(key);
        let cell = segment.cell(id);
        if cell.mark != Mark::Dirty {
            if cell.mark == Mark::Absent {
                self.keys.hold(id);
            }
            segment.dirty.push(id);
            segment.cells[id.0 as usize].mark = Mark::Dirty;
        }
        Some(&mut segment.cells[id.0 as usize].state)
    }

    /// Puts `state` in place, as restored: not dirty, stream time unmoved.
    pub fn put(&mut self, key: &[u8], start: Timestamp, state: S) {
        let index = self.segment(self.windows.at(start));
        let id = self.keys.intern(key);
        let cell = self.open[index].cell(id);
        if cell.mark == Mark::Absent {
            self.keys.hold(id);
        }
        *cell = Cell { state, mark: Mark::Clean };
    }

    /// Moves stream time on to `time`.
    pub fn advance(&mut self, time: Timestamp) {
        self.stream_time = self.stream_time.max(Some(time));
    }

    /// Moves stream time to where every open window is closed.
    pub fn end_of_input(&mut self) {
        if let Some(last) = self.open.back() {
            self.advance(self.windows.closes(last.window));
        }
    }

    /// Shows each state changed since the last call, with whether its window has closed, and marks it clean.
    pub fn drain_dirty(&mut self, mut show: impl FnMut(&[u8], Window, &S, bool)) {
        for segment in &mut self.open {
            let closed = self.stream_time.is_some_and(|now| self.windows.is_closed(segment.window, now));
            for id in segment.dirty.drain(..) {
                let cell = &mut segment.cells[id.0 as usize];
                cell.mark = Mark::Clean;
                show(self.keys.key(id), segment.window, &cell.state, closed);
            }
        }
    }

    /// Shows each state of the windows that have closed, in order of time and key number, and drops them.
    pub fn drain_closed(&mut self, mut show: impl FnMut(&[u8], Window, &S)) {
        let Some(now) = self.stream_time else { return };
        while self.open.front().is_some_and(|segment| self.windows.is_closed(segment.window, now)) {
            let Some(mut segment) = self.open.pop_front() else { return };
            for (id, cell) in segment.present() {
                show(self.keys.key(id), segment.window, &cell.state);
                self.keys.release(id);
            }
            if self.spare.len() < SPARE_SEGMENTS {
                segment.cells.clear();
                segment.dirty.clear();
                self.spare.push(segment);
            }
        }
    }

    /// The largest timestamp accepted.
    pub const fn stream_time(&self) -> Option<Timestamp> {
        self.stream_time
    }

    /// States changed since they were last drained.
    pub fn dirty(&self) -> usize {
        self.open.iter().map(|segment| segment.dirty.len()).sum()
    }

    /// Number of windows held.
    pub fn open_windows(&self) -> usize {
        self.open.len()
    }

    /// Number of keys held.
    pub fn keys(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn segment(&mut self, window: Window) -> usize {
        match self.open.back() {
            Some(last) if last.window == window => self.open.len() - 1,
            _ => self.find_segment(window),
        }
    }

    fn find_segment(&mut self, window: Window) -> usize {
        let index = self.open.partition_point(|segment| segment.window.start < window.start);
        if self.open.get(index).is_none_or(|segment| segment.window != window) {
            let segment = match self.spare.pop() {
                Some(spare) => Segment { window, ..spare },
                None => Segment { window, cells: Vec::new(), dirty: Vec::new() },
            };
            self.open.insert(index, segment);
        }
        index
    }
}

impl<S: Default + Clone> Segment<S> {
    #[inline]
    fn cell(&mut self, id: KeyId) -> &mut Cell<S> {
        let index = id.0 as usize;
        if index >= self.cells.len() {
            self.cells.resize(index + 1, Cell::default());
        }
        &mut self.cells[index]
    }

    fn present(&self) -> impl Iterator<Item = (KeyId, &Cell<S>)> {
        let ids = (0..).map(KeyId);
        ids.zip(&self.cells).filter(|(_, cell)| cell.mark != Mark::Absent)
    }
}
