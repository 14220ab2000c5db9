use bytes::Bytes;
use groma_wire::{ApiKey, Reader, Request, RequestHeader};

use crate::call::Call;
use crate::contract::{ConnectionId, Offence};
use crate::node::Node;

impl Node {
    /// Reads a frame as a request and serves it.
    pub(crate) fn serve(&mut self, connection: ConnectionId, frame: Bytes) {
        let mut reader = Reader::new(frame);
        let header = match RequestHeader::decode(&mut reader) {
            Ok(header) => header,
            Err(error) => return self.close(connection, Offence::Malformed(error.to_string())),
        };
        let RequestHeader { api_key, api_version: version, correlation_id, client_id } = header;
        let unsupported = Offence::Unsupported { api: api_key, version };
        let Some(api) = ApiKey::from_i16(api_key) else { return self.close(connection, unsupported) };
        let call = Call { connection, api, version, correlation_id, client_id };
        if api.versions().contains(&version) {
            self.dispatch(call, reader);
        } else if api == ApiKey::ApiVersions {
            self.refuse_api_versions(call);
        } else {
            self.close(connection, unsupported);
        }
    }

    fn dispatch(&mut self, call: Call, reader: Reader) {
        match call.api {
            ApiKey::Produce => self.open(call, reader, Self::produce),
            ApiKey::Fetch => self.open(call, reader, Self::fetch),
            ApiKey::ListOffsets => self.open(call, reader, Self::list_offsets),
            ApiKey::Metadata => self.open(call, reader, Self::metadata),
            ApiKey::ApiVersions => self.open(call, reader, Self::api_versions),
            ApiKey::CreateTopics => self.open(call, reader, Self::create_topics),
            ApiKey::DeleteTopics => self.open(call, reader, Self::delete_topics),
            ApiKey::CreatePartitions => self.open(call, reader, Self::create_partitions),
            ApiKey::DescribeConfigs => self.open(call, reader, Self::describe_configs),
            ApiKey::DescribeCluster => self.open(call, reader, Self::describe_cluster),
            ApiKey::InitProducerId => self.open(call, reader, Self::init_producer_id),
            ApiKey::FindCoordinator => self.open(call, reader, Self::find_coordinator),
            ApiKey::JoinGroup => self.open(call, reader, Self::join_group),
            ApiKey::SyncGroup => self.open(call, reader, Self::sync_group),
            ApiKey::Heartbeat => self.open(call, reader, Self::heartbeat),
            ApiKey::LeaveGroup => self.open(call, reader, Self::leave_group),
            ApiKey::OffsetCommit => self.open(call, reader, Self::offset_commit),
            ApiKey::OffsetFetch => self.open(call, reader, Self::offset_fetch),
            ApiKey::OffsetDelete => self.open(call, reader, Self::offset_delete),
            ApiKey::DescribeGroups => self.open(call, reader, Self::describe_groups),
            ApiKey::ListGroups => self.open(call, reader, Self::list_groups),
            ApiKey::ConsumerGroupHeartbeat => self.open(call, reader, Self::consumer_group_heartbeat),
            ApiKey::ConsumerGroupDescribe => self.open(call, reader, Self::consumer_group_describe),
            ApiKey::DeleteGroups => self.open(call, reader, Self::delete_groups),
        }
    }

    /// Bytes behind a request are passed over, as in Kafka: librdkafka 2.x sends some behind Metadata.
    fn open<R: Request>(&mut self, call: Call, mut reader: Reader, serve: fn(&mut Self, Call, R)) {
        match R::decode(&mut reader, call.version) {
            Ok(request) => serve(self, call, request),
            Err(error) => self.close(call.connection, Offence::Malformed(error.to_string())),
        }
    }
}
