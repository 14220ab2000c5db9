//! The use cases from the outside: formats against an independent codec, topologies against their references.

#[cfg(test)]
mod formats;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod results;
#[cfg(test)]
mod support;
