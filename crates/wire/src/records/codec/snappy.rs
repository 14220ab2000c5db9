use snap::raw::{Decoder, Encoder, decompress_len, max_compress_len};

use super::Fault;

/// How Java's snappy library begins a stream: magic, version 1, compatible with 1.
const JAVA_HEADER: [u8; 16] = [0x82, b'S', b'N', b'A', b'P', b'P', b'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1];
const JAVA_MAGIC_LEN: usize = 8;
/// Bytes of input per block, as Java's library writes by default.
const BLOCK: usize = 32 * 1024;
/// Snappy's longest copy turns 3 bytes into 64, so more than this many times the input cannot come out.
const MAX_RATIO: usize = 32;

pub(super) fn decompress(payload: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
    if !payload.starts_with(&JAVA_HEADER[..JAVA_MAGIC_LEN]) {
        return block(payload, out, limit);
    }
    let mut rest = payload.get(JAVA_HEADER.len()..).ok_or(Fault::Invalid("header cut off"))?;
    while !rest.is_empty() {
        let (len, after) = rest.split_first_chunk::<4>().ok_or(Fault::Invalid("block length cut off"))?;
        let len = u32::from_be_bytes(*len) as usize;
        let (body, next) = after.split_at_checked(len).ok_or(Fault::Invalid("block cut off"))?;
        block(body, out, limit)?;
        rest = next;
    }
    Ok(())
}

fn block(body: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
    let len = decompress_len(body).map_err(|_| Fault::Invalid("block without a length"))?;
    let start = out.len();
    if len > limit.saturating_sub(start) {
        return Err(Fault::TooLarge);
    }
    if len > body.len().saturating_mul(MAX_RATIO) {
        return Err(Fault::Invalid("block says it is larger than it can be"));
    }
    out.resize(start + len, 0);
    Decoder::new().decompress(body, &mut out[start..]).map_err(|_| Fault::Invalid("broken block"))?;
    Ok(())
}

pub(super) fn compress(payload: &[u8], out: &mut Vec<u8>, encoder: &mut Encoder) -> Option<()> {
    out.extend_from_slice(&JAVA_HEADER);
    for chunk in payload.chunks(BLOCK) {
        let at = out.len();
        out.resize(at + 4 + max_compress_len(chunk.len()), 0);
        let len = encoder.compress(chunk, &mut out[at + 4..]).ok()?;
        out[at..at + 4].copy_from_slice(&u32::try_from(len).ok()?.to_be_bytes());
        out.truncate(at + 4 + len);
    }
    Some(())
}
