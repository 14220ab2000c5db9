use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use groma_client::{Offset, TopicPartition};
use groma_explain::{Fact, Source, What, line, of_member};
use groma_rebalance::member::Event;
use groma_streams::Notice;

use super::collect::now_ms;
use super::explain::unwritable;
use crate::exit::Failure;

/// Writes what an instance tells as a trace: a line at once for each step, so that a killed instance leaves all but
/// its last moments.
#[derive(Debug)]
pub(crate) struct Trace {
    path: PathBuf,
    /// None after it could not be written.
    file: Option<File>,
    group: String,
    topic: String,
    member: Option<String>,
}

impl Trace {
    /// Opens the file for appending.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn open(path: &Path, group: &str, topic: &str) -> Result<Self, Failure> {
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| unwritable(path, &error))?;
        let (group, topic) = (group.to_owned(), topic.to_owned());
        Ok(Self { path: path.to_owned(), file: Some(file), group, topic, member: None })
    }

    /// Writes what is told, as far as it belongs to a trace.
    pub(crate) fn note(&mut self, notice: &Notice) {
        if let Notice::Step(Event::Joined { member, .. }) = notice {
            self.member = Some(member.0.clone());
        }
        self.what(notice).into_iter().for_each(|what| self.write(what));
    }

    /// The instance has ended in good order.
    pub(crate) fn left(&mut self) {
        self.write(What::Left);
    }

    fn what(&self, notice: &Notice) -> Vec<What> {
        let names = |numbers: &[i32]| numbers.iter().map(|number| self.name(*number)).collect();
        let what = match notice {
            Notice::Step(step) => return of_member(step),
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
            Notice::Ready | Notice::LeftOut { .. } | Notice::Trouble(_) => return Vec::new(),
        };
        vec![what]
    }

    fn name(&self, partition: i32) -> String {
        TopicPartition::new(&self.topic, partition).to_string()
    }

    /// A trace that cannot be written ends, and the instance goes on.
    fn write(&mut self, what: What) {
        let Some(file) = &mut self.file else { return };
        let (group, member) = (self.group.clone(), self.member.clone());
        let fact = Fact { time_ms: now_ms(), group, source: Source::Member, member, what };
        if let Err(error) = file.write_all(line(&fact).as_bytes()) {
            eprintln!("{}: {error}; the trace ends here", self.path.display());
            self.file = None;
        }
    }
}
