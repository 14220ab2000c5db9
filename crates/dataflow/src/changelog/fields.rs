/// Reads big-endian numbers off the front of bytes.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl Fields<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]: [u8; 1]| byte)
    }

    pub(super) fn i32(&mut self) -> Option<i32> {
        self.take().map(i32::from_be_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }

    pub(super) fn i64(&mut self) -> Option<i64> {
        self.take().map(i64::from_be_bytes)
    }

    /// A number behind a byte that says whether there is one.
    pub(super) fn optional(&mut self) -> Option<Option<i64>> {
        let present = self.byte()?;
        let value = self.i64()?;
        Some((present == 1).then_some(value))
    }
}

/// Appends what [`Fields::optional`] reads.
pub(super) fn put_optional(into: &mut Vec<u8>, value: Option<i64>) {
    into.push(u8::from(value.is_some()));
    into.extend_from_slice(&value.unwrap_or_default().to_be_bytes());
}
