//! Range: each kind in runs.

mod choice;
mod near;

pub use choice::Range;
