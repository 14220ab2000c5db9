use thiserror::Error;

use crate::assignor::TargetFault;
use crate::policy::PlanFault;

/// Why embedded bytes could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum EmbeddedError {
    /// The bytes end too early.
    #[error("{what} ends after {length} bytes")]
    Truncated {
        /// Which payload.
        what: &'static str,
        /// Its length in bytes.
        length: usize,
    },
    /// A version, length or count is impossible.
    #[error("{what} has an impossible version or length")]
    Length {
        /// Which payload.
        what: &'static str,
    },
    /// A name is not UTF-8.
    #[error("{what} has a name that is not UTF-8")]
    Utf8 {
        /// Which payload.
        what: &'static str,
    },
    /// The chosen protocol was never offered.
    #[error("protocol {0} was never offered")]
    UnknownProtocol(String),
    /// A leader gave something by a name that means nothing here.
    #[error(
        "the leader gave {0}, which is no name of a resource here; let all members have the same kind of resources"
    )]
    UnknownName(String),
    /// An assignor gave a target that is none.
    #[error("the assignor {assignor} broke its contract: it gave {fault}")]
    BadTarget {
        /// Its name.
        assignor: String,
        /// What is wrong.
        fault: TargetFault,
    },
    /// A policy made a plan that breaks the rules.
    #[error("the policy {policy} broke its contract: its plan has {fault}")]
    BadPlan {
        /// Its name.
        policy: String,
        /// What is wrong.
        fault: PlanFault,
    },
}
