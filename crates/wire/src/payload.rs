use bytes::Bytes;

/// A payload of this many bytes or more is handed out by reference instead of being copied into the frame.
pub const SHARED_FROM: usize = 4096;

/// The record batches of one partition inside a Produce request or a Fetch response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Records {
    /// Bytes in memory; decoding always gives a slice of the frame it came from.
    Bytes(Bytes),
    /// Bytes that the sender holds elsewhere, such as a range of a file; only its writer knows what `token` names.
    External {
        /// How many bytes will be put in place.
        len: u32,
        /// Chosen by whoever encodes, given back in [`Segment::External`].
        token: u64,
    },
}

/// A stretch of an encoded frame, to be sent in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Bytes that the writer produced.
    Inline(Bytes),
    /// A payload that was already in memory, not copied.
    Shared(Bytes),
    /// A payload that the sender has to put in place itself.
    External {
        /// How many bytes to send.
        len: u32,
        /// As given in [`Records::External`].
        token: u64,
    },
}

impl Records {
    /// How many bytes the batches take.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::External { len, .. } => *len as usize,
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes when they are in memory.
    pub fn bytes(&self) -> Option<&Bytes> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::External { .. } => None,
        }
    }
}

impl From<Bytes> for Records {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl Segment {
    /// How many bytes to send.
    pub fn len(&self) -> usize {
        match self {
            Self::Inline(bytes) | Self::Shared(bytes) => bytes.len(),
            Self::External { len, .. } => *len as usize,
        }
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
