//! A deterministic cluster of the deciding crates: network, crashes, clocks, seeds, properties.
