use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, Bytes};
use groma_session::net::{LinkId, NetInput, Peer};
use groma_wire::{FrameDecoder, FrameError};
use rustix::net::sockopt;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::Mind;
use super::shell::Shared;

/// A socket as the shell holds it.
pub(super) struct Link {
    pub(super) outbox: mpsc::Sender<Vec<Bytes>>,
    pub(super) task: AbortHandle,
}

/// Opens a connection, then reads and writes until one of the two ends.
pub(super) async fn run<M: Mind>(shared: Arc<Shared<M>>, id: LinkId, peer: Peer, inbox: mpsc::Receiver<Vec<Bytes>>) {
    shared.input(match open(&peer).await {
        Ok(stream) => match serve(&shared, id, stream, inbox).await {
            Ok(()) => NetInput::Closed(id, "the far end closed the connection".to_owned()),
            Err(Broken::Socket(error)) => NetInput::Closed(id, error.to_string()),
            Err(Broken::Frame(error)) => NetInput::Garbled(id, error.to_string()),
        },
        Err(error) => NetInput::Closed(id, error.to_string()),
    });
}

/// Why a connection ended.
enum Broken {
    Socket(io::Error),
    /// What arrived is no frame.
    Frame(FrameError),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Socket(error)
    }
}

async fn open(peer: &Peer) -> io::Result<TcpStream> {
    let named = (peer.address.host.as_str(), peer.address.port);
    let found: Vec<SocketAddr> = tokio::net::lookup_host(named).await?.collect();
    TcpStream::connect(found.as_slice()).await
}

async fn serve<M: Mind>(
    shared: &Arc<Shared<M>>,
    id: LinkId,
    mut stream: TcpStream,
    inbox: mpsc::Receiver<Vec<Bytes>>,
) -> Result<(), Broken> {
    prepare(&stream)?;
    shared.input(NetInput::Opened(id));
    let (reader, writer) = stream.split();
    tokio::select! {
        ended = read(shared, id, reader) => ended,
        ended = write(writer, inbox) => Ok(ended?),
    }
}

/// Small requests go out at once, and a peer that is gone is noticed although nothing is sent: a parked JoinGroup may
/// wait for minutes without a byte.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, KEEPALIVE_IDLE)?;
    sockopt::set_tcp_keepintvl(stream, KEEPALIVE_INTERVAL)?;
    sockopt::set_tcp_keepcnt(stream, KEEPALIVE_PROBES)?;
    Ok(())
}

async fn read<M: Mind>(shared: &Arc<Shared<M>>, id: LinkId, mut reader: impl AsyncRead + Unpin) -> Result<(), Broken> {
    let limit = shared.max_frame_bytes();
    let mut decoder = FrameDecoder::with_eager(limit, limit.min(EAGER));
    loop {
        while let Some(frame) = decoder.next_frame().map_err(Broken::Frame)? {
            shared.input(NetInput::Frame(id, frame));
        }
        if reader.read_buf(decoder.buffer()).await? == 0 {
            return Ok(());
        }
    }
}

async fn write(mut writer: impl AsyncWrite + Unpin, mut inbox: mpsc::Receiver<Vec<Bytes>>) -> io::Result<()> {
    let mut queue: VecDeque<Bytes> = VecDeque::new();
    while let Some(parts) = inbox.recv().await {
        queue.extend(parts);
        while let Ok(parts) = inbox.try_recv() {
            queue.extend(parts);
        }
        while !queue.is_empty() {
            let slices: Vec<IoSlice<'_>> = queue.iter().take(SLICES).map(|part| IoSlice::new(part)).collect();
            let written = writer.write_vectored(&slices).await?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            consume(&mut queue, written);
        }
    }
    Ok(())
}

fn consume(queue: &mut VecDeque<Bytes>, mut written: usize) {
    while let Some(front) = queue.front_mut() {
        if front.len() > written {
            front.advance(written);
            return;
        }
        written -= front.len();
        queue.pop_front();
    }
}

/// Silence after which the peer is probed.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(4);
/// The time between probes.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
/// Probes without an answer that end the connection.
const KEEPALIVE_PROBES: u32 = 3;
/// Room made at once for a frame that has been announced.
const EAGER: usize = 16 << 20;
/// Buffers handed to the system in one call.
const SLICES: usize = 64;
