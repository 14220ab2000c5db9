//! Embedded protocols other than the consumer's: their bytes, and whole groups that speak them.

mod band;
mod bytes;
mod custom;
mod leading;
mod orderly;
mod plans;
mod racks;
mod tasks;
mod traces;
