use std::fmt;
use std::str::FromStr;

/// Why a record did not reach the state or the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reject {
    /// No key where one is grouped by; an empty key is a key like any other.
    NullKey,
    /// No value (a tombstone) where one is read.
    NullValue,
    /// The bytes are not of the expected format; says what is wrong.
    Malformed(&'static str),
    /// The reading is NaN, or infinite where the output cannot say so.
    NotANumber,
    /// The record's window closed before it came.
    Late,
}

/// What to do with a rejected record. Late records are always skipped and counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Leave it out and count it.
    #[default]
    Skip,
    /// Stop before it, naming its offset.
    Stop,
    /// Leave it out, count it and write it to the dead-letter topic as it came.
    DeadLetter,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NullKey => f.write_str("has no key"),
            Self::NullValue => f.write_str("has no value"),
            Self::Malformed(detail) => write!(f, "is malformed: {detail}"),
            Self::NotANumber => f.write_str("is not a finite number"),
            Self::Late => f.write_str("is late"),
        }
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "skip" => Ok(Self::Skip),
            "stop" => Ok(Self::Stop),
            "dead-letter" => Ok(Self::DeadLetter),
            _ => Err(format!("unknown policy `{name}`: use skip, stop or dead-letter")),
        }
    }
}
