use crate::records::{BatchHeader, RecordsError};

/// Why a payload could not be decompressed, before it is known which batch it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::records) enum Fault {
    /// The bytes are not of the codec's format.
    Invalid(&'static str),
    /// The output would exceed the limit.
    TooLarge,
}

impl Fault {
    pub(in crate::records) const fn at(self, header: &BatchHeader, limit: usize) -> RecordsError {
        let offset = header.base_offset;
        match self {
            Self::Invalid(detail) => RecordsError::Decompress { offset, codec: header.compression.name(), detail },
            Self::TooLarge => RecordsError::TooLarge { offset, limit },
        }
    }
}
