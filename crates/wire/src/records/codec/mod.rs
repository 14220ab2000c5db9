//! The compressions of record batches.

mod compression;
mod compressor;
mod fault;
mod gzip;
mod lz4;
mod snappy;
mod zstandard;

pub use compression::Compression;
pub(super) use compressor::Compressor;
pub(super) use fault::Fault;
