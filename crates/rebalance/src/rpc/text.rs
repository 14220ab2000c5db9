use groma_model::{InstanceId, MemberId, Span};

use crate::protocol::JoinRequest;

pub(super) fn member_id(text: String) -> Option<MemberId> {
    (!text.is_empty()).then_some(MemberId(text))
}

pub(super) fn member_text(member: Option<&MemberId>) -> String {
    member.map(|m| m.0.clone()).unwrap_or_default()
}

pub(super) fn instance_id(text: Option<String>) -> Option<InstanceId> {
    text.map(InstanceId)
}

pub(super) fn instance_text(instance: Option<&InstanceId>) -> Option<String> {
    instance.map(|i| i.0.clone())
}

pub(super) fn span(millis: i32) -> Span {
    Span::from_millis(u64::try_from(millis).unwrap_or(0))
}

pub(super) fn millis(span: Span) -> i32 {
    i32::try_from(span.as_millis()).unwrap_or(i32::MAX)
}

/// At most as many characters as Kafka takes (KAFKA-13998).
pub(super) fn reason_text(reason: Option<&str>) -> Option<String> {
    reason.map(|r| r.chars().take(JoinRequest::REASON_CHARS_MAX).collect())
}
