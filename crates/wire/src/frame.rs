use bytes::{Buf, Bytes, BytesMut};
use thiserror::Error;

use crate::{Message, Reader, Request, RequestHeader, ResponseHeader, WireError, Writer};

/// Cuts a stream of bytes into frames: four bytes of size, then as many bytes.
///
/// Read from the socket into [`FrameDecoder::buffer`], then take frames with [`FrameDecoder::next_frame`] until there is
/// none. Frames are slices of the buffer. Room is made as bytes arrive, not as the peer promises.
#[derive(Debug)]
pub struct FrameDecoder {
    buffer: BytesMut,
    limit: usize,
    eager: usize,
}

/// Why a stream of bytes cannot be cut into frames; the connection is of no more use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The peer announces a frame larger than agreed.
    #[error("a frame of {size} bytes is above the limit of {limit}")]
    TooLarge {
        /// The size announced.
        size: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// The peer announces a negative size: it does not speak Kafka's protocol.
    #[error("a frame of {size} bytes: the peer does not speak Kafka's protocol")]
    Negative {
        /// The size announced.
        size: i32,
    },
}

impl FrameDecoder {
    /// A decoder that refuses frames of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), limit, eager: EAGER }
    }

    /// As [`FrameDecoder::new`], but makes room for frames of up to `eager` bytes at once: for peers that are trusted.
    pub fn with_eager(limit: usize, eager: usize) -> Self {
        Self { buffer: BytesMut::new(), limit, eager }
    }

    /// Where to append what was read. It has room for at least one byte after [`FrameDecoder::next_frame`] said none.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// How many bytes wait to be taken as frames.
    pub fn buffered(&self) -> usize {
        self.buffer.len()
    }

    /// The next whole frame without its size, or none yet.
    ///
    /// # Errors
    /// When the size announced is above the limit or negative.
    pub fn next_frame(&mut self) -> Result<Option<Bytes>, FrameError> {
        let Some(head) = self.buffer.first_chunk::<4>() else {
            self.buffer.reserve(READ);
            return Ok(None);
        };
        let size = self.checked_size(i32::from_be_bytes(*head))?;
        let held = self.buffer.len() - 4;
        if held < size {
            self.buffer.reserve((size - held).min(held.max(self.eager)).max(READ));
            return Ok(None);
        }
        self.buffer.advance(4);
        Ok(Some(self.buffer.split_to(size).freeze()))
    }

    fn checked_size(&self, size: i32) -> Result<usize, FrameError> {
        let limit = self.limit;
        match usize::try_from(size) {
            Ok(size) if size <= limit => Ok(size),
            Ok(size) => Err(FrameError::TooLarge { size, limit }),
            Err(_) => Err(FrameError::Negative { size }),
        }
    }
}

/// A request with its header, as the frame to be sent, size included.
///
/// # Errors
/// When there is no such version, it cannot carry what is set, or the frame is above 2 GiB.
pub fn frame_request<R: Request>(header: &RequestHeader, request: &R) -> Result<Writer, WireError> {
    framed(|w| {
        header.encode(w)?;
        request.encode(w, header.api_version)
    })
}

/// A response with its header, as the frame to be sent, size included.
///
/// # Errors
/// When there is no such version, it cannot carry what is set, or the frame is above 2 GiB.
pub fn frame_response<M: Message>(correlation_id: i32, version: i16, response: &M) -> Result<Writer, WireError> {
    framed(|w| {
        ResponseHeader { correlation_id }.encode(w, M::KEY, version);
        response.encode(w, version)
    })
}

/// Reads a frame (without its size) as the response to a request of `version`, up to its last byte.
///
/// # Errors
/// When the bytes are not such a response.
pub fn open_response<M: Message>(frame: Bytes, version: i16) -> Result<(ResponseHeader, M), WireError> {
    let mut r = Reader::new(frame);
    let header = ResponseHeader::decode(&mut r, M::KEY, version)?;
    let response = M::decode(&mut r, version)?;
    r.finish()?;
    Ok((header, response))
}

fn framed<F>(fill: F) -> Result<Writer, WireError>
where
    F: FnOnce(&mut Writer) -> Result<(), WireError>,
{
    let mut w = Writer::with_capacity(FRAME);
    w.i32(0);
    fill(&mut w)?;
    let length = w.len() - 4;
    let size = i32::try_from(length).map_err(|_| WireError::TooLong { length })?;
    w.patch(0, &size.to_be_bytes());
    Ok(w)
}

/// Room made at once for a frame whose bytes have not arrived.
const EAGER: usize = 64 * 1024;
/// Room made for the next read.
const READ: usize = 4096;
/// What most frames take without their payload.
const FRAME: usize = 256;
