//! Instances as real processes on a real broker: killed at every step of a flush, stopped and woken, and restarted;
//! what they have written at the end equals the reference.

#[cfg(test)]
mod child;
#[cfg(test)]
mod cluster;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod runs;
