use std::io;
use std::path::{Path, PathBuf};

use groma_client::{Offset, TopicPartition, Trace};
use groma_explain::What;
use groma_streams::Notice;

use super::explain::unwritable;
use crate::exit::Failure;

/// Writes what an instance tells as a trace.
#[derive(Debug)]
pub(crate) struct InstanceTrace {
    path: PathBuf,
    trace: Trace,
    topic: String,
}

impl InstanceTrace {
    /// Opens the file for appending.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn open(path: &Path, group: &str, topic: &str) -> Result<Self, Failure> {
        let trace = Trace::open(path, group).map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), trace, topic: topic.to_owned() })
    }

    /// Writes what is told, as far as it belongs to a trace.
    pub(crate) fn note(&mut self, notice: &Notice) {
        let names = |numbers: &[i32]| numbers.iter().map(|number| self.name(*number)).collect();
        let what = match notice {
            Notice::Step(step) => {
                let written = self.trace.step(step, ToString::to_string);
                return self.over(written);
            }
            Notice::Stable(generation) => What::Settled { generation: generation.0 },
            Notice::Assigned(tasks) => What::Assigned { resources: names(tasks) },
            Notice::Revoking(tasks) => What::Revoking { resources: names(tasks) },
            Notice::Revoked(tasks) => What::Released { resources: names(tasks) },
            Notice::Lost(tasks) => What::Lost { resources: names(tasks) },
            Notice::Running { partition, position } => {
                What::Running { resource: self.name(*partition), position: position.map(|Offset(offset)| offset) }
            }
            Notice::Reached(positions) => {
                let position = |(task, offset): &(i32, Offset)| (self.name(*task), offset.0);
                What::Reached { positions: positions.iter().map(position).collect() }
            }
            Notice::Ready | Notice::LeftOut { .. } | Notice::Trouble(_) => return,
        };
        self.write(what);
    }

    /// The instance has ended in good order.
    pub(crate) fn left(&mut self) {
        self.write(What::Left);
    }

    fn write(&mut self, what: What) {
        let written = self.trace.note(what);
        self.over(written);
    }

    /// A trace that cannot be written ends, and the instance goes on.
    fn over(&self, written: io::Result<()>) {
        if let Err(error) = written {
            eprintln!("{}: {error}; the trace ends here", self.path.display());
        }
    }

    fn name(&self, partition: i32) -> String {
        TopicPartition::new(&self.topic, partition).to_string()
    }
}
