use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A length of time with its unit, such as `500ms`, `4s`, `2m` or `1h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration {
    /// Whole milliseconds.
    pub ms: u64,
}

/// A number of bytes with its unit, such as `64MiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Bytes.
    pub bytes: u64,
}

impl Duration {
    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self { ms }
    }
}

impl FromStr for Duration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
        let ms = scaled(text, &UNITS).ok_or_else(|| format!("`{text}` is no duration; write 500ms, 4s, 2m or 1h"))?;
        Ok(Self { ms })
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, u64); 4] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
        let bytes = scaled(text, &UNITS).ok_or_else(|| format!("`{text}` is no size; write 64MiB or 1GiB"))?;
        Ok(Self { bytes })
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ms {
            ms if ms.is_multiple_of(60_000) && ms > 0 => write!(f, "{}m", ms / 60_000),
            ms if ms.is_multiple_of(1000) => write!(f, "{}s", ms / 1000),
            ms => write!(f, "{ms}ms"),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            bytes if bytes.is_multiple_of(1 << 30) => write!(f, "{}GiB", bytes >> 30),
            bytes if bytes.is_multiple_of(1 << 20) => write!(f, "{}MiB", bytes >> 20),
            bytes => write!(f, "{bytes}B"),
        }
    }
}

fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(split);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    let value = number.parse::<f64>().ok()? * *factor as f64;
    (value.is_finite() && (0.0..1e15).contains(&value)).then_some(value.round() as u64)
}

macro_rules! as_text {
    ($name:ident, $what:literal, $pattern:literal) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl Visitor<'_> for Text {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "description": $what, "pattern": $pattern })
            }
        }
    };
}

as_text!(Duration, "a duration with its unit, such as 500ms, 4s, 2m or 1h", r"^[0-9]+(\.[0-9]+)?(ms|s|m|h)$");
as_text!(Size, "a size with its unit, such as 64MiB or 1GiB", r"^[0-9]+(\.[0-9]+)?(B|KiB|MiB|GiB)$");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_written() {
        for (text, ms) in [("500ms", 500), ("4s", 4000), ("2m", 120_000), ("1.5s", 1500)] {
            assert_eq!(text.parse(), Ok(Duration { ms }), "{text}");
        }
        assert_eq!("64MiB".parse(), Ok(Size { bytes: 64 << 20 }));
        assert_eq!(Duration::from_ms(4000).to_string(), "4s");
        assert_eq!(Size { bytes: 64 << 20 }.to_string(), "64MiB");
    }

    #[test]
    fn a_number_without_unit_is_refused() {
        assert_eq!("5".parse::<Duration>(), Err("`5` is no duration; write 500ms, 4s, 2m or 1h".to_owned()));
        assert!("5 parsecs".parse::<Duration>().is_err());
        assert!("64MB".parse::<Size>().is_err());
    }
}
