use std::cell::RefCell;
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use groma_node::Input;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::LocalSet;

use crate::shell::Shell;
use crate::{BrokerConfig, StartError, address, net, opening};

/// A running broker. Dropping it stops it.
#[derive(Debug)]
pub struct Broker {
    address: SocketAddr,
    advertised: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How long answers on their way out may take when the broker stops.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often the node is told the time of day.
const WALL: Duration = Duration::from_secs(10);

impl Broker {
    /// Starts a broker in a thread of its own; it accepts connections when this returns.
    ///
    /// # Errors
    /// When the address cannot be listened on or the data folder cannot be used.
    pub fn start(config: BrokerConfig) -> Result<Self, StartError> {
        let listener = address::listen(&config.listen)?;
        let bound =
            listener.local_addr().map_err(|source| StartError::Listen { address: config.listen.clone(), source })?;
        let advertised = match &config.advertise {
            Some(advertise) => advertise.clone(),
            None => address::reachable(bound).to_string(),
        };
        let (host, port) = address::split(&advertised)
            .ok()
            .filter(|(_, port)| *port > 0)
            .ok_or_else(|| StartError::Advertised(advertised.clone()))?;
        if !bound.ip().is_loopback() {
            eprintln!(
                "broker: listening on {bound} without authentication: whoever reaches it may read, write and delete"
            );
        }
        let (started, start) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("groma-broker".to_owned()).spawn(move || {
            match opening::open(&config, host, port).and_then(|shell| Ok((shell, runtime()?))) {
                Ok((shell, runtime)) => {
                    let _ = started.send(Ok(()));
                    run(&runtime, shell, listener, stopped);
                }
                Err(error) => drop(started.send(Err(error))),
            }
        });
        let thread = thread.map_err(StartError::Thread)?;
        match start.recv() {
            Ok(Ok(())) => Ok(Self { address: bound, advertised, stop: Some(stop), thread: Some(thread) }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(StartError::Thread(std::io::Error::other("it ended at once"))),
        }
    }

    /// Where it listens; with port 0 asked for, the port it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The `bootstrap.servers` value for clients.
    pub fn bootstrap(&self) -> String {
        self.advertised.clone()
    }

    /// Answers what is parked, writes what is buffered and ends, within 5 s.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.end();
    }
}

fn runtime() -> Result<Runtime, StartError> {
    Builder::new_current_thread().enable_io().enable_time().build().map_err(StartError::Thread)
}

fn run(runtime: &Runtime, shell: Shell, listener: TcpListener, stopped: oneshot::Receiver<()>) {
    let shell = Rc::new(RefCell::new(shell));
    let local = LocalSet::new();
    local.block_on(runtime, async {
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
        tokio::select! {
            () = net::accept(listener, Rc::clone(&shell)) => {}
            () = ring(&shell) => {}
            () = tell_wall(&shell) => {}
            _ = stopped => {}
        }
        farewell(&shell).await;
    });
    shell.borrow().close();
}

/// Wakes the node when it wants to be woken.
async fn ring(shell: &RefCell<Shell>) {
    loop {
        let (alarm, moved) = shell.borrow().alarm();
        match alarm {
            Some(at) if at <= Instant::now() => shell.borrow_mut().feed(Input::Tick),
            Some(at) => drop(tokio::time::timeout_at(at.into(), moved.notified()).await),
            None => moved.notified().await,
        }
    }
}

async fn tell_wall(shell: &RefCell<Shell>) {
    loop {
        tokio::time::sleep(WALL).await;
        shell.borrow_mut().feed(Input::Wall(crate::clock::Clock::wall()));
    }
}

/// Answers who waits, and gives the answers time to go out.
async fn farewell(shell: &RefCell<Shell>) {
    shell.borrow_mut().feed(Input::Stop);
    let deadline = Instant::now() + FAREWELL;
    while shell.borrow().is_answering() && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
