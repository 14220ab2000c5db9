//! Resources that differ in what they cost: loads stay within a third of the best there can be, and few move.

mod choice;
mod load;
mod search;
mod stay;

pub use choice::Weighted;
