//! A small blocking client.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use bytes::Bytes;
use groma_model::Timestamp;
use groma_wire::messages::*;
use groma_wire::records::{BatchBuilder, BatchMeta, Scratch, batches};
use groma_wire::{Records, Request, RequestHeader, frame_request, open_response};

/// Far longer than anything takes even on a slow machine that is busy with other work: whoever waits longer hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) struct Client {
    pub(crate) stream: TcpStream,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream }
    }

    pub(crate) fn send<R: Request>(&mut self, version: i16, request: &R) {
        let header = RequestHeader { api_key: R::KEY.code(), api_version: version, correlation_id: 5, client_id: None };
        let frame = frame_request(&header, request).unwrap().into_bytes().unwrap();
        self.stream.write_all(&frame).unwrap();
    }

    pub(crate) fn receive<R: Request>(&mut self, version: i16) -> io::Result<R::Response> {
        let frame = self.receive_frame()?;
        let (header, response) = open_response::<R::Response>(frame, version).unwrap();
        assert_eq!(header.correlation_id, 5);
        Ok(response)
    }

    pub(crate) fn receive_frame(&mut self) -> io::Result<Bytes> {
        let mut size = [0; 4];
        self.stream.read_exact(&mut size)?;
        let mut frame = vec![0; u32::from_be_bytes(size) as usize];
        self.stream.read_exact(&mut frame)?;
        Ok(frame.into())
    }

    pub(crate) fn call<R: Request>(&mut self, version: i16, request: &R) -> R::Response {
        self.send(version, request);
        self.receive::<R>(version).unwrap()
    }

    pub(crate) fn create(&mut self, topic: &str, configs: &[(&str, &str)]) {
        let config = |(name, value): &(&str, &str)| CreatableTopicConfig {
            name: name.to_string(),
            value: Some(value.to_string()),
        };
        let topic = CreatableTopic {
            name: topic.to_owned(),
            num_partitions: 1,
            replication_factor: 1,
            configs: configs.iter().map(config).collect(),
            ..Default::default()
        };
        let response = self.call(7, &CreateTopicsRequest { topics: vec![topic], ..Default::default() });
        assert_eq!(response.topics[0].error_code, 0, "{:?}", response.topics[0].error_message);
    }

    /// Writes one batch and returns the error code and the base offset.
    pub(crate) fn produce(&mut self, topic: &str, values: &[&str]) -> (i16, i64) {
        let response = self.call(9, &produce(topic, batch(values)));
        let partition = &response.responses[0].partition_responses[0];
        (partition.error_code, partition.base_offset)
    }

    /// All values of a topic's first partition.
    pub(crate) fn values(&mut self, topic: &str) -> Vec<String> {
        let (mut values, mut next) = (Vec::new(), 0);
        loop {
            let response = self.call(11, &fetch(topic, next, 0));
            let partition = &response.responses[0].partitions[0];
            assert_eq!(partition.error_code, 0);
            read(partition.records.as_ref().unwrap().bytes().unwrap(), &mut values);
            next = values.len() as i64;
            if next >= partition.high_watermark {
                return values;
            }
        }
    }

    pub(crate) fn commit(&mut self, group: &str, topic: &str, offset: i64) -> i16 {
        let partition = OffsetCommitRequestPartition { committed_offset: offset, ..Default::default() };
        let topic =
            OffsetCommitRequestTopic { name: topic.to_owned(), partitions: vec![partition], ..Default::default() };
        let request = OffsetCommitRequest { group_id: group.to_owned(), topics: vec![topic], ..Default::default() };
        self.call(8, &request).topics[0].partitions[0].error_code
    }

    pub(crate) fn committed(&mut self, group: &str, topic: &str) -> i64 {
        let topic = OffsetFetchRequestTopic { name: topic.to_owned(), partition_indexes: vec![0] };
        let request =
            OffsetFetchRequest { group_id: group.to_owned(), topics: Some(vec![topic]), ..Default::default() };
        self.call(7, &request).topics[0].partitions[0].committed_offset
    }

    /// Whether the broker has ended the connection, waiting for it if need be.
    pub(crate) fn is_closed(&mut self) -> bool {
        match self.stream.read(&mut [0]) {
            Ok(count) => count == 0,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }
}

pub(crate) fn frame<R: Request>(version: i16, request: &R) -> Bytes {
    let header = RequestHeader { api_key: R::KEY.code(), api_version: version, correlation_id: 5, client_id: None };
    frame_request(&header, request).unwrap().into_bytes().unwrap()
}

pub(crate) fn batch(values: &[&str]) -> Bytes {
    let mut builder = BatchBuilder::new();
    for value in values {
        builder.append(Timestamp(1_700_000_000_000), None, Some(value.as_bytes()));
    }
    builder.finish(BatchMeta::default())
}

pub(crate) fn produce(topic: &str, records: Bytes) -> ProduceRequest {
    let data = PartitionProduceData { index: 0, records: Some(Records::Bytes(records)) };
    let topic = TopicProduceData { name: topic.to_owned(), partition_data: vec![data], ..Default::default() };
    ProduceRequest { acks: -1, timeout_ms: 1000, topic_data: vec![topic], ..Default::default() }
}

pub(crate) fn fetch(topic: &str, offset: i64, max_wait_ms: i32) -> FetchRequest {
    let partition = FetchPartition { fetch_offset: offset, partition_max_bytes: 1 << 20, ..Default::default() };
    let topic = FetchTopic { topic: topic.to_owned(), partitions: vec![partition], ..Default::default() };
    FetchRequest { max_bytes: 1 << 20, min_bytes: 1, max_wait_ms, topics: vec![topic], ..Default::default() }
}

pub(crate) fn read(records: &[u8], values: &mut Vec<String>) {
    let mut scratch = Scratch::default();
    for batch in batches(records) {
        for record in batch.unwrap().records(&mut scratch).unwrap() {
            values.push(String::from_utf8(record.unwrap().value.unwrap().to_vec()).unwrap());
        }
    }
}
