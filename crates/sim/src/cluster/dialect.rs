use groma_rebalance::embedded::consumer::Subscription;
use groma_rebalance::protocol::Request;

use super::world::{Cluster, Dialect, Reports};

/// Kafka's `cooperative-sticky` has four bytes of user data, the generation; ours says more behind them.
const KAFKAS_USER_DATA: usize = 4;

impl Cluster {
    /// The request as this process words it.
    pub(super) fn in_dialect(&self, place: usize, request: Request) -> Request {
        let (dialect, reports) = (self.clients[place].dialect, self.settings.reports);
        if (dialect, reports) == (Dialect::Ours, Reports::Kept) {
            return request;
        }
        let Request::Join(mut join) = request else { return request };
        for protocol in &mut join.protocols {
            if let Ok(report) = Subscription::decode(&protocol.metadata) {
                protocol.metadata = worded(report, dialect, reports);
            }
        }
        Request::Join(join)
    }
}

fn worded(mut report: Subscription, dialect: Dialect, reports: Reports) -> bytes::Bytes {
    if reports == Reports::WithoutGenerations {
        report.generation = None;
    }
    match dialect {
        Dialect::Ours => report.encode(Subscription::VERSION),
        Dialect::Kafka(version) => {
            if report.is_of_our_make() {
                report.user_data = report.user_data.map(|data| data.slice(..KAFKAS_USER_DATA.min(data.len())));
            }
            report.encode(version)
        }
    }
}
