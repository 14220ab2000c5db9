//! UC1, database storage: every reading becomes a JSON document.

mod reference;
mod topology;

pub use reference::reference;
pub use topology::{to_count, to_topic};
