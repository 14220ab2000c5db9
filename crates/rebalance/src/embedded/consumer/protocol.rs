use std::collections::BTreeSet;

use bytes::Bytes;
use groma_model::{Span, TopicPartition};

use super::layout::Layout;
use super::lead::Lead;
use super::memory::PlanMemory;
use super::raw::RawReport;
use super::strategy::{encode_generation, encode_previous};
use super::trail::put_trail;
use super::{Memory, Strategy, Subscription, TopicCatalog, Topics};
use crate::embedded::{Council, Decision, Embedded, EmbeddedError, Grant, Mode, Report, proposed};
use crate::policy::Abilities;
use crate::protocol::{MemberReport, Protocol};

/// A member of protocol type `consumer`, with the strategies it offers.
///
/// Interest is a set of topics; the catalog gives the number of partitions of each topic, 0 for one that does not
/// exist, and where they lie.
#[derive(Clone, Debug)]
pub struct Consumer {
    strategies: Vec<Strategy>,
    mode: Mode,
    rack: Option<String>,
    layout: Layout,
}

/// How long members wait where neither the plan nor their configuration says so.
const DELAY: Span = Span::from_secs(300);

impl Consumer {
    /// A member that offers these strategies, most preferred first. If some are eager and some are not, it does as the
    /// one does that is chosen, so that one rolling bounce moves a group from eager to cooperative: while members that
    /// are eager only are left, everything stops in each round; with the first round without them that is over, and from
    /// then on who holds something offers no eager strategy any more, so that a straggler is refused instead of being
    /// given what another runs. (Kafka's members are eager until a second bounce has removed the eager ones, KIP-429.)
    pub fn new(strategies: Vec<Strategy>) -> Self {
        let mode = strategies.iter().map(Strategy::mode).min().unwrap_or(Mode::Eager);
        Self { strategies, mode, rack: None, layout: Layout::Kafka }
    }

    /// The same with other bytes.
    #[must_use]
    pub(in crate::embedded) const fn laid_out(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Says where the member runs (KIP-881).
    #[must_use]
    pub fn in_rack(mut self, rack: impl Into<String>) -> Self {
        self.rack = Some(rack.into());
        self
    }

    fn strategy(&self, name: &str) -> Option<&Strategy> {
        self.strategies.iter().find(|s| self.layout.name(s) == name)
    }

    fn user_data(&self, strategy: &Strategy, report: &Report<'_, Self>) -> Option<Bytes> {
        match strategy.memory {
            Memory::Forgetful => None,
            Memory::Owned => {
                let mut data = encode_generation(report.generation);
                put_trail(&mut data, strategy.policy.needs(), report.trail);
                Some(data.into())
            }
            Memory::UserData => {
                let (previous, generation) = report.previous?;
                Some(encode_previous(&previous.iter().collect(), generation))
            }
        }
    }
}

impl Embedded for Consumer {
    type Resource = TopicPartition;
    type Interest = BTreeSet<String>;
    type Catalog = TopicCatalog;
    type Memory = PlanMemory;

    fn protocol_type(&self) -> &str {
        "consumer"
    }

    fn speaks(&self, protocol: &str) -> bool {
        self.strategy(protocol).is_some()
    }

    fn mode(&self, protocol: Option<&str>) -> Mode {
        protocol.and_then(|name| self.strategy(name)).map_or(self.mode, Strategy::mode)
    }

    fn needs(&self, protocol: &str) -> Abilities {
        self.strategy(protocol).map_or(Abilities::NONE, |strategy| strategy.policy.needs())
    }

    fn protocols(&self, report: &Report<'_, Self>) -> Vec<Protocol> {
        let mut subscription = Subscription {
            topics: report.interest.iter().collect(),
            user_data: None,
            owned: report.held.iter().collect(),
            generation: report.generation,
            rack: self.rack.clone(),
        };
        let mut protocol = |strategy: &Strategy| {
            subscription.user_data = self.user_data(strategy, report);
            let version = match self.layout {
                Layout::Kafka => Subscription::VERSION,
                Layout::Proposed(_) => proposed::Subscription::VERSION,
            };
            Protocol::new(self.layout.name(strategy), subscription.encode(version))
        };
        let keeps = |strategy: &&Strategy| strategy.mode() == Mode::Cooperative;
        if report.held.is_empty() || !self.strategies.iter().any(|strategy| keeps(&strategy)) {
            return self.strategies.iter().map(&mut protocol).collect();
        }
        self.strategies.iter().filter(keeps).map(&mut protocol).collect()
    }

    fn covers(&self, interest: &BTreeSet<String>, resource: &TopicPartition) -> bool {
        interest.contains(&resource.topic)
    }

    fn grant(&self, protocol: &str, assignment: &Bytes) -> Result<Grant<TopicPartition>, EmbeddedError> {
        let delay = self.strategy(protocol).and_then(|s| s.policy.constant_delay()).unwrap_or(DELAY);
        self.layout.read(assignment, delay)
    }

    fn wanted(&self, members: &[MemberReport]) -> BTreeSet<String> {
        let mut lists: BTreeSet<&[u8]> = BTreeSet::new();
        let mut last: Option<&[u8]> = None;
        for member in members {
            let Ok(report) = RawReport::read(&member.metadata, last) else { continue };
            if last != Some(report.topics) {
                lists.insert(report.topics);
                last = Some(report.topics);
            }
        }
        lists.into_iter().flat_map(Topics::names).map(str::to_owned).collect()
    }

    fn knows(&self, catalog: &TopicCatalog, interest: &BTreeSet<String>) -> bool {
        interest.iter().all(|topic| catalog.counts().contains_key(topic))
    }

    fn lead(&self, council: &Council<'_, Self>) -> Result<Decision<Self>, EmbeddedError> {
        let unknown = || EmbeddedError::UnknownProtocol(council.protocol.to_owned());
        let strategy = self.strategy(council.protocol).ok_or_else(unknown)?;
        Lead::of_reports(strategy, council.members, council.catalog).decide(council, self.layout)
    }

    fn stamp(&self, interest: &BTreeSet<String>, catalog: &TopicCatalog) -> u64 {
        let asked = catalog.counts().iter().filter(|(topic, _)| interest.contains(*topic));
        Self::stamp_of(asked.map(|(topic, count)| (topic.as_str(), *count)))
    }
}

impl Consumer {
    /// The leader's work where a name that is asked for stands for several topics, and topics have a cost.
    pub(in crate::embedded) fn lead_by(
        &self,
        council: &Council<'_, Self>,
        (topics, cost): (impl Fn(&Topics) -> Topics, impl Fn(&str) -> u32),
    ) -> Result<Decision<Self>, EmbeddedError> {
        let unknown = || EmbeddedError::UnknownProtocol(council.protocol.to_owned());
        let strategy = self.strategy(council.protocol).ok_or_else(unknown)?;
        let lead = Lead::of_wide_reports(strategy, council.members, (council.catalog, topics));
        lead.weighed(cost).decide(council, self.layout)
    }

    /// FNV-1a over names and counts of the topics that exist.
    pub(in crate::embedded) fn stamp_of<'a>(topics: impl Iterator<Item = (&'a str, u32)>) -> u64 {
        let mut stamp = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |byte: u8| stamp = (stamp ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        for (topic, count) in topics.filter(|(_, count)| *count > 0) {
            topic.bytes().chain([0]).chain(count.to_be_bytes()).for_each(&mut mix);
        }
        stamp
    }
}
