use groma_session::cluster::Target;
use groma_session::net::Address;
use groma_wire::messages::{DescribeClusterRequest, DescribeClusterResponse};

use super::admin::Refusal;
use super::{Admin, ClusterInfo};
use crate::ClientError;

impl Admin {
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
        Ok(ClusterInfo {
            id: response.cluster_id,
            controller: (response.controller_id >= 0).then_some(response.controller_id),
            brokers: response.brokers.into_iter().map(broker).collect(),
        })
    }
}
