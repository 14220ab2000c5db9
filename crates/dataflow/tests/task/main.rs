//! A task over a small topology, from the outside: windows, changelog, memory.

#[cfg(test)]
mod changelog;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod support;
#[cfg(test)]
mod windows;
