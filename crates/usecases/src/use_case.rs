use std::fmt;
use std::str::FromStr;

use groma_dataflow::Task;
use groma_model::Partition;

use crate::{Settings, Target, uc1, uc2};

/// One of Theodolite's use cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseCase {
    /// Database storage: every reading becomes a JSON document.
    Uc1,
    /// Downsampling: statistics of every sensor's readings over tumbling windows.
    Uc2,
}

impl UseCase {
    /// All that there are.
    pub const ALL: [Self; 2] = [Self::Uc1, Self::Uc2];

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uc1 => "uc1",
            Self::Uc2 => "uc2",
        }
    }

    /// Whether tasks keep state, and so need a changelog topic.
    pub const fn is_stateful(self) -> bool {
        match self {
            Self::Uc1 => false,
            Self::Uc2 => true,
        }
    }

    /// The task that reads `partition` of the input topic.
    pub fn task(self, partition: Partition, settings: &Settings) -> Box<dyn Task> {
        match (self, settings.target) {
            (Self::Uc1, Target::Topic) => Box::new(uc1::to_topic(partition, settings)),
            (Self::Uc1, Target::Count) => Box::new(uc1::to_count(partition, settings)),
            (Self::Uc2, _) => Box::new(uc2::task(partition, settings)),
        }
    }
}

impl fmt::Display for UseCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl FromStr for UseCase {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|use_case| use_case.name() == name)
            .ok_or_else(|| format!("unknown use case `{name}`: use uc1 or uc2"))
    }
}
