/// How a leader says what it gives. It belongs to the name of the protocol, so a group never mixes the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// All that a member is to hold. A static member that comes back is given all of it without a round.
    #[default]
    Full,
    /// Only what a member is to start and to stop, as in Kafka Connect: fewer bytes where members hold much. Not for
    /// static members: one that comes back is given its last assignment again, and could not know the rest of it.
    Delta,
}

/// What names of protocols end in under which a leader gives changes.
pub(super) const DELTA_SUFFIX: &str = "-delta";

impl Shape {
    /// The name of a protocol in this shape.
    pub(super) fn name(self, protocol: &str) -> String {
        match self {
            Self::Full => protocol.to_owned(),
            Self::Delta => format!("{protocol}{DELTA_SUFFIX}"),
        }
    }
}
