//! `groma speed`: how fast each hot path is on this machine, each part three times a second or more, median.

mod assign;
mod bed;
mod engine;
mod measure;
mod micro;
mod records;
mod startup;
mod table;

pub(crate) use measure::Figure;
pub(crate) use table::run;
