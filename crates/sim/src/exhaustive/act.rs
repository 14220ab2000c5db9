use std::fmt;

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

impl Act {
    /// In one byte: what happens and at which of eight places.
    pub(super) const fn code(self) -> u8 {
        let (kind, at) = match self {
            Self::Start(at) => (0, at),
            Self::Kill(at, Mail::Arrives) => (1, at),
            Self::Kill(at, Mail::IsLost) => (2, at),
            Self::Request(at) => (3, at),
            Self::Reply(at) => (4, at),
            Self::Hold(at) => (5, at),
            Self::Stopped(at) => (6, at),
            Self::Clock => (7, 0),
        };
        kind << 3 | at as u8
    }

    pub(super) const fn from_code(code: u8) -> Self {
        let at = (code & 7) as usize;
        match code >> 3 {
            0 => Self::Start(at),
            1 => Self::Kill(at, Mail::Arrives),
            2 => Self::Kill(at, Mail::IsLost),
            3 => Self::Request(at),
            4 => Self::Reply(at),
            5 => Self::Hold(at),
            6 => Self::Stopped(at),
            _ => Self::Clock,
        }
    }

    /// Where it happens; nowhere, or everywhere, if it is the clock.
    pub(super) const fn place(self) -> Option<usize> {
        match self {
            Self::Start(at)
            | Self::Kill(at, _)
            | Self::Request(at)
            | Self::Reply(at)
            | Self::Hold(at)
            | Self::Stopped(at) => Some(at),
            Self::Clock => None,
        }
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
