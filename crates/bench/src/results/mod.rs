//! What a benchmark leaves behind: one file per cell, and `results.json` over all of them. Reports read nothing else.

mod cell;
mod document;
mod folder;

pub use cell::{Basis, CellRecord, Lag, Line, ScheduleError, Second, Series, VerdictName};
pub(crate) use document::VALIDITY;
pub use document::{CapacityRow, CellRow, DemandRow, Document, ImpliedRow, Machine, Run, SCHEMA};
pub use folder::Folder;
