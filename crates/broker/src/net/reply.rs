use std::cell::{Cell, RefCell};
use std::fs::File;
use std::sync::Arc;

use bytes::Bytes;
use groma_node::Offence;
use tokio::sync::Notify;

/// What a connection does next.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Send these, in order.
    Send(Vec<Piece>),
    /// Nothing: go on with the next request.
    Silence,
    /// End it.
    Close(Offence),
}

/// A stretch of an answer.
#[derive(Debug)]
pub(crate) enum Piece {
    Bytes(Bytes),
    File { file: Arc<File>, position: u64, len: u64 },
}

impl Piece {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { len, .. } => *len,
        }
    }
}

/// Where the answer to a connection's request is left.
#[derive(Debug, Default)]
pub(crate) struct ReplySlot {
    reply: RefCell<Option<Reply>>,
    left: Notify,
    unsent: Cell<bool>,
}

impl ReplySlot {
    pub(crate) fn put(&self, reply: Reply) {
        self.unsent.set(true);
        *self.reply.borrow_mut() = Some(reply);
        self.left.notify_one();
    }

    pub(crate) fn take(&self) -> Option<Reply> {
        self.reply.borrow_mut().take()
    }

    /// Whether an answer is on its way to the client.
    pub(crate) fn is_unsent(&self) -> bool {
        self.unsent.get()
    }

    /// The answer is out.
    pub(crate) fn sent(&self) {
        self.unsent.set(false);
    }

    /// Waits for the answer.
    pub(crate) async fn wait(&self) -> Reply {
        loop {
            if let Some(reply) = self.take() {
                return reply;
            }
            self.left.notified().await;
        }
    }
}
