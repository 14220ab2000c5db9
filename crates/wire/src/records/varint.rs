/// The longest varint of a 64-bit value.
pub(super) const MAX_LEN: usize = 10;

/// Reads a zig-zag varint at `*at` and moves `*at` behind it; none when the bytes end or it is longer than ten bytes.
#[inline]
pub(super) fn read(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let first = *bytes.get(*at)?;
    if first < 0x80 {
        *at += 1;
        return Some(unzigzag(u64::from(first)));
    }
    read_long(bytes, at)
}

fn read_long(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let mut value = 0_u64;
    for (i, byte) in bytes.get(*at..)?.iter().take(MAX_LEN).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if *byte < 0x80 {
            *at += i + 1;
            return Some(unzigzag(value));
        }
    }
    None
}

/// Writes `value` as a zig-zag varint at `at` and returns the index behind it.
///
/// `into` must have [`MAX_LEN`] bytes from `at` on.
#[inline]
pub(super) fn write(into: &mut [u8], at: usize, value: i64) -> usize {
    let mut rest = zigzag(value);
    let mut at = at;
    while rest >= 0x80 {
        into[at] = rest as u8 | 0x80;
        rest >>= 7;
        at += 1;
    }
    into[at] = rest as u8;
    at + 1
}

/// Bytes that [`write`] takes for `value`.
#[inline]
pub(super) const fn len(value: i64) -> usize {
    let bits = 64 - (zigzag(value) | 1).leading_zeros() as usize;
    bits.div_ceil(7)
}

#[inline]
const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[inline]
const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_round_trips() {
        for shift in 0..64 {
            for value in [1_i64 << shift, (1_i64 << shift).wrapping_sub(1), (1_i64 << shift).wrapping_neg()] {
                let mut bytes = [0; MAX_LEN];
                let end = write(&mut bytes, 0, value);
                let mut at = 0;
                assert_eq!(read(&bytes[..end], &mut at), Some(value));
                assert_eq!((at, end), (end, len(value)));
                assert_eq!(read(&bytes[..end - 1], &mut 0), None);
            }
        }
    }

    #[test]
    fn eleven_bytes_are_no_varint() {
        assert_eq!(read(&[0x80; 11], &mut 0), None);
    }
}
