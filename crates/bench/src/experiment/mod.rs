//! Experiments: real processes started, watched, judged and taken away again.

mod bed;
mod calibrate;
mod campaign;
mod cell;
mod instances;
mod meters;
mod names;
mod probe;
mod screen;
mod track;

pub(crate) use bed::{Bed, Given};
pub(crate) use calibrate::CALIBRATION_MS;
pub(crate) use campaign::{Campaign, Kept, measure};
pub(crate) use screen::Ticker;
