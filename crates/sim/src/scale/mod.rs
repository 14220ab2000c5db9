//! What one change costs a very large group.

mod crowd;
mod event;
mod tally;

pub use event::ScaleEvent;
pub use tally::ScaleBill;
