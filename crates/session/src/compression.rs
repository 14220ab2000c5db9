/// How a batch's records are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip.
    Gzip,
    /// snappy in Xerial framing.
    Snappy,
    /// lz4 frames.
    Lz4,
    /// zstd.
    Zstd,
}
