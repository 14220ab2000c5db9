use std::marker::PhantomData;

use super::chain::pass_on_state;
use crate::{Event, Operator, Outbox, Reject};

/// Reads a value out of a record's bytes, borrowing from them.
pub trait Decoder<'a> {
    /// What it reads.
    type Value;

    /// Reads one value.
    ///
    /// # Errors
    /// [`Reject::Malformed`] says what is wrong with the bytes.
    fn decode(bytes: &'a [u8]) -> Result<Self::Value, Reject>;
}

/// Decodes a record's value by the decoder `D`; a record without a value is rejected.
#[derive(Clone, Copy, Debug)]
pub struct Decode<D, N> {
    decoder: PhantomData<fn() -> D>,
    next: N,
}

impl<D, N> Decode<D, N> {
    /// Decodes, then hands on to `next`.
    pub const fn new(next: N) -> Self {
        Self { decoder: PhantomData, next }
    }

    /// The link after this one.
    pub const fn next(&self) -> &N {
        &self.next
    }
}

impl<'a, D, N> Operator<Option<&'a [u8]>> for Decode<D, N>
where
    D: Decoder<'a>,
    N: Operator<D::Value>,
{
    #[inline]
    fn push(&mut self, event: Event<'_, Option<&'a [u8]>>, out: &mut Outbox) -> Result<(), Reject> {
        let value = D::decode(event.value.ok_or(Reject::NullValue)?)?;
        self.next.push(event.with(value), out)
    }
}

pass_on_state!(Decode<D, N>);
