use std::str::FromStr;

use groma_dataflow::{Emission, Policy, Tumbling};

/// What can be set of a use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// UC2's windows: 60 s without grace unless set.
    pub windows: Tumbling,
    /// When UC2 writes results: with each flush unless set.
    pub emission: Emission,
    /// What becomes of records that cannot be read: left out and counted unless set.
    pub rejects: Policy,
    /// Where UC1's results go: the output topic unless set.
    pub target: Target,
}

/// Where the results of a use case without state go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// To the output topic.
    #[default]
    Topic,
    /// Nowhere: they are made, counted and summed up in a checksum, as a stand-in for a database.
    Count,
}

impl Settings {
    /// Milliseconds of a window unless set.
    pub const WINDOW_MS: i64 = 60_000;
}

impl Default for Settings {
    fn default() -> Self {
        let Some(windows) = Tumbling::new(Self::WINDOW_MS, 0) else { unreachable!() };
        Self { windows, emission: Emission::default(), rejects: Policy::default(), target: Target::default() }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "topic" => Ok(Self::Topic),
            "count" => Ok(Self::Count),
            _ => Err(format!("unknown sink `{name}`: use topic or count")),
        }
    }
}
