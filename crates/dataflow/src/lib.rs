//! Stream topologies, operators, windows and state: one task's step over a batch of records, without I/O.
