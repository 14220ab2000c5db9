//! UC2, downsampling: statistics of every sensor's readings over tumbling windows.

mod reference;
mod topology;

pub use reference::Reference;
pub use topology::task;
