use super::Assignor;
use crate::share::{NOBODY, Owners, Situation};

/// Kafka's `roundrobin`: all resources in order, dealt out to the members in turn; who does not ask for a resource is
/// passed over.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundRobin;

impl Assignor for RoundRobin {
    fn name(&self) -> &str {
        "roundrobin"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let mut owner = vec![NOBODY; situation.resources()];
        let mut next = 0;
        for (kind, askers) in situation.kinds().iter().zip(situation.askers().iter()) {
            if askers.is_empty() {
                continue;
            }
            let range = kind.first as usize..kind.range().end as usize;
            let turn = askers.iter().copied().cycle().skip(askers.partition_point(|m| *m < next));
            for (owner, member) in owner.get_mut(range).unwrap_or_default().iter_mut().zip(turn) {
                *owner = member;
                next = member + 1;
            }
        }
        owner
    }
}
