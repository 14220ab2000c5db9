//! The links of a chain: each holds the one after it.

mod chain;
mod counting;
mod decode;
mod filter;
mod map;
mod sink;
mod text_key;
mod windowed;

pub use chain::{Chain, Operator, Stateful};
pub use counting::{Counted, Counting};
pub use decode::{Decode, Decoder};
pub use filter::Filter;
pub use map::Map;
pub use sink::{Encoder, Sink};
pub use text_key::TextKey;
pub use windowed::Windowed;
