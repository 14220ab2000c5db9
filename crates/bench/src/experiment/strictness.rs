use groma_scalability::Validity;

/// How strictly what the machine did is held against a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Strictness {
    /// As a measurement has to be.
    Full,
    /// Hardly, so that a test of what a benchmark does comes to an end on a machine that is busy with other work. Every
    /// cell says so, and a resumed run does not take it for a measured one.
    Loose,
}

impl Strictness {
    /// Full, unless [`LOOSENED`] is set to `loose`.
    pub(crate) fn detect() -> Self {
        Self::named(&std::env::var(LOOSENED).unwrap_or_default())
    }

    fn named(asked: &str) -> Self {
        if asked == LOOSE { Self::Loose } else { Self::Full }
    }

    /// From where on conditions make a cell invalid.
    pub(super) fn validity(self) -> Validity {
        match self {
            Self::Full => Validity::default(),
            Self::Loose => Validity { generator_short: 0.2, generator_core: 1.5, steal: 1.0, gap_ms: 2000.0 },
        }
    }

    /// What people are told of it; nothing where all is as it has to be.
    pub(super) const fn doubt(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::Loose => Some("no measurement: GROMA_VALIDITY=loose holds next to nothing against it"),
        }
    }
}

/// For tests alone: set to `loose`, a busy machine does not make cells invalid.
const LOOSENED: &str = "GROMA_VALIDITY";
const LOOSE: &str = "loose";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_itself_loosens() {
        for asked in ["", "strict", "Loose", "1"] {
            assert_eq!(Strictness::named(asked), Strictness::Full, "{asked}");
            assert_eq!(Strictness::named(asked).validity(), Validity::default());
        }
        assert!(Strictness::named("loose").doubt().is_some_and(|doubt| doubt.contains(LOOSENED)));
    }
}
