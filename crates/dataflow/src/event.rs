use groma_model::{Offset, Timestamp};

/// A record on its way through a chain of operators; `V` is what the value has become so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event<'a, V> {
    /// Position in the input partition.
    pub offset: Offset,
    /// Record time.
    pub timestamp: Timestamp,
    /// The key, if any.
    pub key: Option<&'a [u8]>,
    /// The value.
    pub value: V,
}

impl<'a, V> Event<'a, V> {
    /// The same record with another value.
    #[inline]
    pub fn with<W>(&self, value: W) -> Event<'a, W> {
        Event { offset: self.offset, timestamp: self.timestamp, key: self.key, value }
    }
}
