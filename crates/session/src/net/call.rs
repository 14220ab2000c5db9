use bytes::Bytes;
use groma_wire::messages::*;
use groma_wire::{ApiKey, Message, RequestHeader, WireError, Writer, frame_request, open_response};

macro_rules! calls {
    ($($name:ident($request:ident => $response:ident) $min:literal ..= $max:literal,)*) => {
        /// The APIs a client uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Api {
            $(#[doc = stringify!($name)] $name,)*
        }

        /// A request to a broker.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Call {
            $(#[doc = stringify!($request)] $name($request),)*
        }

        /// A broker's answer to a [`Call`] of the same name.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Reply {
            $(#[doc = stringify!($response)] $name($response),)*
        }

        impl Api {
            /// Its name in Kafka's definitions.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// Its key on the wire.
            pub const fn key(self) -> ApiKey {
                match self { $(Self::$name => <$request>::KEY,)* }
            }

            /// The versions this client speaks.
            pub fn versions(self) -> (i16, i16) {
                match self {
                    $(Self::$name => {
                        let ours = <$request>::VERSIONS;
                        ($min.max(*ours.start()), $max.min(*ours.end()))
                    })*
                }
            }

            /// Reads the answer to a request of `version`.
            ///
            /// # Errors
            /// When the bytes are not such an answer.
            pub fn open(self, frame: Bytes, version: i16) -> Result<Reply, WireError> {
                match self { $(Self::$name => open_response(frame, version).map(|(_, r)| Reply::$name(r)),)* }
            }
        }

        impl Call {
            /// Which API it is for.
            pub const fn api(&self) -> Api {
                match self { $(Self::$name(_) => Api::$name,)* }
            }

            /// The frame to send.
            ///
            /// # Errors
            /// When the version cannot carry what is set.
            pub fn frame(&self, header: &RequestHeader) -> Result<Writer, WireError> {
                match self { $(Self::$name(request) => frame_request(header, request),)* }
            }
        }

        $(
            impl From<$request> for Call {
                fn from(request: $request) -> Self {
                    Self::$name(request)
                }
            }

            impl TryFrom<Reply> for $response {
                type Error = Reply;
                fn try_from(reply: Reply) -> Result<Self, Reply> {
                    match reply {
                        Reply::$name(response) => Ok(response),
                        other => Err(other),
                    }
                }
            }
        )*
    };
}

calls! {
    ApiVersions(ApiVersionsRequest => ApiVersionsResponse) 0..=4,
    Metadata(MetadataRequest => MetadataResponse) 4..=13,
    Produce(ProduceRequest => ProduceResponse) 3..=13,
    Fetch(FetchRequest => FetchResponse) 4..=17,
    ListOffsets(ListOffsetsRequest => ListOffsetsResponse) 1..=10,
    FindCoordinator(FindCoordinatorRequest => FindCoordinatorResponse) 4..=6,
    JoinGroup(JoinGroupRequest => JoinGroupResponse) 2..=9,
    SyncGroup(SyncGroupRequest => SyncGroupResponse) 1..=5,
    Heartbeat(HeartbeatRequest => HeartbeatResponse) 1..=4,
    LeaveGroup(LeaveGroupRequest => LeaveGroupResponse) 3..=5,
    OffsetCommit(OffsetCommitRequest => OffsetCommitResponse) 2..=10,
    OffsetFetch(OffsetFetchRequest => OffsetFetchResponse) 8..=10,
    DescribeGroups(DescribeGroupsRequest => DescribeGroupsResponse) 0..=6,
    ConsumerGroupDescribe(ConsumerGroupDescribeRequest => ConsumerGroupDescribeResponse) 0..=1,
    ListGroups(ListGroupsRequest => ListGroupsResponse) 0..=5,
    DeleteGroups(DeleteGroupsRequest => DeleteGroupsResponse) 0..=2,
    CreateTopics(CreateTopicsRequest => CreateTopicsResponse) 2..=7,
    DeleteTopics(DeleteTopicsRequest => DeleteTopicsResponse) 1..=5,
    CreatePartitions(CreatePartitionsRequest => CreatePartitionsResponse) 0..=3,
    DescribeConfigs(DescribeConfigsRequest => DescribeConfigsResponse) 1..=4,
    InitProducerId(InitProducerIdRequest => InitProducerIdResponse) 0..=5,
    DescribeCluster(DescribeClusterRequest => DescribeClusterResponse) 0..=1,
}
