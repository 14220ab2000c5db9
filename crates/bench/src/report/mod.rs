//! The report: one self-contained page made from `results.json` and the cell files, and tables for a terminal.

mod chart;
mod demand;
mod lag;
mod matrix;
mod number;
mod page;
pub mod style;
mod table;

pub use chart::{Scale, ticks};
pub use page::{html, picture};
pub use table::text;
