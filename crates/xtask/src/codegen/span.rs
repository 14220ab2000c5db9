/// The highest version a definition can speak of.
const OPEN: i16 = i16::MAX;

/// A range of versions, both ends included; empty when `low > high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) low: i16,
    pub(crate) high: i16,
}

impl Span {
    pub(crate) const NONE: Self = Self { low: 0, high: -1 };

    /// Reads `3`, `3+`, `3-5` or `none`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<i16>().map_err(|_| format!("versions `{text}` cannot be read"));
        if text == "none" {
            return Ok(Self::NONE);
        }
        if let Some(low) = text.strip_suffix('+') {
            return Ok(Self { low: number(low)?, high: OPEN });
        }
        match text.split_once('-') {
            Some((low, high)) => Ok(Self { low: number(low)?, high: number(high)? }),
            None => Ok(Self { low: number(text)?, high: number(text)? }),
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub(crate) fn covers(self, other: Self) -> bool {
        other.is_empty() || (self.low <= other.low && self.high >= other.high)
    }

    pub(crate) fn versions(self) -> impl Iterator<Item = i16> {
        self.low..=self.high
    }

    pub(crate) fn contains(self, version: i16) -> bool {
        self.low <= version && version <= self.high
    }

    /// The Rust condition that `version`, known to be `within`, is in this range; none when it always is.
    pub(crate) fn condition(self, within: Self) -> Option<String> {
        match (self.low <= within.low, self.high >= within.high) {
            (true, true) => None,
            (true, false) => Some(format!("version <= {}", self.high)),
            (false, true) => Some(format!("version >= {}", self.low)),
            (false, false) if self.low == self.high => Some(format!("version == {}", self.low)),
            (false, false) => Some(format!("({}..={}).contains(&version)", self.low, self.high)),
        }
    }

    /// The Rust condition that `version`, known to be `within`, is not in this range; none when it always is.
    pub(crate) fn absence(self, within: Self) -> Option<String> {
        match (self.low <= within.low, self.high >= within.high) {
            (true, true) => None,
            (true, false) => Some(format!("version > {}", self.high)),
            (false, true) => Some(format!("version < {}", self.low)),
            (false, false) => Some(format!("!({}..={}).contains(&version)", self.low, self.high)),
        }
    }

    /// The range in words, for the documentation of a definition that has the versions `within`.
    pub(crate) fn words(self, within: Self) -> String {
        match (self.low <= within.low, self.high >= within.high) {
            (true, true) => "all versions".to_owned(),
            (true, false) => format!("up to version {}", self.high),
            (false, true) => format!("since version {}", self.low),
            (false, false) if self.low == self.high => format!("version {}", self.low),
            (false, false) => format!("versions {} to {}", self.low, self.high),
        }
    }
}
