//! Limits for instances: which way this machine allows, and the groups that carry them.

mod affinity;
mod cage;
mod exec;
mod kind;
mod mounts;
mod scope;
mod stale;

pub(crate) use affinity::allowed_cores;
pub use affinity::{Placement, pin_self};
pub use cage::{Cage, Throttle};
pub use exec::{Limited, exec};
pub use kind::{LimitKind, Limiter};
pub use mounts::{Controller, Controllers, Layout};
pub use scope::{enter_scope, to_come};
