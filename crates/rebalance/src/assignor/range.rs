use super::Assignor;
use crate::share::{NOBODY, Owners, Situation};

/// Kafka's `range`: the resources of each kind are cut into as many runs as members ask for it, in order; the first
/// members get one more where it does not come out even. Kinds of the same size asked for by the same members are cut
/// alike, so that equal numbers meet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range;

impl Assignor for Range {
    fn name(&self) -> &str {
        "range"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let mut owner = vec![NOBODY; situation.resources()];
        for (kind, askers) in situation.kinds().iter().zip(situation.askers().iter()) {
            let Some(share) = kind.count.checked_div(askers.len() as u32) else { continue };
            let extra = kind.count as usize % askers.len();
            let mut rest = owner.get_mut(kind.first as usize..kind.range().end as usize).unwrap_or_default();
            for (place, member) in askers.iter().enumerate() {
                let (run, after) = rest.split_at_mut(share as usize + usize::from(place < extra));
                run.fill(*member);
                rest = after;
            }
        }
        owner
    }
}
