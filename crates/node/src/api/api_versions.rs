use groma_wire::messages::{ApiVersion, ApiVersionsRequest, ApiVersionsResponse};
use groma_wire::{ApiKey, ErrorCode};

use crate::call::Call;
use crate::node::Node;

impl Node {
    pub(super) fn api_versions(&mut self, call: Call, request: ApiVersionsRequest) {
        let unnamed = call.version >= 3
            && (request.client_software_name.is_empty() || request.client_software_version.is_empty());
        let error_code = if unnamed { ErrorCode::InvalidRequest } else { ErrorCode::None };
        let api_keys = if unnamed { Vec::new() } else { ApiKey::ALL.iter().copied().map(advertised).collect() };
        let response = ApiVersionsResponse { error_code: error_code.code(), api_keys, ..Default::default() };
        self.answer(call, &response);
    }

    /// A client that is newer than this broker learns the versions served, in the form that every client reads (KIP-511).
    pub(super) fn refuse_api_versions(&mut self, call: Call) {
        let response = ApiVersionsResponse {
            error_code: ErrorCode::UnsupportedVersion.code(),
            api_keys: vec![advertised(ApiKey::ApiVersions)],
            ..Default::default()
        };
        self.answer(Call { version: 0, ..call }, &response);
    }
}

/// The versions of an API as clients see them. Produce begins at 0, although the first three are not served: librdkafka
/// takes a broker for one without compression otherwise (KAFKA-18659).
fn advertised(api: ApiKey) -> ApiVersion {
    let min_version = if api == ApiKey::Produce { 0 } else { *api.versions().start() };
    ApiVersion { api_key: api.code(), min_version, max_version: *api.versions().end() }
}
