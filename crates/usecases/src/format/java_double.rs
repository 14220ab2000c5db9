use std::io::Write;

/// From here on, and below [`PLAIN_FROM`], Java writes an exponent.
const PLAIN_BELOW: f64 = 1e7;
const PLAIN_FROM: f64 = 1e-3;
/// Room for `-d.dddddddddddddddde-308`.
const LONGEST: usize = 32;

/// Appends `value` as Java's `Double.toString` writes it: `10.0`, `1.0E10`, `4.9E-324`, `NaN`.
///
/// The digits are the fewest, but at least two, that read back as the same number (JDK 19 and later).
pub fn write_double(value: f64, into: &mut Vec<u8>) {
    let magnitude = value.abs();
    if !value.is_finite() {
        let name = if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        };
        into.extend_from_slice(name.as_bytes());
    } else if magnitude < PLAIN_BELOW && magnitude.trunc() == magnitude {
        whole(value, into);
    } else if (PLAIN_FROM..PLAIN_BELOW).contains(&magnitude) {
        format(into, format_args!("{value}"));
    } else {
        scientific(value, into);
    }
}

fn whole(value: f64, into: &mut Vec<u8>) {
    if value.is_sign_negative() {
        into.push(b'-');
    }
    let mut digits = [b'0'; 8];
    let mut rest = value.abs() as u32;
    let mut start = digits.len();
    while rest > 0 || start == digits.len() {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    into.extend_from_slice(&digits[start..]);
    into.extend_from_slice(b".0");
}

fn scientific(value: f64, into: &mut Vec<u8>) {
    let mut buffer = [0; LONGEST];
    let mut text = printed(&mut buffer, format_args!("{value:e}"));
    if !text.contains(&b'.') {
        text = printed(&mut buffer, format_args!("{value:.1e}"));
    }
    into.extend(text.iter().map(u8::to_ascii_uppercase));
}

fn printed<'a>(buffer: &'a mut [u8; LONGEST], text: std::fmt::Arguments<'_>) -> &'a [u8] {
    let mut rest = &mut buffer[..];
    let written = rest.write_fmt(text);
    debug_assert!(written.is_ok());
    let left = rest.len();
    &buffer[..LONGEST - left]
}

fn format(into: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    let written = into.write_fmt(text);
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java(value: f64) -> String {
        let mut into = Vec::new();
        write_double(value, &mut into);
        String::from_utf8(into).unwrap()
    }

    #[test]
    fn numbers_read_as_java_writes_them() {
        let known = [
            (10.0, "10.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (-3.0, "-3.0"),
            (0.001, "0.001"),
            (9_999_999.0, "9999999.0"),
            (9_999_999.5, "9999999.5"),
            (1e7, "1.0E7"),
            (-1.25e-4, "-1.25E-4"),
            (1e10, "1.0E10"),
            (2e23, "2.0E23"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (5e-324, "4.9E-324"),
            (f64::MAX, "1.7976931348623157E308"),
            (0.1, "0.1"),
            (1_234.567, "1234.567"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in known {
            assert_eq!(java(value), text);
        }
    }
}
