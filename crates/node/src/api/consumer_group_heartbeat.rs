use groma_wire::ErrorCode;
use groma_wire::messages::{ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse};

use crate::call::Call;
use crate::node::Node;

impl Node {
    /// Refuses the protocol of KIP-848, as Kafka does where it is switched off. It is served for that alone: librdkafka
    /// looks for another coordinator without end when the broker does not know the API, and tells nobody.
    pub(super) fn consumer_group_heartbeat(&mut self, call: Call, _: ConsumerGroupHeartbeatRequest) {
        let response = ConsumerGroupHeartbeatResponse {
            error_code: ErrorCode::UnsupportedVersion.code(),
            error_message: Some("groups of this broker speak group.protocol=classic".to_owned()),
            ..Default::default()
        };
        self.answer(call, &response);
    }
}
