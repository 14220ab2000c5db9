use std::io::Write;

use groma_dataflow::{Encoder, Reject};

use super::active_power::ActivePower;
use super::java_double::write_double;

/// Writes a reading as `{"identifier":"s_1","timestamp":1,"valueInW":10.0}`.
///
/// A value that is not finite cannot be said in JSON and is rejected.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonEncoder;

impl Encoder<ActivePower<'_>> for JsonEncoder {
    #[inline]
    fn encode(&self, reading: &ActivePower<'_>, into: &mut Vec<u8>) -> Result<(), Reject> {
        if !reading.value_in_w.is_finite() {
            return Err(Reject::NotANumber);
        }
        into.extend_from_slice(b"{\"identifier\":\"");
        escape(reading.identifier, into);
        into.extend_from_slice(b"\",\"timestamp\":");
        whole(reading.timestamp.0, into);
        into.extend_from_slice(b",\"valueInW\":");
        write_double(reading.value_in_w, into);
        into.push(b'}');
        Ok(())
    }
}

fn whole(value: i64, into: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut rest = value.unsigned_abs();
    let mut start = digits.len();
    while rest > 0 || start == digits.len() {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    if value < 0 {
        into.push(b'-');
    }
    into.extend_from_slice(&digits[start..]);
}

fn escape(text: &str, into: &mut Vec<u8>) {
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        into.extend_from_slice(text.as_bytes());
        return;
    }
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => into.extend_from_slice(&[b'\\', byte]),
            b'\n' => into.extend_from_slice(b"\\n"),
            b'\r' => into.extend_from_slice(b"\\r"),
            b'\t' => into.extend_from_slice(b"\\t"),
            0..b' ' => {
                let written = write!(into, "\\u{byte:04x}");
                debug_assert!(written.is_ok());
            }
            _ => into.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Timestamp;

    use super::*;

    fn json(identifier: &str, timestamp: i64, value_in_w: f64) -> Result<String, Reject> {
        let mut into = Vec::new();
        JsonEncoder.encode(&ActivePower { identifier, timestamp: Timestamp(timestamp), value_in_w }, &mut into)?;
        Ok(String::from_utf8(into).unwrap())
    }

    #[test]
    fn a_reading_becomes_its_document() {
        assert_eq!(json("s_7", -12, 10.0).unwrap(), r#"{"identifier":"s_7","timestamp":-12,"valueInW":10.0}"#);
        assert_eq!(
            json("\"\n\u{1}é", 0, 0.5).unwrap(),
            "{\"identifier\":\"\\\"\\n\\u0001é\",\"timestamp\":0,\"valueInW\":0.5}"
        );
        assert!(json("", i64::MIN, 0.0).unwrap().contains("-9223372036854775808"));
    }

    #[test]
    fn what_json_cannot_say_is_rejected() {
        assert_eq!(json("s", 0, f64::NAN), Err(Reject::NotANumber));
        assert_eq!(json("s", 0, f64::INFINITY), Err(Reject::NotANumber));
    }
}
