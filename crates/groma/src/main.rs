//! The command line of Groma.
fn main() {}
