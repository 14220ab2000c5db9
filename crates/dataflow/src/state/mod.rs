//! Keyed state in memory.

mod key_bytes;
mod key_table;
mod window_store;

pub use key_table::{KeyId, KeyTable};
pub use window_store::WindowStore;
