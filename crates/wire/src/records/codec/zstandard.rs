use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound};

use super::Fault;
use super::compressor::Compressor;
use crate::records::Scratch;

const LEVEL: i32 = 3;
/// What the C library answers when the output does not fit (`ZSTD_error_dstSize_tooSmall`).
const OUTPUT_TOO_SMALL: usize = 70_usize.wrapping_neg();
/// First guess of the output's size, in multiples of the input's.
const FIRST_RATIO: usize = 8;
/// A block of one repeated byte turns 4 bytes into 128 KiB; nothing can come out larger.
const MAX_RATIO: usize = 32 * 1024;

/// Decompresses in one pass, so that no window is allocated on the frame's word; the room doubles as it proves needed.
pub(super) fn decompress(payload: &[u8], scratch: &mut Scratch, limit: usize) -> Result<(), Fault> {
    let Scratch { out, zstd, .. } = scratch;
    let context = zstd.get_or_insert_with(DCtx::create);
    let most = limit.min(payload.len().saturating_mul(MAX_RATIO));
    let mut room = out.capacity().max(payload.len().saturating_mul(FIRST_RATIO)).max(64).min(most);
    loop {
        out.clear();
        out.reserve_exact(room);
        match context.decompress(out, payload) {
            Ok(_) if out.len() > limit => return Err(Fault::TooLarge),
            Ok(_) => return Ok(()),
            Err(OUTPUT_TOO_SMALL) if room < most => room = room.saturating_mul(2).min(most),
            Err(OUTPUT_TOO_SMALL) if most < limit => {
                return Err(Fault::Invalid("frame says it is larger than it can be"));
            }
            Err(OUTPUT_TOO_SMALL) => return Err(Fault::TooLarge),
            Err(_) => return Err(Fault::Invalid("broken or cut frame")),
        }
    }
}

pub(super) fn compress(payload: &[u8], out: &mut Vec<u8>, compressor: &mut Compressor) -> Option<()> {
    let context = compressor.zstd.get_or_insert_with(CCtx::create);
    context.set_parameter(CParameter::CompressionLevel(LEVEL)).ok()?;
    let start = out.len();
    out.resize(start + compress_bound(payload.len()), 0);
    let len = context.compress2(&mut out[start..], payload).ok()?;
    out.truncate(start + len);
    Some(())
}
