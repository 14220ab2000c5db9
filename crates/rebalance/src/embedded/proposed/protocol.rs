use std::collections::BTreeSet;

use bytes::Bytes;
use groma_model::TopicPartition;

use crate::embedded::consumer::layout::Layout;
use crate::embedded::consumer::{Consumer, PlanMemory, Strategy, TopicCatalog};
use crate::embedded::{Council, Decision, Embedded, EmbeddedError, Grant, Mode, Report, Shape};
use crate::policy::Abilities;
use crate::protocol::{MemberReport, Protocol};

/// A member that speaks the proposal's protocol, with the strategies it offers.
///
/// Interest and catalog are those of a [`Consumer`].
#[derive(Clone, Debug)]
pub struct Proposed {
    protocol_type: String,
    core: Consumer,
}

impl Proposed {
    /// A member of groups of this protocol type, which coordinators take for anything but `consumer`; it offers these
    /// strategies, most preferred first.
    pub fn new(protocol_type: impl Into<String>, strategies: Vec<Strategy>, shape: Shape) -> Self {
        let core = Consumer::new(strategies).laid_out(Layout::Proposed(shape));
        Self { protocol_type: protocol_type.into(), core }
    }
}

impl Embedded for Proposed {
    type Resource = TopicPartition;
    type Interest = BTreeSet<String>;
    type Catalog = TopicCatalog;
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
        let Report { interest, held, generation, previous, trail } = *report;
        self.core.protocols(&Report { interest, held, generation, previous, trail })
    }

    fn covers(&self, interest: &BTreeSet<String>, resource: &TopicPartition) -> bool {
        self.core.covers(interest, resource)
    }

    fn grant(&self, protocol: &str, assignment: &Bytes) -> Result<Grant<TopicPartition>, EmbeddedError> {
        self.core.grant(protocol, assignment)
    }

    fn wanted(&self, members: &[MemberReport]) -> BTreeSet<String> {
        self.core.wanted(members)
    }

    fn knows(&self, catalog: &TopicCatalog, interest: &BTreeSet<String>) -> bool {
        self.core.knows(catalog, interest)
    }

    fn stamp(&self, interest: &BTreeSet<String>, catalog: &TopicCatalog) -> u64 {
        self.core.stamp(interest, catalog)
    }

    fn lead(&self, council: &Council<'_, Self>) -> Result<Decision<Self>, EmbeddedError> {
        let Council { protocol, generation, members, catalog, memory, trail, gathered } = *council;
        let decision = self.core.lead(&Council { protocol, generation, members, catalog, memory, trail, gathered })?;
        let Decision { assignments, moves, moved, waits, held_back, gathers, broken, offences, policy, memory } =
            decision;
        Ok(Decision { assignments, moves, moved, waits, held_back, gathers, broken, offences, policy, memory })
    }
}
