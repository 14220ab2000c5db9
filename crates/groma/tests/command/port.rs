use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::program::LIMIT;

/// A port behind which there is no Kafka.
pub(crate) struct Port {
    pub(crate) address: String,
    called: Receiver<()>,
}

/// What it does with whoever connects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    /// It says nothing.
    Silent,
    /// It closes the connection.
    Closing,
    /// It answers in another protocol.
    Web,
}

impl Port {
    pub(crate) fn open(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (caller, called) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let caller = caller.clone();
                std::thread::spawn(move || manner.receive(stream, &caller));
            }
        });
        Self { address, called }
    }

    /// Waits until somebody has connected and asked something.
    pub(crate) fn is_called(&self) -> bool {
        self.called.recv_timeout(LIMIT).is_ok()
    }
}

impl Manner {
    fn receive(self, mut stream: TcpStream, caller: &Sender<()>) {
        let mut asked = [0; 64];
        match self {
            Self::Closing => {}
            Self::Web => {
                let _ = stream.read(&mut asked).and_then(|_| stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
            }
            Self::Silent => {
                while stream.read(&mut asked).is_ok_and(|read| read > 0) {
                    let _ = caller.send(());
                }
            }
        }
    }
}

/// An address where nobody listens: no port that is given out to who asks for a free one.
pub(crate) fn nobody() -> String {
    "127.0.0.1:1".to_owned()
}

/// An address whose name is longer than a name may be, so that no resolver has to be asked.
pub(crate) fn nameless() -> String {
    format!("{}:9092", "x".repeat(64))
}

/// Every command that talks to a Kafka; `bench run` writes to `out`.
pub(crate) fn commands(address: &str, out: &str) -> Vec<Vec<String>> {
    let commands = [
        "topic list",
        "topic create t",
        "topic describe t",
        "topic delete t",
        "group list",
        "group describe g",
        "load --rate 10 --keys 1 --duration 1s",
        "load --rate 2000000 --keys 10 --duration 1s",
        "instance uc1",
        "instance uc2",
        &format!("bench run uc2 --out {out}"),
    ];
    let words = |command: &str| format!("{command} --bootstrap {address}").split(' ').map(str::to_owned).collect();
    commands.into_iter().map(words).collect()
}
