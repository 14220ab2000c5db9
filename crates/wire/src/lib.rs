//! Kafka bytes to typed values and back; record batches read without copying.
