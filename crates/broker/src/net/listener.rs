use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::spawn_local;

use super::budget::Budget;
use super::connection::{Connection, End};
use crate::shell::Shell;

/// How long to wait when the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until the listener is dropped.
pub(crate) async fn accept(listener: TcpListener, shell: Rc<RefCell<Shell>>) {
    let settings = shell.borrow().settings().clone();
    let budget = Budget::new(settings.queued_max_bytes);
    let mut told = false;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                eprintln!("broker: cannot accept a connection: {error}");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        if shell.borrow().connections() >= settings.max_connections {
            if !told {
                eprintln!(
                    "broker: more than max.connections={} at once, further ones are closed",
                    settings.max_connections
                );
            }
            told = true;
            continue;
        }
        open(stream, &shell, &budget);
    }
}

fn open(stream: TcpStream, shell: &Rc<RefCell<Shell>>, budget: &Rc<Budget>) {
    let Ok(peer) = stream.peer_addr() else { return };
    // Answers are whole when they are sent: waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let (id, slot) = shell.borrow_mut().connect(format!("/{}", peer.ip()));
    let settings = shell.borrow().settings().clone();
    let connection = Connection {
        id,
        stream,
        shell: Rc::clone(shell),
        slot,
        budget: Rc::clone(budget),
        request_max_bytes: settings.request_max_bytes as usize,
        idle_max: Duration::from_millis(settings.connections_max_idle.as_millis()),
    };
    spawn_local(async move {
        match connection.run().await {
            End::Gone | End::Idle => {}
            End::Frame(error) => eprintln!("broker: closed the connection from {peer}: {error}"),
            End::Offence(offence) => eprintln!("broker: closed the connection from {peer}: {}", offence_text(&offence)),
        }
    });
}

fn offence_text(offence: &groma_node::Offence) -> String {
    use groma_node::Offence;
    match offence {
        Offence::Malformed(what) => format!("its request cannot be read: {what}"),
        Offence::Unsupported { api, version } => {
            format!("it asked for API {api} in version {version}, which is not served")
        }
        Offence::UnacknowledgedProduce => "its produce without acknowledgement failed".to_owned(),
    }
}
