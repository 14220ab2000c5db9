use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use groma_node::{ConnectionId, Input, Offence};
use groma_wire::{FrameDecoder, FrameError};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::budget::{Budget, Taken};
use super::reply::{Piece, Reply, ReplySlot};
use super::send::send;
use crate::shell::Shell;

/// One client's connection. It hands in one request at a time and sends the answer before it takes the next.
pub(super) struct Connection {
    pub(super) id: ConnectionId,
    pub(super) stream: TcpStream,
    pub(super) shell: Rc<RefCell<Shell>>,
    pub(super) slot: Rc<ReplySlot>,
    pub(super) budget: Rc<Budget>,
    pub(super) request_max_bytes: usize,
    pub(super) idle_max: Duration,
}

/// Why a connection ends.
#[derive(Debug)]
pub(super) enum End {
    /// The client closed it, or it broke.
    Gone,
    /// It was silent for too long.
    Idle,
    /// The client announced a frame that is not taken.
    Frame(FrameError),
    /// The client did something it may not.
    Offence(Offence),
}

/// Room made at once for a frame whose bytes have not all arrived.
const EAGER: usize = 256 * 1024;
/// A larger buffer is given back when a connection falls silent.
const KEPT: usize = 64 * 1024;
/// When a connection counts as silent for that.
const SILENT: Duration = Duration::from_secs(2);
/// How long a frame that has begun may make no progress.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes read ahead while a request waits for its answer.
const AHEAD: usize = 64 * 1024;

impl Connection {
    pub(super) async fn run(self) -> End {
        let mut frames = FrameDecoder::with_eager(self.request_max_bytes, EAGER);
        let mut burst = Burst::default();
        let end = loop {
            match self.turn(&mut frames).await {
                Ok(bytes) => burst.add(bytes).await,
                Err(end) => break end,
            }
        };
        self.shell.borrow_mut().disconnect(self.id);
        end
    }

    /// One request and its answer; returns how many bytes they had.
    async fn turn(&self, frames: &mut FrameDecoder) -> Result<u64, End> {
        let (frame, _taken) = self.next_frame(frames).await?;
        let mut bytes = frame.len() as u64;
        self.shell.borrow_mut().feed(Input::Frame { connection: self.id, frame });
        let reply = match self.slot.take() {
            Some(reply) => reply,
            None => self.wait(frames).await?,
        };
        let result = match reply {
            Reply::Send(pieces) => {
                bytes += pieces.iter().map(Piece::len).sum::<u64>();
                match timeout(self.idle_max, send(&self.stream, pieces)).await {
                    Ok(sent) => sent.map_err(|_| End::Gone),
                    Err(_) => Err(End::Idle),
                }
            }
            Reply::Silence => Ok(()),
            Reply::Close(offence) => Err(End::Offence(offence)),
        };
        self.slot.sent();
        result.map(|()| bytes)
    }

    /// The next request; large ones wait for their share of the budget before they are read.
    async fn next_frame(&self, frames: &mut FrameDecoder) -> Result<(Bytes, Option<Taken>), End> {
        let mut taken = None;
        loop {
            if let Some(frame) = frames.next_frame().map_err(End::Frame)? {
                return Ok((frame, taken));
            }
            let announced = frames.buffer().first_chunk::<4>().map(|head| u32::from_be_bytes(*head));
            if let (None, Some(bytes @ LARGE..)) = (&taken, announced) {
                taken = Some(self.budget.take(u64::from(bytes)).await);
            }
            self.read(frames).await?;
        }
    }

    /// Reads what there is, or waits for it.
    async fn read(&self, frames: &mut FrameDecoder) -> Result<(), End> {
        loop {
            match self.stream.try_read_buf(frames.buffer()) {
                Ok(0) => return Err(End::Gone),
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.readable(frames).await?,
                Err(_) => return Err(End::Gone),
            }
        }
    }

    async fn readable(&self, frames: &mut FrameDecoder) -> Result<(), End> {
        if let Ok(ready) = timeout(SILENT, self.stream.readable()).await {
            return ready.map_err(|_| End::Gone);
        }
        if frames.buffered() == 0 && frames.buffer().capacity() > KEPT {
            *frames = FrameDecoder::with_eager(self.request_max_bytes, EAGER);
        }
        let patience = if frames.buffered() > 0 { STALLED.min(self.idle_max) } else { self.idle_max };
        let ready = timeout(patience.saturating_sub(SILENT), self.stream.readable()).await;
        ready.map_err(|_| End::Idle)?.map_err(|_| End::Gone)?;
        frames.buffer().reserve(KEPT);
        Ok(())
    }

    /// Waits for an answer, and notices when the client goes away meanwhile.
    async fn wait(&self, frames: &mut FrameDecoder) -> Result<Reply, End> {
        loop {
            if frames.buffered() >= AHEAD {
                return Ok(self.slot.wait().await);
            }
            tokio::select! {
                biased;
                reply = self.slot.wait() => return Ok(reply),
                ready = self.stream.readable() => ready.map_err(|_| End::Gone)?,
            }
            frames.buffer().reserve(READ);
            match self.stream.try_read_buf(frames.buffer()) {
                Ok(0) => return Err(End::Gone),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return Err(End::Gone),
            }
        }
    }
}

/// What a connection did without pause. After so much it lets the others go first, so that a client that sends without
/// end holds up nobody.
#[derive(Debug, Default)]
struct Burst {
    requests: u32,
    bytes: u64,
}

impl Burst {
    async fn add(&mut self, bytes: u64) {
        self.requests += 1;
        self.bytes += bytes;
        if self.requests >= BURST_REQUESTS || self.bytes >= BURST_BYTES {
            *self = Self::default();
            tokio::task::yield_now().await;
        }
    }
}

const BURST_REQUESTS: u32 = 16;
const BURST_BYTES: u64 = 512 * 1024;

/// Frames of this size or more count against the budget.
const LARGE: u32 = 64 * 1024;
/// Room for one read while waiting.
const READ: usize = 4096;
