use serde::Serialize;

/// How something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Somebody saw it.
    Observed,
    /// It follows from what was seen, by the rule that the note names.
    Inferred,
    /// Nothing that was seen tells; the note says what would.
    Unknown,
}

/// A value with how it is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Known<T> {
    /// The value; none when unknown.
    pub value: Option<T>,
    /// How it is known.
    pub basis: Basis,
    /// By what rule it was inferred, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl<T> Known<T> {
    /// Seen.
    pub const fn observed(value: T) -> Self {
        Self { value: Some(value), basis: Basis::Observed, note: None }
    }

    /// Follows from what was seen.
    pub fn inferred(value: T, note: impl Into<String>) -> Self {
        Self { value: Some(value), basis: Basis::Inferred, note: Some(note.into()) }
    }

    /// Not to be told.
    pub fn unknown(note: impl Into<String>) -> Self {
        Self { value: None, basis: Basis::Unknown, note: Some(note.into()) }
    }

    /// Another value known in the same way.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Known<U> {
        Known { value: self.value.map(change), basis: self.basis, note: self.note }
    }
}

impl<T: Clone> Known<T> {
    /// This, or where it is unknown the other.
    #[must_use]
    pub fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self.value.is_some() { self } else { other() }
    }
}
