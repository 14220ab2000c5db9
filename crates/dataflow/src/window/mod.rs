//! Windows: how time is cut, and when results leave.

mod emission;
mod encoder;
mod tumbling;

pub use emission::Emission;
pub use encoder::WindowEncoder;
pub use tumbling::{Tumbling, Window};
