/// How lengths are written: Kafka's older versions use fixed widths, the flexible ones (KIP-482) use varints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 16-bit lengths of strings, 32-bit lengths of bytes and arrays, no tagged fields.
    Fixed,
    /// Varint lengths, one more than the true length so that 0 means null; tagged fields after each struct.
    Compact,
}

impl Form {
    /// The form of `version` in a definition that is flexible since `since`.
    pub const fn of(version: i16, since: i16) -> Self {
        if version >= since { Self::Compact } else { Self::Fixed }
    }
}
