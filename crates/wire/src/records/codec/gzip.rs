use std::io::{Read, Write};

use flate2::Compression as Level;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::Fault;

pub(super) fn decompress(payload: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
    let mut reader = MultiGzDecoder::new(payload).take(limit as u64 + 1);
    reader.read_to_end(out).map_err(|_| Fault::Invalid("broken or cut stream"))?;
    if out.len() > limit { Err(Fault::TooLarge) } else { Ok(()) }
}

pub(super) fn compress(payload: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut encoder = GzEncoder::new(out, Level::new(6));
    encoder.write_all(payload).ok()?;
    encoder.finish().ok()?;
    Some(())
}
