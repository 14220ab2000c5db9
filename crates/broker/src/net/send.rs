use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IoSlice};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use rustix::net::SendFlags;
use tokio::io::Interest;
use tokio::net::TcpStream;

use super::reply::Piece;

/// Sends pieces in order: bytes by vectored write, ranges of files by sendfile.
pub(super) async fn send(stream: &TcpStream, pieces: Vec<Piece>) -> io::Result<()> {
    let mut pieces = VecDeque::from(pieces);
    while !pieces.is_empty() {
        match stream.try_io(Interest::WRITABLE, || send_some(stream, &mut pieces)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => stream.writable().await?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Sends what the socket takes of the first pieces.
fn send_some(stream: &TcpStream, pieces: &mut VecDeque<Piece>) -> io::Result<()> {
    match pieces.front_mut() {
        None => Ok(()),
        Some(Piece::File { file, position, len }) => {
            send_file(stream, file, position, len)?;
            if *len == 0 {
                pieces.pop_front();
            }
            Ok(())
        }
        Some(Piece::Bytes(_)) => send_bytes(stream, pieces),
    }
}

fn send_file(stream: &TcpStream, file: &Arc<File>, position: &mut u64, len: &mut u64) -> io::Result<()> {
    let most = usize::try_from(*len).unwrap_or(usize::MAX);
    match rustix::fs::sendfile(stream, &**file, Some(position), most)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        sent => {
            *len -= sent as u64;
            Ok(())
        }
    }
}

/// A single piece before a range of a file is held back by the system, so that no small packet goes out alone.
fn send_bytes(stream: &TcpStream, pieces: &mut VecDeque<Piece>) -> io::Result<()> {
    let run = pieces.iter().map_while(|piece| match piece {
        Piece::Bytes(bytes) => Some(bytes),
        Piece::File { .. } => None,
    });
    let run: Vec<&Bytes> = run.take(SLICES_MAX).collect();
    let flags = if run.len() < pieces.len() { SendFlags::MORE } else { SendFlags::empty() };
    let mut sent = match run[..] {
        [only] => rustix::net::send(stream, only, flags | SendFlags::NOSIGNAL)?,
        _ => {
            let slices: Vec<IoSlice<'_>> = run.iter().map(|bytes| IoSlice::new(bytes)).collect();
            rustix::io::writev(stream, &slices)?
        }
    };
    while let Some(Piece::Bytes(bytes)) = pieces.front_mut() {
        let of_this = sent.min(bytes.len());
        bytes.advance(of_this);
        sent -= of_this;
        if !bytes.is_empty() {
            break;
        }
        pieces.pop_front();
    }
    Ok(())
}

const SLICES_MAX: usize = 64;
