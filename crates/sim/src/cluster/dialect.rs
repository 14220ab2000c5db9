use groma_rebalance::embedded::consumer::{Assignment, Subscription};
use groma_rebalance::protocol::{Request, SyncRequest};

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
        let mut join = match request {
            Request::Join(join) => join,
            Request::Sync(sync) if dialect == Dialect::Rogue => return Request::Sync(without_notes(sync)),
            other => return other,
        };
        for protocol in &mut join.protocols {
            if let Ok(report) = Subscription::decode(&protocol.metadata) {
                protocol.metadata = worded(report, dialect, reports);
            }
        }
        Request::Join(join)
    }
}

/// The one of librdkafka 2: with what is owned, and the generation of that.
const ROGUES_VERSION: i16 = 3;

fn without_notes(mut sync: SyncRequest) -> SyncRequest {
    for (_, bytes) in &mut sync.assignments {
        if let Ok(assignment) = Assignment::decode(bytes) {
            *bytes = Assignment { user_data: None, ..assignment }.encode();
        }
    }
    sync
}

fn worded(mut report: Subscription, dialect: Dialect, reports: Reports) -> bytes::Bytes {
    if reports == Reports::WithoutGenerations {
        report.generation = None;
    }
    match dialect {
        Dialect::Ours => report.encode(Subscription::VERSION),
        Dialect::Kafka(_) | Dialect::Rogue => {
            if report.is_of_our_make() {
                report.user_data = report.user_data.map(|data| data.slice(..KAFKAS_USER_DATA.min(data.len())));
            }
            report.encode(if let Dialect::Kafka(version) = dialect { version } else { ROGUES_VERSION })
        }
    }
}
