//! LZ4 frames.
//!
//! Read here, block by block, from bytes at hand: checksummed or not, linked or independent blocks, with or without a
//! content size. The frame's own checksums are passed over, since the batch's CRC32C has covered the same bytes.

use std::io::Write;

use lz4_flex::block::{decompress_into, decompress_into_with_dict};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::Fault;

const MAGIC: u32 = 0x184D_2204;
const SKIPPABLE: u32 = 0x184D_2A50;
const SKIPPABLE_MASK: u32 = 0xFFFF_FFF0;
const STORED_BIT: u32 = 0x8000_0000;
/// How far back a linked block may point.
const WINDOW: usize = 64 * 1024;
/// LZ4's longest match adds 255 bytes of output for one of input.
const MAX_RATIO: usize = 255;

/// The parts of a frame's descriptor that reading needs.
#[derive(Clone, Copy)]
struct Descriptor {
    linked: bool,
    block_checksum: usize,
    content_checksum: usize,
    block_max: usize,
}

pub(super) fn decompress(payload: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
    let mut rest = payload;
    while !rest.is_empty() {
        let magic = word(&mut rest)?;
        if magic & SKIPPABLE_MASK == SKIPPABLE {
            let len = word(&mut rest)? as usize;
            cut(&mut rest, len)?;
        } else if magic == MAGIC {
            frame(&mut rest, out, limit)?;
        } else {
            return Err(Fault::Invalid("no frame begins where one should"));
        }
    }
    Ok(())
}

fn frame(rest: &mut &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
    let descriptor = descriptor(rest)?;
    let start = out.len();
    loop {
        let size = word(rest)?;
        if size == 0 {
            break;
        }
        let body = cut(rest, (size & !STORED_BIT) as usize)?;
        cut(rest, descriptor.block_checksum)?;
        if size & STORED_BIT != 0 {
            stored(body, out, limit)?;
        } else {
            let history = if descriptor.linked { start.max(out.len().saturating_sub(WINDOW)) } else { out.len() };
            block(body, out, history, descriptor.block_max.min(limit.saturating_sub(out.len())))?;
        }
    }
    cut(rest, descriptor.content_checksum)?;
    Ok(())
}

fn descriptor(rest: &mut &[u8]) -> Result<Descriptor, Fault> {
    let flags = cut(rest, 2)?;
    let (flg, bd) = (flags[0], flags[1]);
    if flg >> 6 != 1 {
        return Err(Fault::Invalid("unknown frame version"));
    }
    if flg & 0x01 != 0 {
        return Err(Fault::Invalid("frame needs a dictionary"));
    }
    let block_max = match (bd >> 4) & 7 {
        4 => 64 << 10,
        5 => 256 << 10,
        6 => 1 << 20,
        7 => 4 << 20,
        _ => return Err(Fault::Invalid("unknown block size")),
    };
    let content_size = if flg & 0x08 != 0 { 8 } else { 0 };
    cut(rest, content_size + 1)?;
    Ok(Descriptor {
        linked: flg & 0x20 == 0,
        block_checksum: if flg & 0x10 != 0 { 4 } else { 0 },
        content_checksum: if flg & 0x04 != 0 { 4 } else { 0 },
        block_max,
    })
}

fn stored(body: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
    if body.len() > limit.saturating_sub(out.len()) {
        return Err(Fault::TooLarge);
    }
    out.extend_from_slice(body);
    Ok(())
}

/// Decompresses one block behind `out`, of which the part from `history` on may be referred to; at most `room` bytes.
fn block(body: &[u8], out: &mut Vec<u8>, history: usize, room: usize) -> Result<(), Fault> {
    let start = out.len();
    let possible = body.len().saturating_mul(MAX_RATIO).saturating_add(64);
    out.resize(start + room.min(possible), 0);
    let (before, after) = out.split_at_mut(start);
    let dictionary = &before[history..];
    let written = if dictionary.is_empty() {
        decompress_into(body, after)
    } else {
        decompress_into_with_dict(body, after, dictionary)
    };
    match written {
        Ok(len) => {
            out.truncate(start + len);
            Ok(())
        }
        Err(lz4_flex::block::DecompressError::OutputTooSmall { .. }) => Err(Fault::TooLarge),
        Err(_) => Err(Fault::Invalid("broken block")),
    }
}

fn word(rest: &mut &[u8]) -> Result<u32, Fault> {
    let (word, after) = rest.split_first_chunk::<4>().ok_or(Fault::Invalid("frame cut off"))?;
    *rest = after;
    Ok(u32::from_le_bytes(*word))
}

fn cut<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a [u8], Fault> {
    let (head, after) = rest.split_at_checked(len).ok_or(Fault::Invalid("frame cut off"))?;
    *rest = after;
    Ok(head)
}

pub(super) fn compress(payload: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let info = FrameInfo::new().block_size(BlockSize::Max64KB).block_mode(BlockMode::Independent);
    let mut encoder = FrameEncoder::with_frame_info(info, out);
    encoder.write_all(payload).ok()?;
    encoder.finish().ok()?;
    Some(())
}
