use groma_node::{Notice, RetireCause};

/// A notice as one line.
pub(crate) fn text(notice: &Notice) -> String {
    match notice {
        Notice::Retired { topic, partition, start, bytes, cause } => {
            let rule = match cause {
                RetireCause::Age => "retention.ms, by the records' own time",
                RetireCause::Size => "retention.bytes",
            };
            format!("deleted {bytes} bytes of {topic}-{partition} by {rule}; it now begins at offset {start}")
        }
        Notice::Full { max_bytes } => {
            format!(
                "the logs hold {max_bytes} bytes, which is all they may: Produce is refused until topics are deleted"
            )
        }
        Notice::OffsetsExpired { group, offsets } => {
            format!("deleted {offsets} offsets of group {group}, unused for offsets.retention.minutes")
        }
    }
}
