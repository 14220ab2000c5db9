//! YAML files that people write: read into a tree that knows its lines, then into settings, so that whatever is wrong is
//! one sentence with the line, the key, what is there and what would do.

mod fault;
mod reader;
mod tree;

pub(crate) use fault::{Hint, Wrong};
pub(crate) use tree::Tree;
