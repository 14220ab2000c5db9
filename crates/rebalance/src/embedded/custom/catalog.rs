use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_model::TopicPartition;
use thiserror::Error;

use super::{Interest, Resource};
use crate::embedded::consumer::{Consumer, TopicCatalog, Topics};

/// What exists, as an application says; nothing is known before it has said so. Copies share one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog<R> {
    table: Option<Arc<Table<R>>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Table<R> {
    resources: BTreeMap<String, R>,
    /// For each kind the names of its resources.
    kinds: BTreeMap<String, BTreeSet<String>>,
    /// Each name counts as a topic with one partition.
    topics: TopicCatalog,
}

/// Why resources cannot be shared out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CatalogError {
    /// Two have the same name.
    #[error("two resources are called {0}; give each a name of its own")]
    Twice(String),
    /// A name is too long.
    #[error("the name of a resource is {length} bytes long, it may be {NAME_MAX}: {start}...")]
    TooLong {
        /// How it begins.
        start: String,
        /// Its length in bytes.
        length: usize,
    },
}

impl CatalogError {
    /// Whether a name fits into what members say to each other.
    pub(in crate::embedded) fn check_length(name: &str) -> Result<(), Self> {
        let start = || name.chars().take(40).collect();
        if name.len() > NAME_MAX { Err(Self::TooLong { start: start(), length: name.len() }) } else { Ok(()) }
    }
}

/// The longest name, in bytes.
const NAME_MAX: usize = i16::MAX as usize;

impl<R: Resource> Catalog<R> {
    /// Exactly these exist.
    ///
    /// # Errors
    /// Two have the same name, or a name is too long.
    pub fn new(resources: impl IntoIterator<Item = R>) -> Result<Self, CatalogError> {
        let (mut table, mut topics) = (BTreeMap::new(), BTreeMap::new());
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for resource in resources {
            let name = resource.name().into_owned();
            CatalogError::check_length(&name)?;
            kinds.entry(resource.kind().into_owned()).or_default().insert(name.clone());
            topics.insert(name.clone(), 1);
            if table.insert(name.clone(), resource).is_some() {
                return Err(CatalogError::Twice(name));
            }
        }
        Ok(Self { table: Some(Arc::new(Table { resources: table, kinds, topics: topics.into() })) })
    }

    /// Whether the application has said what exists.
    pub const fn is_known(&self) -> bool {
        self.table.is_some()
    }

    /// The resource of a name, if it exists.
    pub fn get(&self, name: &str) -> Option<&R> {
        self.table.as_ref()?.resources.get(name)
    }

    /// All that exist as topics with one partition each.
    pub(super) fn topics(&self) -> Option<&TopicCatalog> {
        self.table.as_ref().map(|table| &table.topics)
    }

    /// The names of what is asked for.
    pub(super) fn asked(&self, interest: &Interest) -> Topics {
        let kinds = self.table.iter().flat_map(|table| &table.kinds).filter(|(kind, _)| interest.covers(kind));
        kinds.flat_map(|(_, names)| names).collect()
    }

    /// What a resource costs; 1 for one that does not exist.
    pub(super) fn cost(&self, name: &str) -> u32 {
        self.get(name).map_or(1, Resource::cost)
    }

    /// A resource of the core's.
    pub(super) fn resource(&self, part: &TopicPartition) -> Option<R> {
        self.get(&part.topic).cloned().or_else(|| R::from_name(&part.topic))
    }

    /// A number that tells two states of what is asked for apart.
    pub(super) fn stamp(&self, interest: &Interest) -> u64 {
        let asked = self.asked(interest);
        Consumer::stamp_of(asked.iter().map(|name| (name, 1)))
    }
}

/// Nothing is known yet.
impl<R> Default for Catalog<R> {
    fn default() -> Self {
        Self { table: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be_told_apart_are_refused() {
        let twice = Catalog::new(["a", "b", "a"].map(str::to_owned));
        assert_eq!(twice.err(), Some(CatalogError::Twice("a".to_owned())));
        let long = Catalog::new(["x".repeat(NAME_MAX + 1)]);
        assert!(matches!(long, Err(CatalogError::TooLong { length: 32_768, .. })));
    }

    #[test]
    fn a_stamp_tells_apart_what_matters_to_an_interest() {
        let all = Catalog::new(["a", "b"].map(str::to_owned)).expect("a catalog");
        let more = Catalog::new(["a", "b", "c"].map(str::to_owned)).expect("a catalog");
        assert_ne!(all.stamp(&Interest::Everything), more.stamp(&Interest::Everything));
        assert_eq!(all.stamp(&Interest::kinds(["other"])), more.stamp(&Interest::kinds(["other"])));
    }
}
