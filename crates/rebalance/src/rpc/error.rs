use groma_wire::ErrorCode;

use crate::protocol::GroupError;

/// The code of a refusal.
pub const fn error_code(error: &GroupError) -> ErrorCode {
    match error {
        GroupError::CoordinatorLoading => ErrorCode::CoordinatorLoadInProgress,
        GroupError::CoordinatorNotAvailable => ErrorCode::CoordinatorNotAvailable,
        GroupError::NotCoordinator => ErrorCode::NotCoordinator,
        GroupError::IllegalGeneration => ErrorCode::IllegalGeneration,
        GroupError::InconsistentProtocol => ErrorCode::InconsistentGroupProtocol,
        GroupError::InvalidGroupId => ErrorCode::InvalidGroupId,
        GroupError::UnknownMember => ErrorCode::UnknownMemberId,
        GroupError::InvalidSessionTimeout => ErrorCode::InvalidSessionTimeout,
        GroupError::RebalanceInProgress => ErrorCode::RebalanceInProgress,
        GroupError::MemberIdRequired(_) => ErrorCode::MemberIdRequired,
        GroupError::GroupMaxSizeReached => ErrorCode::GroupMaxSizeReached,
        GroupError::FencedInstance => ErrorCode::FencedInstanceId,
        GroupError::GroupIdNotFound => ErrorCode::GroupIdNotFound,
        GroupError::NonEmptyGroup => ErrorCode::NonEmptyGroup,
        GroupError::GroupAuthorizationFailed => ErrorCode::GroupAuthorizationFailed,
        GroupError::UnsupportedVersion => ErrorCode::UnsupportedVersion,
        GroupError::RequestTimedOut => ErrorCode::RequestTimedOut,
        GroupError::ServerFailed => ErrorCode::UnknownServerError,
        GroupError::Other(code) => ErrorCode::from_i16(*code),
    }
}

/// The refusal a code stands for; [`ErrorCode::MemberIdRequired`] is read by [`super::join_reply`], which knows the
/// identity.
pub const fn group_error(code: ErrorCode) -> GroupError {
    match code {
        ErrorCode::CoordinatorLoadInProgress => GroupError::CoordinatorLoading,
        ErrorCode::CoordinatorNotAvailable => GroupError::CoordinatorNotAvailable,
        ErrorCode::NotCoordinator => GroupError::NotCoordinator,
        ErrorCode::IllegalGeneration => GroupError::IllegalGeneration,
        ErrorCode::InconsistentGroupProtocol => GroupError::InconsistentProtocol,
        ErrorCode::InvalidGroupId => GroupError::InvalidGroupId,
        ErrorCode::UnknownMemberId => GroupError::UnknownMember,
        ErrorCode::InvalidSessionTimeout => GroupError::InvalidSessionTimeout,
        ErrorCode::RebalanceInProgress => GroupError::RebalanceInProgress,
        ErrorCode::GroupMaxSizeReached => GroupError::GroupMaxSizeReached,
        ErrorCode::FencedInstanceId => GroupError::FencedInstance,
        ErrorCode::GroupIdNotFound => GroupError::GroupIdNotFound,
        ErrorCode::NonEmptyGroup => GroupError::NonEmptyGroup,
        ErrorCode::GroupAuthorizationFailed => GroupError::GroupAuthorizationFailed,
        ErrorCode::UnsupportedVersion => GroupError::UnsupportedVersion,
        ErrorCode::RequestTimedOut => GroupError::RequestTimedOut,
        ErrorCode::UnknownServerError => GroupError::ServerFailed,
        other => GroupError::Other(other.code()),
    }
}

/// The code of a verdict, 0 if it is good.
pub(super) fn verdict_code<T>(verdict: &Result<T, GroupError>) -> i16 {
    verdict.as_ref().err().map_or(0, |e| error_code(e).code())
}

/// The verdict a code stands for.
pub(super) fn verdict(code: i16) -> Result<(), GroupError> {
    ErrorCode::check(code).map_err(group_error)
}
