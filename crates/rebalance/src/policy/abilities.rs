use std::fmt;

/// What a member understands, and wants, beyond Kafka's own protocol. Members announce theirs; a group does what all of
/// its members have in common, so that a rolling bounce can move it from one policy to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Abilities(u8);

impl Abilities {
    /// Two rounds, as Kafka's own members.
    pub const NONE: Self = Self(0);
    /// Lost resources may wait for their owner (Design II).
    pub const DEFERRAL: Self = Self(1);
    /// Moves may be spread over several rounds (Design III).
    pub const PACING: Self = Self(2);
    /// All that are known.
    pub const ALL: Self = Self(3);

    /// Those of a byte of the wire; unknown ones are dropped.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// As a byte of the wire.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Those of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of both.
    #[must_use]
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether all of the other's are among them.
    pub const fn cover(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl fmt::Display for Abilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.cover(Self::DEFERRAL), self.cover(Self::PACING)) {
            (false, false) => "none",
            (true, false) => "deferral",
            (false, true) => "pacing",
            (true, true) => "deferral and pacing",
        })
    }
}
