//! The consumer protocol (`consumer`): topic partitions, granted as full sets.
