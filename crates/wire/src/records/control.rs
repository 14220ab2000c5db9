/// The end of a transaction, as the only record of a control batch says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlRecord {
    /// The producer's records up to here do not count.
    Abort,
    /// The producer's records up to here count.
    Commit,
    /// A type that readers must skip.
    Other(i16),
}

impl ControlRecord {
    /// Reads a control record's key: two bytes of version, two of type.
    pub fn parse(key: &[u8]) -> Option<Self> {
        let [_, _, high, low, ..] = *key else { return None };
        Some(match i16::from_be_bytes([high, low]) {
            0 => Self::Abort,
            1 => Self::Commit,
            other => Self::Other(other),
        })
    }

    /// The key that [`Self::parse`] reads.
    pub const fn key(self) -> [u8; 4] {
        let [high, low] = match self {
            Self::Abort => 0_i16.to_be_bytes(),
            Self::Commit => 1_i16.to_be_bytes(),
            Self::Other(code) => code.to_be_bytes(),
        };
        [0, 0, high, low]
    }
}
