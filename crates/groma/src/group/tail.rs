use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use groma_client::{
    Admin, Assigned, ClientConfig, ClientError, Consumer, ConsumerConfig, Event, Fetched, GroupId, Offset, OffsetSpec,
    TopicPartition,
};
use groma_explain::{Fact, ROUNDS_TOPIC, Thinned, TopicNames, of_record, read, topics_in_record};

/// Reads one partition from its beginning on: `__consumer_offsets`, or the rounds of our own broker.
pub(crate) struct Tail {
    consumer: Consumer<Assigned>,
    kind: Kind,
    group: String,
    /// Names of topics that records name by ids.
    topics: TopicNames,
    next: i64,
    end: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Offsets,
    Rounds,
}

/// How long the next piece of a partition may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The topic that holds groups and their offsets.
const OFFSETS_TOPIC: &str = "__consumer_offsets";

impl Kind {
    const fn topic(self) -> &'static str {
        match self {
            Self::Offsets => OFFSETS_TOPIC,
            Self::Rounds => ROUNDS_TOPIC,
        }
    }
}

impl Tail {
    /// Opens the partition that tells of `group`.
    ///
    /// # Errors
    /// Why it cannot be read; `UnknownTopic` where the cluster has none.
    pub(crate) async fn open(
        admin: &Admin,
        client: &ClientConfig,
        group: &str,
        kind: Kind,
    ) -> Result<Self, ClientError> {
        let topic = kind.topic();
        let known = admin.describe_topics(&[topic]).await?;
        let count = known.first().and_then(|topic| i32::try_from(topic.partitions.len()).ok()).unwrap_or(0);
        let number = match kind {
            Kind::Offsets => GroupId(group.to_owned()).offsets_partition(count).unwrap_or(0),
            Kind::Rounds => 0,
        };
        let partition = TopicPartition::new(topic, number);
        let place = |spec| admin.list_offsets(spec, std::slice::from_ref(&partition));
        let first =
            |found: Vec<groma_client::ListedOffset>| found.first().and_then(|at| at.offset).map_or(0, |at| at.0);
        let (start, end) = (first(place(OffsetSpec::Earliest).await?), first(place(OffsetSpec::Latest).await?));
        let consumer = Consumer::connect(client, ConsumerConfig::default()).await?;
        consumer.assign(&[(partition, Some(Offset(start)))]);
        Ok(Self { consumer, kind, group: group.to_owned(), topics: TopicNames::new(), next: start, end })
    }

    /// Reads to where the partition ended when it was opened.
    ///
    /// # Errors
    /// Reading failed, or nothing came for long.
    pub(crate) async fn catch_up(&mut self, admin: &Admin, facts: &mut Vec<Fact>) -> Result<(), ClientError> {
        let mut thinned = Thinned::default();
        while self.next < self.end {
            let event = tokio::time::timeout(PATIENCE, self.consumer.next()).await;
            let event = event.map_err(|_| ClientError::TimedOut {
                what: format!("reading {}", self.kind.topic()),
                after: groma_client::Span::from_secs(PATIENCE.as_secs()),
            })?;
            let mut some = Vec::new();
            self.take(admin, event, &mut some).await?;
            thinned.extend(some);
        }
        facts.extend(thinned.into_facts());
        Ok(())
    }

    /// Takes what has come meanwhile.
    ///
    /// # Errors
    /// Reading failed.
    pub(crate) async fn take_ready(&mut self, admin: &Admin, facts: &mut Vec<Fact>) -> Result<(), ClientError> {
        while let Some(event) = self.consumer.try_next() {
            self.take(admin, event, facts).await?;
        }
        Ok(())
    }

    async fn take(&mut self, admin: &Admin, event: Event, facts: &mut Vec<Fact>) -> Result<(), ClientError> {
        match event {
            Event::Records(fetched) => {
                let learned = self.learn(admin, &fetched).await;
                self.read(&fetched, facts)?;
                learned
            }
            Event::Error(error @ (ClientError::Disconnected { .. } | ClientError::TimedOut { .. })) => {
                if self.next < self.end { Err(error) } else { Ok(()) }
            }
            Event::Error(error) => Err(error),
            _ => Ok(()),
        }
    }

    /// Looks up the topics that the records name by ids not met before; one that was deleted, or cannot be looked up now,
    /// has its id for a name.
    async fn learn(&mut self, admin: &Admin, fetched: &Fetched) -> Result<(), ClientError> {
        if self.kind == Kind::Rounds {
            return Ok(());
        }
        let mut unknown = BTreeSet::new();
        let mut records = fetched.records();
        while let Some(record) = records.next()? {
            let named = record.key.map(|key| topics_in_record(key, record.value)).unwrap_or_default();
            unknown.extend(named.into_iter().filter(|id| !self.topics.contains_key(id)));
        }
        if !unknown.is_empty() {
            let found = admin.list_topics().await?;
            self.topics.extend(unknown.into_iter().map(|id| (id, id.to_string())));
            self.topics.extend(found.into_iter().map(|topic| (topic.id, topic.name)));
        }
        Ok(())
    }

    fn read(&mut self, fetched: &Fetched, facts: &mut Vec<Fact>) -> Result<(), ClientError> {
        self.next = self.next.max(fetched.next.0);
        let mut records = fetched.records();
        while let Some(record) = records.next()? {
            match self.kind {
                Kind::Offsets => {
                    let Some(key) = record.key else { continue };
                    let told = (record.timestamp_ms, key, record.value);
                    facts.extend(of_record(&self.group, &self.topics, told));
                }
                Kind::Rounds => facts.extend(told(&self.group, record.value.unwrap_or_default())),
            }
        }
        Ok(())
    }
}

/// A line of a trace in a record.
fn told(group: &str, value: &[u8]) -> Option<Fact> {
    let text = str::from_utf8(value).ok()?;
    let fact = read(&format!("{text}\n")).ok()?.pop()?;
    (fact.group == group).then_some(fact)
}

/// What every fact of committed offsets says last, by resource.
pub(crate) type Offsets = BTreeMap<String, i64>;
