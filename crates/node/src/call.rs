use groma_wire::{ApiKey, ErrorCode};

use crate::contract::ConnectionId;

/// A request that has not been answered yet: the right, and the duty, to answer it once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) connection: ConnectionId,
    pub(crate) api: ApiKey,
    pub(crate) version: i16,
    pub(crate) correlation_id: i32,
    pub(crate) client_id: Option<String>,
}

/// Why a part of a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) message: Option<String>,
}

impl Refusal {
    /// A refusal with a sentence for people.
    pub(crate) fn because(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: Some(message.into()) }
    }
}

impl From<ErrorCode> for Refusal {
    fn from(code: ErrorCode) -> Self {
        Self { code, message: None }
    }
}
