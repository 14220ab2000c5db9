use std::time::Duration;

/// Reads a duration with its unit: `500ms`, `2s`, `1m`, `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let millis_per_unit = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err("a duration has a unit, such as 500ms, 5s, 1m or 1h".to_owned()),
    };
    let number: u64 =
        digits.parse().map_err(|_| "a duration is a whole number and a unit, such as 500ms".to_owned())?;
    number
        .checked_mul(millis_per_unit)
        .filter(|millis| *millis <= i64::MAX as u64)
        .map(Duration::from_millis)
        .ok_or_else(|| "the duration is too long".to_owned())
}

/// Reads a size with its unit: `512KiB`, `64MiB`, `1GiB`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let shift = match unit {
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return Err("a size has a unit, such as 512KiB or 64MiB".to_owned()),
    };
    let number: usize = digits.parse().map_err(|_| "a size is a whole number and a unit, such as 64MiB".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for text in ["", "5", "ms", "-1s", "1.5s", "99999999999999999d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512KiB"), Ok(512 << 10));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        for text in ["", "5", "MiB", "-1MiB", "64MB", "99999999999GiB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
