use std::ops::RangeInclusive;

/// The kind of a setting's value, as DescribeConfigs names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Text,
    Int,
    Long,
    Double,
    List,
}

impl Kind {
    /// The number DescribeConfigs uses (KIP-569).
    pub(crate) const fn code(self) -> i8 {
        match self {
            Self::Bool => 1,
            Self::Text => 2,
            Self::Int => 3,
            Self::Long => 5,
            Self::Double => 6,
            Self::List => 7,
        }
    }
}

pub(crate) fn parse_bool(value: &str) -> Result<bool, String> {
    value.to_ascii_lowercase().parse().map_err(|_| "true or false".to_owned())
}

pub(crate) fn parse_i64(value: &str, range: RangeInclusive<i64>) -> Result<i64, String> {
    match value.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("a whole number from {} to {}", range.start(), range.end())),
    }
}
