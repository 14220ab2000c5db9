use super::varint;

/// A record's header, borrowed from its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header<'a> {
    /// The name; UTF-8 by convention.
    pub key: &'a [u8],
    /// The value, if any.
    pub value: Option<&'a [u8]>,
}

/// The headers of a record, read as they are asked for; ends early where the bytes are malformed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a> {
    bytes: &'a [u8],
    left: u32,
}

impl<'a> Headers<'a> {
    /// Headers in `bytes`, which must hold exactly `count` of them; none when they do not.
    pub(super) fn parse(bytes: &'a [u8], count: i64) -> Option<Self> {
        let headers = Self { bytes, left: u32::try_from(count).ok()? };
        let mut check = headers;
        while check.left > 0 {
            check.read()?;
        }
        check.bytes.is_empty().then_some(headers)
    }

    /// Number of headers left.
    pub const fn len(&self) -> usize {
        self.left as usize
    }

    /// Whether no header is left.
    pub const fn is_empty(&self) -> bool {
        self.left == 0
    }

    fn read(&mut self) -> Option<Header<'a>> {
        let mut at = 0;
        let key = sized(self.bytes, &mut at)??;
        let value = sized(self.bytes, &mut at)?;
        self.bytes = self.bytes.get(at..)?;
        self.left -= 1;
        Some(Header { key, value })
    }
}

impl<'a> Iterator for Headers<'a> {
    type Item = Header<'a>;

    fn next(&mut self) -> Option<Header<'a>> {
        if self.left == 0 { None } else { self.read() }
    }
}

/// A field with its length before it: `Some(None)` for null, none when the bytes end.
#[inline]
pub(super) fn sized<'a>(bytes: &'a [u8], at: &mut usize) -> Option<Option<&'a [u8]>> {
    let len = varint::read(bytes, at)?;
    if len < 0 {
        return (len == -1).then_some(None);
    }
    let end = at.checked_add(usize::try_from(len).ok()?)?;
    let field = bytes.get(*at..end)?;
    *at = end;
    Some(Some(field))
}
