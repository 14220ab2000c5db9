use super::near;
use crate::assignor::Assignor;
use crate::share::{Askers, NOBODY, Owners, Situation};

/// Kafka's `range`: the resources of each kind are cut into as many runs as members ask for it, in order; the first
/// members get one more where it does not come out even. Kinds of the same size asked for by the same members are cut
/// alike, so that equal numbers meet.
///
/// Where racks make a difference to a kind (KIP-881), each member is first given what has a copy in its rack, as far as
/// its share goes, in order; of kinds that are cut alike only equal numbers that all have a copy there. One that does not
/// say where it runs counts as near everything. The rest is cut into runs as usual. All this just as Kafka's does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range;

impl Assignor for Range {
    fn name(&self) -> &str {
        "range"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        let askers = situation.askers();
        let near = situation.racks().and_then(|racks| near::assign(situation, &askers, racks));
        near.unwrap_or_else(|| runs(situation, &askers))
    }
}

fn runs(situation: &Situation, askers: &Askers) -> Owners {
    let mut owner = vec![NOBODY; situation.resources()];
    for (kind, askers) in situation.kinds().iter().zip(askers.iter()) {
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
