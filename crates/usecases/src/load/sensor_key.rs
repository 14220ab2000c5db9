/// The key of a sensor, `s_` and its number, without an allocation.
#[derive(Clone, Copy, Debug)]
pub struct SensorKey {
    bytes: [u8; LONGEST],
    start: u8,
}

/// `s_` and ten digits.
const LONGEST: usize = 12;

impl SensorKey {
    /// The key of sensor `number`.
    #[inline]
    pub fn new(number: u32) -> Self {
        let mut bytes = [0; LONGEST];
        let mut start = LONGEST;
        let mut rest = number;
        loop {
            start -= 1;
            bytes[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        bytes[start - 2..start].copy_from_slice(b"s_");
        Self { bytes, start: start as u8 - 2 }
    }

    /// The key's bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(usize::from(self.start)..).unwrap_or_default()
    }

    /// The key as text.
    #[inline]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_by_number() {
        for number in [0, 7, 10, 99_999, u32::MAX] {
            assert_eq!(SensorKey::new(number).as_str(), format!("s_{number}"));
        }
    }
}
