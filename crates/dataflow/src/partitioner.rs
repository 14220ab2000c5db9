use groma_model::Partition;

/// The partition among `partitions` that Kafka's Java client gives a record with this key.
///
/// `partitions` must be positive.
pub fn partition_of(key: &[u8], partitions: i32) -> Partition {
    Partition((murmur2(key) & 0x7fff_ffff).rem_euclid(partitions.max(1)))
}

/// The 32-bit MurmurHash2 with Kafka's seed.
pub fn murmur2(bytes: &[u8]) -> i32 {
    const M: u32 = 0x5bd1_e995;
    let mut hash = 0x9747_b28c ^ bytes.len() as u32;
    let (words, tail) = bytes.as_chunks::<4>();
    for word in words {
        let mut k = u32::from_le_bytes(*word).wrapping_mul(M);
        k ^= k >> 24;
        hash = hash.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    if !tail.is_empty() {
        let mut last = [0; 4];
        last[..tail.len()].copy_from_slice(tail);
        hash = (hash ^ u32::from_le_bytes(last)).wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    (hash ^ hash >> 15) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_java_client() {
        let known = [
            ("21", -973_932_308),
            ("foobar", -790_332_482),
            ("a-little-bit-long-string", -985_981_536),
            ("abc", 479_470_107),
        ];
        for (text, hash) in known {
            assert_eq!(murmur2(text.as_bytes()), hash, "{text}");
        }
    }
}
