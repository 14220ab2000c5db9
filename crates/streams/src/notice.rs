use std::fmt;

use groma_client::RoundStep;
use groma_model::{Generation, Offset};

/// What an instance tells whoever runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Its group is stable, and its tasks (possibly none) are restored and fetching. Told once.
    Ready,
    /// The group is stable in this generation.
    Stable(Generation),
    /// Tasks came.
    Assigned(Vec<i32>),
    /// A task runs, from this position where one was restored.
    Running {
        /// The task's partition.
        partition: i32,
        /// Where it goes on.
        position: Option<Offset>,
    },
    /// Tasks are to be given up; they stop, and their last results are written.
    Revoking(Vec<i32>),
    /// Tasks were given up.
    Revoked(Vec<i32>),
    /// How far tasks have come: partition and the next offset to be processed. Told once a second, and before tasks are
    /// given up.
    Reached(Vec<(i32, Offset)>),
    /// A step of this instance in a round of its group.
    Step(RoundStep),
    /// Tasks were taken away without asking.
    Lost(Vec<i32>),
    /// Records were left out since the last flush.
    LeftOut {
        /// The task's partition.
        partition: i32,
        /// How many that cannot be used.
        rejected: u64,
        /// How many that were late.
        late: u64,
        /// The last of them.
        last: Option<Offset>,
    },
    /// Something went wrong; the instance goes on.
    Trouble(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready => f.write_str("ready"),
            Self::Stable(generation) => write!(f, "group stable in generation {generation}"),
            Self::Assigned(tasks) => write!(f, "assigned tasks {tasks:?}"),
            Self::Running { partition, position: Some(position) } => {
                write!(f, "task {partition} restored, goes on at offset {position}")
            }
            Self::Running { partition, position: None } => write!(f, "task {partition} runs"),
            Self::Revoking(tasks) => write!(f, "gives up tasks {tasks:?}"),
            Self::Reached(positions) => {
                let positions = positions.iter().map(|(partition, offset)| format!("{partition} at {offset}"));
                write!(f, "tasks have come to {}", positions.collect::<Vec<_>>().join(", "))
            }
            Self::Step(step) => write!(f, "{step:?}"),
            Self::Revoked(tasks) => write!(f, "gave up tasks {tasks:?}"),
            Self::Lost(tasks) => write!(f, "lost tasks {tasks:?}"),
            Self::LeftOut { partition, rejected, late, last } => {
                write!(f, "task {partition} left out {rejected} unusable and {late} late records")?;
                last.map_or(Ok(()), |last| write!(f, ", the last at offset {last}"))
            }
            Self::Trouble(text) => f.write_str(text),
        }
    }
}
