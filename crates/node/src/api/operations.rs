//! What a client may do, as bits (KIP-430). Without an authorizer everybody may do everything.

/// "Not asked for."
pub(crate) const NOT_ASKED: i32 = i32::MIN;

/// Read, write, create, delete, alter, describe, describe and alter configs.
pub(crate) const TOPIC: i32 = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 11;

/// Create, alter, describe, act as cluster, describe and alter configs, write idempotently.
pub(crate) const CLUSTER: i32 = 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12;

/// Read, delete, describe, describe and alter configs.
pub(crate) const GROUP: i32 = 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11;
