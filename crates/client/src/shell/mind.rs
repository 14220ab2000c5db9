use groma_model::Time;
use groma_session::net::{NetInput, NetOutput};

/// A deciding machine that a shell runs.
pub(crate) trait Mind: Send + 'static {
    /// Takes in what happened to connections, and time.
    fn handle_net(&mut self, now: Time, input: NetInput);

    /// What is to be done; drained after everything that is handed in.
    fn poll(&mut self) -> Option<Todo>;

    /// When to hand in a tick.
    fn deadline(&self) -> Option<Time>;
}

/// What a machine wants done.
#[derive(Debug)]
pub(crate) enum Todo {
    /// Something about a connection.
    Net(NetOutput),
    /// Whoever waits should look again.
    Wake,
}
