/// For each topic the bytes in front of its numbers: its name, and a count of one, which is the most frequent.
pub(super) struct Headers {
    bytes: Vec<u8>,
    /// Where each begins; one more than there are topics.
    starts: Vec<u32>,
}

impl Headers {
    pub(super) fn new(topics: &[(&str, u32)]) -> Self {
        let mut headers = Self { bytes: Vec::new(), starts: vec![0] };
        for (topic, _) in topics {
            super::bytes::put_string(&mut headers.bytes, topic);
            headers.bytes.extend(1_u32.to_be_bytes());
            headers.starts.push(headers.bytes.len() as u32);
        }
        headers
    }

    #[inline]
    pub(super) fn of(&self, kind: u32) -> &[u8] {
        &self.bytes[self.starts[kind as usize] as usize..self.starts[kind as usize + 1] as usize]
    }
}
