//! Readings of a real household: the UCI "Individual household electric power consumption" data set, CC BY 4.0.
//!
//! A row `date_time,Global_active_power,...,Sub_metering_1,Sub_metering_2,Sub_metering_3` gives up to four readings:
//! `household` in watts (the file has kilowatts of a minute's mean) and `sub_meter_1` to `sub_meter_3` (the file has
//! watt-hours of a minute). Times are read as UTC. Empty cells are left out and counted.

mod civil_time;
mod reading;
mod rows;

pub use reading::Reading;
pub use rows::{RowError, Rows, rows};
