//! Theodolite's use cases as topologies, each with a slow reference oracle.
