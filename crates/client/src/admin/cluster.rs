use std::collections::BTreeMap;

use groma_session::cluster::Target;
use groma_session::net::Address;
use groma_wire::messages::{ApiVersionsRequest, ApiVersionsResponse, DescribeClusterRequest, DescribeClusterResponse};

use super::admin::Refusal;
use super::{Admin, ClusterInfo};
use crate::ClientError;

impl Admin {
    /// The features that a broker has and the highest level of each that it knows (KIP-584), such as
    /// `metadata.version`; none from brokers that do not say.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn features(&self) -> Result<BTreeMap<String, i16>, ClientError> {
        let request = ApiVersionsRequest {
            client_software_name: SOFTWARE.to_owned(),
            client_software_version: env!("CARGO_PKG_VERSION").to_owned(),
            ..ApiVersionsRequest::default()
        };
        let judge = |response: ApiVersionsResponse| {
            Refusal::check(response.error_code, None)?;
            Ok(response.supported_features)
        };
        let features = self.retry("asking for features", Target::Any, request, judge).await?;
        Ok(features.into_iter().map(|feature| (feature.name, feature.max_version)).collect())
    }

    /// The cluster.
    ///
    /// # Errors
    /// `TimedOut`, `Refused`.
    pub async fn describe_cluster(&self) -> Result<ClusterInfo, ClientError> {
        let judge = |response: DescribeClusterResponse| {
            Refusal::check(response.error_code, response.error_message.as_deref())?;
            Ok(response)
        };
        let request = DescribeClusterRequest::default();
        let response = self.retry("describing the cluster", Target::Any, request, judge).await?;
        let broker = |b: groma_wire::messages::DescribeClusterBroker| {
            let port = u16::try_from(b.port).unwrap_or_default();
            (b.broker_id, Address { host: b.host, port }.to_string())
        };
        let rack = |b: &groma_wire::messages::DescribeClusterBroker| Some((b.broker_id, b.rack.clone()?));
        Ok(ClusterInfo {
            id: response.cluster_id,
            controller: (response.controller_id >= 0).then_some(response.controller_id),
            racks: response.brokers.iter().filter_map(rack).collect(),
            brokers: response.brokers.into_iter().map(broker).collect(),
        })
    }
}

/// What the client calls itself (KIP-511).
const SOFTWARE: &str = "groma";
