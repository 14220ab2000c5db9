use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use groma_model::Time;
use groma_session::net::{LinkId, NetInput, NetOutput, Peer};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};
use tokio::task::AbortHandle;

use super::link::{self, Link};
use super::{Mind, Todo};

/// Runs a machine on the current tokio runtime until it is dropped.
pub(crate) struct Shell<M: Mind> {
    shared: Arc<Shared<M>>,
    timer: AbortHandle,
}

/// What the tasks of a shell share.
pub(super) struct Shared<M> {
    inner: Mutex<Inner<M>>,
    start: Instant,
    wake: Notify,
    rearm: Notify,
    runtime: Handle,
    max_frame_bytes: usize,
}

struct Inner<M> {
    mind: M,
    links: HashMap<LinkId, Link>,
    /// When the timer task will wake.
    armed: Time,
}

impl<M: Mind> Shell<M> {
    /// Starts the tasks on the runtime this is called from.
    pub(crate) fn start(mind: M, max_frame_bytes: usize) -> Self {
        let runtime = Handle::current();
        let inner = Mutex::new(Inner { mind, links: HashMap::new(), armed: Time::NEVER });
        let shared = Arc::new(Shared {
            inner,
            start: Instant::now(),
            wake: Notify::new(),
            rearm: Notify::new(),
            runtime: runtime.clone(),
            max_frame_bytes,
        });
        let timer = runtime.spawn(keep_time(Arc::clone(&shared))).abort_handle();
        Self { shared, timer }
    }

    /// Hands something to the machine and carries out what comes out.
    pub(crate) fn with<R>(&self, act: impl FnOnce(&mut M, Time) -> R) -> R {
        self.shared.with(act)
    }

    /// Looks at the machine, or hands it something that has no consequence beyond it.
    pub(crate) fn peek<R>(&self, act: impl FnOnce(&mut M) -> R) -> R {
        act(&mut self.shared.lock().mind)
    }

    /// Waits until `look` finds what it seeks; it looks again after every wake of the machine.
    pub(crate) async fn wait_for<R>(&self, mut look: impl FnMut(&mut M, Time) -> Option<R>) -> R {
        loop {
            let woken = self.shared.wake.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            if let Some(found) = self.with(&mut look) {
                return found;
            }
            woken.await;
        }
    }
}

impl<M: Mind> Drop for Shell<M> {
    fn drop(&mut self) {
        self.timer.abort();
        for (_, link) in self.shared.lock().links.drain() {
            link.task.abort();
        }
    }
}

impl<M: Mind> fmt::Debug for Shell<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shell").finish_non_exhaustive()
    }
}

impl<M: Mind> Shared<M> {
    pub(super) const fn max_frame_bytes(&self) -> usize {
        self.max_frame_bytes
    }

    /// Hands in what happened to a connection.
    pub(super) fn input(self: &Arc<Self>, input: NetInput) {
        self.with(|mind, now| mind.handle_net(now, input));
    }

    fn with<R>(self: &Arc<Self>, act: impl FnOnce(&mut M, Time) -> R) -> R {
        let now = self.now();
        let mut inner = self.lock();
        let result = act(&mut inner.mind, now);
        self.carry_out(&mut inner, now);
        let due = inner.mind.deadline().unwrap_or(Time::NEVER);
        if due < inner.armed {
            inner.armed = due;
            self.rearm.notify_one();
        }
        result
    }

    fn carry_out(self: &Arc<Self>, inner: &mut Inner<M>, now: Time) {
        while let Some(todo) = inner.mind.poll() {
            match todo {
                Todo::Wake => self.wake.notify_waiters(),
                Todo::Net(NetOutput::Open(id, peer)) => self.open(inner, id, peer),
                Todo::Net(NetOutput::Shut(id)) => {
                    if let Some(link) = inner.links.remove(&id) {
                        link.task.abort();
                    }
                }
                Todo::Net(NetOutput::Write(id, parts)) => self.write(inner, now, id, parts),
            }
        }
    }

    fn open(self: &Arc<Self>, inner: &mut Inner<M>, id: LinkId, peer: Peer) {
        let (outbox, inbox) = mpsc::channel(OUTBOX);
        let task = self.runtime.spawn(link::run(Arc::clone(self), id, peer, inbox)).abort_handle();
        inner.links.insert(id, Link { outbox, task });
    }

    fn write(&self, inner: &mut Inner<M>, now: Time, id: LinkId, parts: Vec<Bytes>) {
        let Some(link) = inner.links.get(&id) else { return };
        if link.outbox.try_send(parts).is_err() {
            link.task.abort();
            inner.links.remove(&id);
            inner.mind.handle_net(now, NetInput::Closed(id, "the connection takes no more requests".to_owned()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<M>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Time {
        Time(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}

async fn keep_time<M: Mind>(shared: Arc<Shared<M>>) {
    loop {
        let due = {
            let mut inner = shared.lock();
            inner.armed = inner.mind.deadline().unwrap_or(Time::NEVER);
            inner.armed
        };
        if due <= shared.now() {
            shared.input(NetInput::Tick);
            tokio::task::yield_now().await;
            continue;
        }
        let until = (due != Time::NEVER).then(|| shared.start + Duration::from_nanos(due.0));
        let sleep = async {
            match until {
                Some(until) => tokio::time::sleep_until(until.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = sleep => {}
            () = shared.rearm.notified() => {}
        }
    }
}

/// Requests that may wait for one socket.
const OUTBOX: usize = 1024;
