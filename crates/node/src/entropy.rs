use groma_model::TopicId;

/// Random-looking bits from a seed that the shell draws afresh: the same seed gives the same bits (splitmix64).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entropy {
    low: u64,
    high: u64,
}

impl Entropy {
    pub(crate) const fn new(seed: u128) -> Self {
        Self { low: seed as u64, high: (seed >> 64) as u64 }
    }

    /// 128 fresh bits.
    pub(crate) const fn bits(&mut self) -> u128 {
        let high = next(&mut self.high);
        (high as u128) << 64 | next(&mut self.low) as u128
    }

    /// A random id (UUID version 4), as Kafka gives to topics; one that begins with a dash in text is passed over.
    pub(crate) fn topic_id(&mut self) -> TopicId {
        loop {
            let mut bytes = self.bits().to_be_bytes();
            bytes[6] = bytes[6] & 0x0f | 0x40;
            bytes[8] = bytes[8] & 0x3f | 0x80;
            if bytes[0] >> 2 != BASE64_DASH {
                return TopicId(bytes);
            }
        }
    }
}

/// The six bits that base64url writes as `-`, which command lines would take for an option.
const BASE64_DASH: u8 = 62;

const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
