use thiserror::Error;

/// Why bytes could not be read as a value, or a value not be written.
///
/// `at` is the offset into the bytes that the [`Reader`](crate::Reader) was made of.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// The bytes end inside a value.
    #[error("truncated: {needed} bytes wanted at {at}, {left} left")]
    Truncated {
        /// Where the value begins.
        at: usize,
        /// How many bytes the value takes at least.
        needed: usize,
        /// How many bytes there are from `at` on.
        left: usize,
    },
    /// A length or count that no value has: below the sign for null, or more items than the bytes left can hold.
    #[error("bad length {length} at {at}")]
    BadLength {
        /// Where the counted part begins.
        at: usize,
        /// The length as read.
        length: i64,
    },
    /// A varint longer than its type allows.
    #[error("bad varint at {at}")]
    BadVarint {
        /// Where the varint begins.
        at: usize,
    },
    /// A string that is not UTF-8.
    #[error("bad UTF-8 at {at}")]
    BadUtf8 {
        /// Where the string begins.
        at: usize,
    },
    /// Null where the definition does not allow it.
    #[error("null where a value must be, at {at}")]
    UnexpectedNull {
        /// Where the value would begin.
        at: usize,
    },
    /// Bytes after the end of the value.
    #[error("{count} bytes too many at {at}")]
    TrailingBytes {
        /// Where the value ends.
        at: usize,
        /// How many bytes follow.
        count: usize,
    },
    /// A version that the definition does not have.
    #[error("{name} has no version {version}")]
    UnknownVersion {
        /// The name of the message.
        name: &'static str,
        /// The version asked for.
        version: i16,
    },
    /// A key that stands for nothing known.
    #[error("unknown key {key}")]
    UnknownKey {
        /// The key as read.
        key: i16,
    },
    /// A field is set that this version cannot carry, and that must not be dropped silently.
    #[error("{field} cannot be sent in version {version}")]
    Unsupported {
        /// `Struct.field`.
        field: &'static str,
        /// The version to be written.
        version: i16,
    },
    /// A field is absent that this version must have.
    #[error("{field} must not be absent in this version")]
    Missing {
        /// `Struct.field`.
        field: &'static str,
    },
    /// A value longer than its length field can say.
    #[error("a value of {length} bytes or items does not fit a length field")]
    TooLong {
        /// The true length.
        length: usize,
    },
    /// Plain bytes were asked of a frame with a payload that is held elsewhere.
    #[error("the frame has a payload that is not in memory")]
    NotInMemory,
}
