use std::collections::BTreeSet;
use std::marker::PhantomData;

use bytes::Bytes;
use groma_model::TopicPartition;

use super::names;
use super::{Catalog, Interest, Resource};
use crate::embedded::consumer::layout::Layout;
use crate::embedded::consumer::{Assignment, Consumer, PlanMemory, Strategy, Subscription};
use crate::embedded::shape::DELTA_SUFFIX;
use crate::embedded::{Council, Decision, Embedded, EmbeddedError, Grant, Mode, Report, Shape, Waiting, proposed};
use crate::policy::Abilities;
use crate::protocol::{MemberReport, Protocol};

/// A member of a group that shares out what an application names.
#[derive(Clone, Debug)]
pub struct Custom<R> {
    protocol_type: String,
    core: Consumer,
    resource: PhantomData<fn() -> R>,
}

impl<R: Resource> Custom<R> {
    /// A member of groups of this protocol type, which names the kind of application, and which coordinators take for
    /// anything but `consumer`. It offers these strategies, most preferred first; if some are eager and some
    /// are not, see [`Consumer::new`].
    pub fn new(protocol_type: impl Into<String>, strategies: Vec<Strategy>, shape: Shape) -> Self {
        let layout = match shape {
            Shape::Full => Layout::Kafka,
            Shape::Delta => Layout::Proposed(Shape::Delta),
        };
        let core = Consumer::new(strategies).laid_out(layout);
        Self { protocol_type: protocol_type.into(), core, resource: PhantomData }
    }
}

/// How a member of a group of an application's own resources is given them under this protocol, by its report; none where
/// it is of another make. Reports of ours carry a mark, or ask as only they do. For observers, who do not know the
/// application.
pub fn shape(protocol: &str, report: &Bytes) -> Option<Shape> {
    let report = Subscription::decode(report).ok()?;
    let asks = !report.topics.is_empty() && report.topics.iter().all(Interest::is_written);
    let shape = if protocol.ends_with(DELTA_SUFFIX) { Shape::Delta } else { Shape::Full };
    (asks || (shape == Shape::Full && report.is_of_our_make())).then_some(shape)
}

/// The names of what a member of such a group holds after a round under this protocol; none where its report or
/// assignment cannot be read.
pub fn given(protocol: &str, report: &Bytes, assignment: &Bytes) -> Option<Vec<String>> {
    let name = |part: TopicPartition| part.topic;
    match shape(protocol, report)? {
        Shape::Full => Some(Assignment::decode(assignment).ok()?.partitions.iter().map(name).collect()),
        Shape::Delta => {
            let (held, change) =
                (Subscription::decode(report).ok()?.owned, proposed::Assignment::decode(assignment).ok()?);
            let mut held: BTreeSet<String> = held.iter().map(name).collect();
            for part in change.revoked.iter() {
                held.remove(&part.topic);
            }
            held.extend(change.assigned.iter().map(name));
            Some(held.into_iter().collect())
        }
    }
}

/// What waits for its owner to come back, as the leader of such a group tells this member.
pub fn waits(protocol: &str, report: &Bytes, assignment: &Bytes) -> Vec<Waiting<TopicPartition>> {
    let read = match shape(protocol, report) {
        None => None,
        Some(Shape::Full) => Assignment::decode(assignment).ok(),
        Some(Shape::Delta) => proposed::Assignment::decode(assignment)
            .ok()
            .map(|given| Assignment { partitions: given.assigned, user_data: given.note }),
    };
    read.map(|given| given.waits()).unwrap_or_default()
}

impl<R: Resource> Embedded for Custom<R> {
    type Resource = R;
    type Interest = Interest;
    type Catalog = Catalog<R>;
    type Memory = PlanMemory;

    fn protocol_type(&self) -> &str {
        &self.protocol_type
    }

    fn speaks(&self, protocol: &str) -> bool {
        self.core.speaks(protocol)
    }

    fn mode(&self, protocol: Option<&str>) -> Mode {
        self.core.mode(protocol)
    }

    fn needs(&self, protocol: &str) -> Abilities {
        self.core.needs(protocol)
    }

    fn protocols(&self, report: &Report<'_, Self>) -> Vec<Protocol> {
        let previous = report.previous.map(|(held, since)| (names::parts(held), since));
        self.core.protocols(&Report {
            interest: &report.interest.write(),
            held: &names::parts(report.held),
            generation: report.generation,
            previous: previous.as_ref().map(|(held, since)| (held, *since)),
            trail: &names::trail(report.trail),
        })
    }

    fn covers(&self, interest: &Interest, resource: &R) -> bool {
        interest.covers(&resource.kind())
    }

    fn grant(&self, protocol: &str, assignment: &Bytes) -> Result<Grant<R>, EmbeddedError> {
        names::grant(self.core.grant(protocol, assignment)?).map_err(EmbeddedError::UnknownName)
    }

    fn wanted(&self, members: &[MemberReport]) -> Interest {
        let asked = self.core.wanted(members);
        Interest::read(asked.iter().map(String::as_str))
    }

    fn knows(&self, catalog: &Catalog<R>, _interest: &Interest) -> bool {
        catalog.is_known()
    }

    fn stamp(&self, interest: &Interest, catalog: &Catalog<R>) -> u64 {
        catalog.stamp(interest)
    }

    fn lead(&self, council: &Council<'_, Self>) -> Result<Decision<Self>, EmbeddedError> {
        let (catalog, nothing) = (council.catalog, Default::default());
        let decision = self.core.lead_by(
            &Council {
                protocol: council.protocol,
                generation: council.generation,
                members: council.members,
                catalog: catalog.topics().unwrap_or(&nothing),
                memory: council.memory,
                trail: &names::trail(council.trail),
                gathered: council.gathered,
            },
            (|names| catalog.asked(&Interest::read(names.iter())), |name| catalog.cost(name)),
        )?;
        let name = |part: &_| catalog.resource(part);
        Ok(Decision {
            assignments: decision.assignments,
            moves: decision.moves.into_iter().filter_map(|m| names::moved(m, name)).collect(),
            moved: decision.moved,
            waits: decision.waits.iter().map(|wait| names::waiting(wait, name)).collect(),
            held_back: decision.held_back,
            gathers: decision.gathers,
            broken: decision.broken,
            offences: decision.offences.into_iter().filter_map(|o| names::offence(o, name)).collect(),
            policy: decision.policy,
            memory: decision.memory,
        })
    }
}
