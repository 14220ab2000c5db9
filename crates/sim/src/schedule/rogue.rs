use std::sync::Arc;

use groma_rebalance::assignor::{Assignor, RoundRobin};
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::share::{Owners, Situation};

use super::mutation::Hasty;
use crate::cluster::{Dialect, Make};

/// A process that offers Kafka's cooperative protocol and, when it leads, deals everything out anew whoever holds it, as
/// nisshi's `cooperative-sticky` does (B89). As a member it does what it is told.
pub(super) fn rogue() -> Make {
    let strategy = Strategy { assignor: Arc::new(Anew), policy: Arc::new(Hasty), ..Strategy::cooperative_sticky() };
    Make { strategies: vec![strategy], dialect: Dialect::Rogue }
}

/// Round robin under the name of another protocol.
#[derive(Debug)]
struct Anew;

impl Assignor for Anew {
    fn name(&self) -> &str {
        "cooperative-sticky"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        RoundRobin.assign(situation)
    }
}
