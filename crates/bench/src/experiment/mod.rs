//! Experiments: real processes started, watched, judged and taken away again.

mod bed;
mod calibrate;
mod campaign;
mod cell;
mod forecast;
mod instances;
mod meters;
mod names;
mod probe;
mod release;
mod screen;
mod strictness;
mod track;

pub(crate) use bed::{Bed, Given};
pub(crate) use campaign::{Campaign, Kept, measure};
pub(crate) use forecast::forecast;
pub(crate) use screen::{Later, Ticker, minutes};
