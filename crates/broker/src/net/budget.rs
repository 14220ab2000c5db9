use std::cell::Cell;
use std::rc::Rc;

use tokio::sync::Notify;

/// Bytes of requests that all connections together may hold. Who finds too few left does not read on from its socket.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u64>,
    total: u64,
    freed: Notify,
}

/// Bytes taken from a budget; given back when dropped.
#[derive(Debug)]
pub(crate) struct Taken {
    budget: Rc<Budget>,
    bytes: u64,
}

impl Budget {
    pub(crate) fn new(total: u64) -> Rc<Self> {
        Rc::new(Self { left: Cell::new(total), total, freed: Notify::new() })
    }

    /// Waits until `bytes` are left, or all of them where more is asked for than there is.
    pub(crate) async fn take(self: &Rc<Self>, bytes: u64) -> Taken {
        let bytes = bytes.min(self.total);
        loop {
            let freed = self.freed.notified();
            if self.left.get() >= bytes {
                self.left.set(self.left.get() - bytes);
                return Taken { budget: Rc::clone(self), bytes };
            }
            freed.await;
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.budget.left.set(self.budget.left.get() + self.bytes);
        self.budget.freed.notify_waiters();
    }
}
