use groma_wire::ErrorCode;
use groma_wire::messages::{Coordinator, FindCoordinatorRequest, FindCoordinatorResponse};

use crate::call::{Call, Refusal};
use crate::node::Node;

const GROUP: i8 = 0;
const TRANSACTION: i8 = 1;
/// The first version that asks for several at once.
const SEVERAL: i16 = 4;

impl Node {
    /// This broker coordinates every group; transactions and share groups are not served.
    pub(super) fn find_coordinator(&mut self, call: Call, request: FindCoordinatorRequest) {
        let several = call.version >= SEVERAL;
        let keys = if several { request.coordinator_keys } else { vec![request.key] };
        let mut coordinators: Vec<Coordinator> =
            keys.into_iter().map(|key| self.coordinator(key, request.key_type)).collect();
        let response = match coordinators.pop() {
            Some(only) if !several => FindCoordinatorResponse {
                error_code: only.error_code,
                error_message: only.error_message.filter(|_| call.version >= 1),
                node_id: only.node_id,
                host: only.host,
                port: only.port,
                ..Default::default()
            },
            last => {
                coordinators.extend(last);
                FindCoordinatorResponse { coordinators, ..Default::default() }
            }
        };
        self.answer(call, &response);
    }

    fn coordinator(&self, key: String, key_type: i8) -> Coordinator {
        match served(&key, key_type) {
            Ok(()) => Coordinator {
                key,
                node_id: self.identity.settings.broker_id,
                host: self.identity.host.clone(),
                port: i32::from(self.identity.port),
                ..Default::default()
            },
            Err(refusal) => Coordinator {
                key,
                node_id: -1,
                port: -1,
                error_code: refusal.code.code(),
                error_message: refusal.message,
                ..Default::default()
            },
        }
    }
}

fn served(key: &str, key_type: i8) -> Result<(), Refusal> {
    match key_type {
        GROUP if key.is_empty() => Err(ErrorCode::InvalidGroupId.into()),
        GROUP => Ok(()),
        TRANSACTION => Err(Refusal::because(
            ErrorCode::TransactionalIdAuthorizationFailed,
            "this broker does not serve transactions",
        )),
        _ => Err(Refusal::because(ErrorCode::InvalidRequest, "this broker coordinates consumer groups only")),
    }
}
