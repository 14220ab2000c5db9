use groma_client::ClientError;
use groma_dataflow::{ChangelogError, StepError};
use groma_model::Offset;
use groma_wire::records::RecordsError;

use crate::restore::is_passing;

/// Why an instance cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The cluster cannot be reached, or refuses.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The cluster was reached, and is no more.
    #[error("the Kafka at {bootstrap} is gone: {cause}")]
    Gone {
        /// The addresses given.
        bootstrap: String,
        /// How that showed.
        cause: ClientError,
    },
    /// The input topic does not exist.
    #[error("input topic `{topic}` does not exist; create it with `groma topic create {topic} --partitions N`")]
    NoInput {
        /// Its name.
        topic: String,
    },
    /// The input topic has nothing to read from.
    #[error(
        "input topic `{topic}` has no partitions; delete it and create it with `groma topic create {topic} --partitions N`"
    )]
    EmptyInput {
        /// Its name.
        topic: String,
    },
    /// The instance was asked to stop and could not flush any more.
    #[error(
        "the Kafka at {bootstrap} did not take the last flush within {seconds} s; nothing is lost: what came since the \
         flush before is read again by whoever runs the tasks next"
    )]
    Unfinished {
        /// The addresses given.
        bootstrap: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The changelog belongs to another number of tasks.
    #[error(
        "changelog topic `{changelog}` has {found} partitions, input topic `{input}` has {expected}: the number of \
         tasks has changed; use another group, or delete the changelog and start from the input's beginning"
    )]
    PartitionsChanged {
        /// The changelog topic.
        changelog: String,
        /// Its partitions.
        found: usize,
        /// The input topic.
        input: String,
        /// Its partitions.
        expected: usize,
    },
    /// A task's state cannot be restored.
    #[error("task {partition}: {cause}")]
    Restore {
        /// The task's partition.
        partition: i32,
        /// Why.
        cause: ChangelogError,
    },
    /// The beginning of a changelog was deleted.
    #[error(
        "partition {partition} of changelog topic `{changelog}` begins at offset {earliest}: what came before was \
         deleted, and state with it; set its `retention.ms` to -1, and use another group to start anew"
    )]
    ChangelogCut {
        /// The changelog topic.
        changelog: String,
        /// The partition.
        partition: i32,
        /// Its first offset.
        earliest: Offset,
    },
    /// Input was deleted before it was read.
    #[error(
        "partition {partition} of input topic `{input}`: records {from} to {to} were deleted before they were read; \
         set the topic's `retention.ms` higher, and use another group to start anew"
    )]
    InputDeleted {
        /// The input topic.
        input: String,
        /// The partition.
        partition: i32,
        /// The first record missing.
        from: Offset,
        /// The first record still there.
        to: Offset,
    },
    /// A task met a record or batch that it cannot pass.
    #[error("task {partition} of input topic `{input}`: {cause}")]
    Step {
        /// The input topic.
        input: String,
        /// The partition.
        partition: i32,
        /// What is wrong.
        cause: StepError,
    },
    /// The system refused something.
    #[error("{what}: {cause}")]
    System {
        /// What was asked.
        what: &'static str,
        /// What the system said.
        cause: std::io::Error,
    },
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such setting.
    #[error("unknown setting `{key}`; {mend}")]
    Unknown {
        /// The key given.
        key: String,
        /// The known key closest to it, or all.
        mend: String,
    },
    /// A client setting would change nothing.
    #[error("client setting `{key}` changes nothing in an instance: {mend}; leave it out")]
    Idle {
        /// The key given.
        key: String,
        /// What to use.
        mend: &'static str,
    },
    /// The value does not fit.
    #[error("setting `{key}={value}`: {cause}")]
    Bad {
        /// The key.
        key: String,
        /// The value given.
        value: String,
        /// Why not.
        cause: String,
    },
}

impl InstanceError {
    /// The same, with the address where the cause is that nobody answers there any more.
    pub(crate) fn at(self, bootstrap: &str) -> Self {
        match self {
            Self::Client(cause) if is_passing(&cause) => Self::Gone { bootstrap: bootstrap.to_owned(), cause },
            other => other,
        }
    }

    pub(crate) fn records(input: &str, partition: i32, cause: RecordsError) -> Self {
        Self::Step { input: input.to_owned(), partition, cause: cause.into() }
    }
}
