use groma_wire::ErrorCode;
use groma_wire::messages::{InitProducerIdRequest, InitProducerIdResponse};

use crate::call::Call;
use crate::node::Node;

impl Node {
    /// Gives out a producer id that was never given before. Transactions are not served.
    pub(super) fn init_producer_id(&mut self, call: Call, request: InitProducerIdRequest) {
        let response = match request.transactional_id {
            Some(_) => InitProducerIdResponse {
                error_code: ErrorCode::TransactionalIdAuthorizationFailed.code(),
                producer_id: -1,
                producer_epoch: -1,
                ..Default::default()
            },
            None => {
                InitProducerIdResponse { producer_id: self.next_producer(), producer_epoch: 0, ..Default::default() }
            }
        };
        self.answer(call, &response);
    }

    fn next_producer(&mut self) -> i64 {
        let id = self.producers_given;
        self.producers_given += 1;
        id
    }
}
