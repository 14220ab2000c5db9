use std::fmt;
use std::str::FromStr;

use super::{Fault, gzip, lz4, snappy, zstandard};
use crate::records::Scratch;

/// How the records of a batch are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip at level 6.
    Gzip,
    /// Snappy in the framing of Java's snappy library; raw Snappy is read too.
    Snappy,
    /// LZ4 frames.
    Lz4,
    /// Zstandard at level 3.
    Zstd,
}

impl Compression {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::Gzip, Self::Snappy, Self::Lz4, Self::Zstd];

    /// Kafka's name, as in `compression.type`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Snappy => "snappy",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }

    /// The number in a batch's attributes.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The compression with this number in a batch's attributes.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::None),
            1 => Some(Self::Gzip),
            2 => Some(Self::Snappy),
            3 => Some(Self::Lz4),
            4 => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Decompresses `payload` into `scratch` and returns it there; at most `limit` bytes.
    pub(in crate::records) fn decompress<'s>(
        self,
        payload: &[u8],
        scratch: &'s mut Scratch,
        limit: usize,
    ) -> Result<&'s [u8], Fault> {
        scratch.out.clear();
        match self {
            Self::None if payload.len() > limit => return Err(Fault::TooLarge),
            Self::None => scratch.out.extend_from_slice(payload),
            Self::Gzip => gzip::decompress(payload, &mut scratch.out, limit)?,
            Self::Snappy => snappy::decompress(payload, &mut scratch.out, limit)?,
            Self::Lz4 => lz4::decompress(payload, &mut scratch.out, limit)?,
            Self::Zstd => zstandard::decompress(payload, scratch, limit)?,
        }
        Ok(&scratch.out)
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl FromStr for Compression {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|compression| compression.name() == name)
            .ok_or_else(|| format!("unknown compression `{name}`: use none, gzip, snappy, lz4 or zstd"))
    }
}
