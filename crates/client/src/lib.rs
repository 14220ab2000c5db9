//! An async Kafka client: idempotent producer, fetcher, cooperative consumer groups, admin.
