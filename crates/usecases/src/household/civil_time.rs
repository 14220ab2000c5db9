use groma_model::Timestamp;

const MS_PER_DAY: i64 = 86_400_000;

/// Reads `2007-02-01 00:00:00` as UTC.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let (date, time) = text.split_once(' ')?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let valid = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let of_day = ((hour * 60 + minute) * 60 + second) * 1_000;
    valid.then(|| Timestamp(days_since_epoch(year, month, day) * MS_PER_DAY + of_day))
}

fn numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let mut parts = text.split(separator).map(|part| part.parse::<u16>().ok().map(i64::from));
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

/// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin with March.
const fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    const DAYS_TO_EPOCH: i64 = 719_468;
    let year = if month < 3 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - DAYS_TO_EPOCH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc() {
        let known = [
            ("1970-01-01 00:00:00", 0),
            ("2007-02-01 00:00:00", 1_170_288_000_000),
            ("2008-02-29 23:59:59", 1_204_329_599_000),
            ("2000-03-01 00:00:00", 951_868_800_000),
        ];
        for (text, ms) in known {
            assert_eq!(parse(text), Some(Timestamp(ms)), "{text}");
        }
        for text in ["", "2007-02-01", "2007-13-01 00:00:00", "2007-02-01 24:00:00", "2007-02-01 00:00:00:00"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
