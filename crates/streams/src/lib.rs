//! A stream engine whose instances are members of a Kafka group and whose tasks are the resources they share.
