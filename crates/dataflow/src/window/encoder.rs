use crate::Window;

/// Writes the result of a key's window.
pub trait WindowEncoder<S> {
    /// Appends the encoded result to `into`.
    fn encode(&self, key: &[u8], window: Window, state: &S, into: &mut Vec<u8>);
}
