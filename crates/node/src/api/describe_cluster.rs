use groma_wire::ErrorCode;
use groma_wire::messages::{DescribeClusterBroker, DescribeClusterRequest, DescribeClusterResponse};

use super::operations;
use crate::call::Call;
use crate::node::Node;

impl Node {
    pub(super) fn describe_cluster(&mut self, call: Call, request: DescribeClusterRequest) {
        let mut response = DescribeClusterResponse {
            endpoint_type: request.endpoint_type,
            cluster_id: self.identity.cluster_id.clone(),
            controller_id: self.identity.settings.broker_id,
            cluster_authorized_operations: if request.include_cluster_authorized_operations {
                operations::CLUSTER
            } else {
                operations::NOT_ASKED
            },
            ..Default::default()
        };
        if request.endpoint_type == BROKERS {
            response.brokers.push(DescribeClusterBroker {
                broker_id: self.identity.settings.broker_id,
                host: self.identity.host.clone(),
                port: i32::from(self.identity.port),
                rack: self.identity.settings.rack.clone(),
                ..Default::default()
            });
        } else {
            response.error_code = ErrorCode::MismatchedEndpointType.code();
            response.error_message = Some("this is a broker: controllers have no endpoint here".to_owned());
        }
        self.answer(call, &response);
    }
}

const BROKERS: i8 = 1;
