use groma_model::Offset;

/// What is wrong with bytes that should be record batches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordsError {
    /// The batch's length field is smaller than the fixed header.
    #[error("batch at offset {offset} says it is {length} bytes long, less than its own header")]
    BatchTooShort {
        /// The batch's base offset.
        offset: Offset,
        /// The length field.
        length: i32,
    },
    /// A message set of an older format (0 or 1), or no record batch at all.
    #[error("batch at offset {offset} has record format {magic}; only format 2 is supported")]
    UnsupportedFormat {
        /// The batch's base offset.
        offset: Offset,
        /// The format ("magic") byte.
        magic: i8,
    },
    /// The attributes name a compression that does not exist.
    #[error("batch at offset {offset} has unknown compression {code}")]
    UnknownCompression {
        /// The batch's base offset.
        offset: Offset,
        /// The low three bits of the attributes.
        code: u8,
    },
    /// The number of records is negative.
    #[error("batch at offset {offset} says it has {count} records")]
    NegativeCount {
        /// The batch's base offset.
        offset: Offset,
        /// The count field.
        count: i32,
    },
    /// The bytes are not those that the writer sent.
    #[error("batch at offset {offset} fails its checksum: {stored:#010x} stored, {computed:#010x} computed")]
    Checksum {
        /// The batch's base offset.
        offset: Offset,
        /// The CRC32C in the header.
        stored: u32,
        /// The CRC32C of the bytes.
        computed: u32,
    },
    /// The compressed part cannot be decompressed.
    #[error("batch at offset {offset} is not valid {codec}: {detail}")]
    Decompress {
        /// The batch's base offset.
        offset: Offset,
        /// The compression's name.
        codec: &'static str,
        /// What the codec objects to.
        detail: &'static str,
    },
    /// The records are larger than the reader allows.
    #[error("batch at offset {offset} is larger than {limit} bytes when decompressed")]
    TooLarge {
        /// The batch's base offset.
        offset: Offset,
        /// The reader's limit in bytes.
        limit: usize,
    },
    /// A record's fields do not fit its length, or its length does not fit the batch.
    #[error("record {index} of the batch at offset {offset} is malformed")]
    MalformedRecord {
        /// The batch's base offset.
        offset: Offset,
        /// The record's number within the batch, from 0.
        index: i32,
    },
    /// Bytes are left behind the last record.
    #[error("batch at offset {offset} has {bytes} bytes after its last record")]
    TrailingBytes {
        /// The batch's base offset.
        offset: Offset,
        /// How many bytes.
        bytes: usize,
    },
}
