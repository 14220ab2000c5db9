use std::fmt;

use groma_model::Span;

/// How an attempt to reach a broker ended that never came to a first answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// No connection could be opened: nobody listens, no way leads there, or the name does not resolve. What the system
    /// said.
    Unopened(String),
    /// No connection was open in time.
    Unreached {
        /// How long was waited.
        after: Span,
    },
    /// There was a connection, and no answer in time.
    Silent {
        /// How long was waited.
        after: Span,
    },
    /// There was a connection, and it ended before an answer. What the system said.
    Closed(String),
    /// What was answered is not Kafka's protocol.
    Foreign(String),
    /// It speaks Kafka's protocol, but does not tell of its cluster.
    Untold(String),
}

impl Ending {
    /// Whether another attempt at once will most likely end the same way. After a silence it need not: a broker that is
    /// busy answers in the end.
    pub const fn is_certain(&self) -> bool {
        match self {
            Self::Unopened(_) | Self::Closed(_) | Self::Foreign(_) => true,
            Self::Unreached { .. } | Self::Silent { .. } | Self::Untold(_) => false,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unopened(cause) => f.write_str(cause),
            Self::Unreached { after } => write!(f, "no connection within {}", Seconds(*after)),
            Self::Silent { after } => write!(f, "connected, but no answer within {}", Seconds(*after)),
            Self::Closed(cause) => write!(f, "connected, but no answer: {cause}"),
            Self::Foreign(offence) => write!(f, "it does not speak Kafka's protocol: {offence}"),
            Self::Untold(cause) => write!(f, "it does not tell of its cluster: {cause}"),
        }
    }
}

/// A span as people say it: whole seconds where there are some.
struct Seconds(Span);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            millis if millis < 1000 => write!(f, "{millis} ms"),
            millis => write!(f, "{} s", (millis + 500) / 1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_told_in_seconds_where_there_are_some() {
        let told = |millis| Ending::Silent { after: Span::from_millis(millis) }.to_string();
        assert_eq!(told(5000), "connected, but no answer within 5 s");
        assert_eq!(told(399), "connected, but no answer within 399 ms");
    }
}
