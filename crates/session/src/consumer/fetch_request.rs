use groma_model::{Offset, TopicId, TopicPartition};
use groma_wire::messages::{FetchPartition, FetchRequest, FetchTopic};
use groma_wire::records::batches;

use crate::ConsumerSettings;

/// A partition in a Fetch request.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) partition: TopicPartition,
    pub(super) topic_id: TopicId,
    pub(super) stay: u64,
    pub(super) offset: Offset,
}

/// A Fetch request in flight.
#[derive(Clone, Debug)]
pub(super) struct Fetching {
    pub(super) node: i32,
    pub(super) asked: Vec<Asked>,
}

/// Room and time for a fetch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) wait_ms: i32,
    pub(super) bytes: i32,
}

pub(super) fn fetch_request(settings: &ConsumerSettings, budget: Budget, asked: &[Asked]) -> FetchRequest {
    let mut topics: Vec<FetchTopic> = Vec::new();
    for ask in asked {
        let partition = FetchPartition {
            partition: ask.partition.partition.0,
            fetch_offset: ask.offset.0,
            partition_max_bytes: settings.partition_max_bytes,
            ..FetchPartition::default()
        };
        match topics.last_mut().filter(|t| t.topic == ask.partition.topic) {
            Some(topic) => topic.partitions.push(partition),
            None => topics.push(FetchTopic {
                topic: ask.partition.topic.clone(),
                topic_id: ask.topic_id,
                partitions: vec![partition],
            }),
        }
    }
    FetchRequest {
        max_wait_ms: budget.wait_ms,
        min_bytes: settings.fetch_min_bytes,
        max_bytes: budget.bytes,
        session_id: 0,
        session_epoch: -1,
        topics,
        ..FetchRequest::default()
    }
}

/// The length of the whole batches at the front of `bytes` and the offset after them; none when there is none.
pub(super) fn whole_batches(bytes: &[u8]) -> Result<Option<(usize, Offset)>, String> {
    let mut found = batches(bytes);
    let (mut length, mut next) = (0, None);
    for batch in &mut found {
        let header = batch.map_err(|error| error.to_string())?.header;
        length += header.total_len;
        next = Some(Offset(header.base_offset.0 + i64::from(header.last_offset_delta) + 1));
    }
    Ok(next.map(|next| (length, next)))
}
