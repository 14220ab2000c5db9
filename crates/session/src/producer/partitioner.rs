/// The hash by which Kafka's own clients choose partitions.
pub fn murmur2(data: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut h = 0x9747_b28c ^ data.len() as u32;
    let mut chunks = data.chunks_exact(4);
    for chunk in &mut chunks {
        let k = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]).wrapping_mul(M);
        h = h.wrapping_mul(M) ^ (k ^ (k >> 24)).wrapping_mul(M);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        for (index, byte) in rest.iter().enumerate() {
            h ^= u32::from(*byte) << (8 * index);
        }
        h = h.wrapping_mul(M);
    }
    h = (h ^ (h >> 13)).wrapping_mul(M);
    h ^ (h >> 15)
}

/// The partition of a key among `count`, which is at least 1.
pub fn partition_of(key: &[u8], count: usize) -> usize {
    (murmur2(key) & 0x7fff_ffff) as usize % count.max(1)
}

/// Records without a key stay on one partition until a batch is full, then go to the next (KIP-480, KIP-794).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sticky {
    current: usize,
    bytes: usize,
}

impl Sticky {
    /// The partition for a record of `bytes` among `count` partitions, when batches hold `batch_bytes`.
    pub fn choose(&mut self, bytes: usize, batch_bytes: usize, count: usize) -> usize {
        if self.bytes >= batch_bytes {
            self.current = self.current.wrapping_add(1);
            self.bytes = 0;
        }
        self.bytes = self.bytes.saturating_add(bytes);
        self.current % count.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from Kafka's own `UtilsTest.testMurmur2`.
    #[test]
    fn murmur2_is_kafkas() {
        let cases: [(&[u8], i32); 6] = [
            (b"21", -973_932_308),
            (b"foobar", -790_332_482),
            (b"a-little-bit-long-string", -985_981_536),
            (b"a-little-bit-longer-string", -1_486_304_829),
            (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            (b"abc", 479_470_107),
        ];
        for (key, expected) in cases {
            assert_eq!(murmur2(key), expected.cast_unsigned(), "{key:?}");
        }
    }

    #[test]
    fn keyless_records_change_partition_once_a_batch_is_full() {
        let mut sticky = Sticky::default();
        let chosen: Vec<usize> = (0..6).map(|_| sticky.choose(50, 100, 2)).collect();
        assert_eq!(chosen, [0, 0, 1, 1, 0, 0]);
    }
}
