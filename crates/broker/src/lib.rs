//! An embedded single-node Kafka broker, up in milliseconds.
