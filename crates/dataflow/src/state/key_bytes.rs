/// A key's bytes, in place where they are short.
#[derive(Clone, Debug)]
pub(super) enum KeyBytes {
    Short { len: u8, bytes: [u8; SHORT] },
    Long(Box<[u8]>),
}

const SHORT: usize = 22;

impl KeyBytes {
    pub(super) fn new(key: &[u8]) -> Self {
        if key.len() > SHORT {
            return Self::Long(key.into());
        }
        let mut bytes = [0; SHORT];
        bytes[..key.len()].copy_from_slice(key);
        Self::Short { len: key.len() as u8, bytes }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Short { len, bytes } => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Self::Long(bytes) => bytes,
        }
    }
}
