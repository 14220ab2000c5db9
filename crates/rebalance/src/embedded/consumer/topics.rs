use std::fmt::{self, Debug, Formatter};

use bytes::{BufMut, Bytes};

use super::bytes::{Cursor, put_string};
use crate::embedded::EmbeddedError;

/// Names of topics, as they lie in a report: checked once, compared as bytes, never copied.
///
/// Collecting names brings them in order, so that equal lists are equal bytes (KAFKA-12898).
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topics {
    /// The count and the names; no bytes at all if there are none.
    list: Bytes,
}

impl Topics {
    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        Self::names(&self.list)
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes a list that was skipped over.
    pub(super) fn checked(list: Bytes, what: &'static str) -> Result<Self, EmbeddedError> {
        Ok(if Self::check(&list, what)? > 0 { Self { list } } else { Self::default() })
    }

    /// How many names a list has, all of which can be read.
    pub(super) fn check(list: &[u8], what: &'static str) -> Result<usize, EmbeddedError> {
        if list.is_empty() {
            return Ok(0);
        }
        let mut cursor = Cursor::new(what, list);
        let count = cursor.i32()?.max(0);
        for _ in 0..count {
            std::str::from_utf8(cursor.name()?).map_err(|_| EmbeddedError::Utf8 { what })?;
        }
        Ok(count as usize)
    }

    pub(in crate::embedded) fn section(&self) -> &[u8] {
        &self.list
    }

    /// The names in a list; it ends where the bytes make no sense.
    pub(super) fn names(list: &[u8]) -> impl Iterator<Item = &str> {
        let mut cursor = Cursor::new("", list);
        let count = cursor.i32().unwrap_or(0).max(0);
        (0..count).map_while(move |_| std::str::from_utf8(cursor.name().ok()?).ok())
    }

    pub(in crate::embedded) fn write(&self, out: &mut Vec<u8>) {
        match self.is_empty() {
            true => out.put_i32(0),
            false => out.put_slice(&self.list),
        }
    }
}

impl<S: AsRef<str>> FromIterator<S> for Topics {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut names: Vec<S> = names.into_iter().collect();
        if names.is_empty() {
            return Self::default();
        }
        names.sort_unstable_by(|a, b| a.as_ref().cmp(b.as_ref()));
        let mut list = Vec::with_capacity(64);
        list.put_i32(names.len() as i32);
        names.iter().for_each(|name| put_string(&mut list, name.as_ref()));
        Self { list: list.into() }
    }
}

impl Debug for Topics {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}
