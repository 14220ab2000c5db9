use std::fmt;
use std::sync::Arc;

/// Something that may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Act {
    /// An absent process starts, and the coordinator hears of it: that it was under way for longer is as if it had
    /// started later.
    Start(usize),
    /// A process is killed; what it has sent arrives or does not.
    Kill(usize, Mail),
    /// The coordinator takes the next request of a process.
    Request(usize),
    /// A process takes the next answer.
    Reply(usize),
    /// The next answer to a process will be under way until the clock has moved.
    Hold(usize),
    /// An application has stopped what it was told to stop first.
    Stopped(usize),
    /// The clock moves to the next deadline; all timers that are due fire.
    Clock,
}

/// What becomes of the requests of a process that is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mail {
    Arrives,
    IsLost,
}

/// How a world was reached, the last step first.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) act: Act,
    pub(super) before: Option<Arc<Self>>,
}

/// Step by step: a path may be longer than the stack is deep.
impl Drop for Path {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut path) = before.and_then(Arc::into_inner) {
            before = path.before.take();
        }
    }
}

impl Path {
    /// The steps in order.
    pub(super) fn acts(last: Option<&Arc<Self>>) -> Vec<Act> {
        let mut acts: Vec<Act> =
            std::iter::successors(last, |path| path.before.as_ref()).map(|path| path.act).collect();
        acts.reverse();
        acts
    }
}

/// Processes as people call them.
pub(super) fn name(place: usize) -> char {
    char::from(b'A' + place as u8)
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(place) => write!(f, "{} starts", name(*place)),
            Self::Kill(place, Mail::Arrives) => write!(f, "{} is killed", name(*place)),
            Self::Kill(place, Mail::IsLost) => write!(f, "{} is killed, with what it has sent", name(*place)),
            Self::Request(place) => write!(f, "the coordinator hears {}", name(*place)),
            Self::Reply(place) => write!(f, "{} hears the coordinator", name(*place)),
            Self::Hold(place) => write!(f, "what the coordinator says to {} takes its time", name(*place)),
            Self::Stopped(place) => write!(f, "{} has stopped what it was told to", name(*place)),
            Self::Clock => f.write_str("time passes"),
        }
    }
}
