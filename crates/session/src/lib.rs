//! The mind of a Kafka client: metadata, producer, fetch positions, group membership, without I/O.
