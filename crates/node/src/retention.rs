use groma_model::{Span, Timestamp};

use crate::contract::{Notice, Output, RetireCause};
use crate::log::{Keep, LogId};
use crate::node::Node;

impl Node {
    /// Deletes the segments that need not be kept, and forgets producers that were silent for long.
    pub(crate) fn apply_retention(&mut self) {
        let (now, wall) = (self.now, self.wall());
        let expiration = self.identity.settings.producer_id_expiration;
        let mut outputs = Vec::new();
        let mut freed = 0;
        for topic in self.topics.iter_mut() {
            let limits = topic.limits;
            let since = limits.retention.map(|span| Timestamp(wall.0.saturating_sub(span_millis(span))));
            for (partition, log) in topic.partitions.iter_mut().enumerate() {
                log.producers.expire(now, expiration);
                if !limits.cleanup.deletes() {
                    continue;
                }
                let id = LogId { topic: topic.id, partition: partition as i32 };
                for (cause, keep) in [
                    (RetireCause::Age, Keep { since, bytes: None }),
                    (RetireCause::Size, Keep { since: None, bytes: limits.retention_bytes }),
                ] {
                    let retired = log.retire(keep);
                    if retired.is_empty() {
                        continue;
                    }
                    let bytes = retired.iter().map(|segment| segment.size).sum();
                    freed += bytes;
                    outputs.extend(log.renew().map(|base| Output::MakeSegment { log: id, base }));
                    outputs.extend(retired.iter().map(|segment| Output::DropSegment { log: id, base: segment.base }));
                    outputs.push(Output::Tell(Notice::Retired {
                        topic: topic.name.clone(),
                        partition: partition as i32,
                        start: log.start(),
                        bytes,
                        cause,
                    }));
                }
            }
        }
        self.free(freed);
        outputs.into_iter().for_each(|output| self.emit(output));
    }

    /// Notes that logs got smaller.
    pub(crate) fn free(&mut self, bytes: u64) {
        self.storage.bytes = self.storage.bytes.saturating_sub(bytes);
        self.storage.told_full &= bytes == 0;
    }
}

fn span_millis(span: Span) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
