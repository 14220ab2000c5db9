use std::collections::BTreeMap;
use std::sync::Arc;

use crate::embedded::custom::CatalogError;

/// What a member does with a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It runs it; nobody else does.
    Active,
    /// It keeps its state, to take over at once.
    Standby,
    /// It builds up its state, to run it once that is done.
    WarmUp,
}

/// A task and what is done with it. A standby that takes over is told to stop as standby and to start as active; what
/// state it has is its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job {
    /// The task's name.
    pub task: String,
    /// What is done.
    pub role: Role,
}

/// What a member can do, and how far the state it has of tasks is. A position is news for the next round, but no reason
/// for one: only another capacity makes another workplace.
#[derive(Clone, Debug, Default)]
pub struct Workplace {
    /// How much it can do beside the others, such as its number of threads.
    pub capacity: u32,
    /// For each task of which it has state, up to where that goes.
    pub positions: BTreeMap<String, u64>,
}

impl PartialEq for Workplace {
    fn eq(&self, other: &Self) -> bool {
        self.capacity == other.capacity
    }
}

impl Eq for Workplace {}

/// The tasks that exist, each with the end of its state in records, or none for a task without state. The end is also
/// what the task costs, see [`crate::tasks::CatchUp::cost`]. Nothing is known by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskList {
    tasks: Option<Arc<BTreeMap<String, Option<u64>>>>,
}

impl TaskList {
    /// Exactly these exist.
    ///
    /// # Errors
    /// Two have the same name, or a name is too long.
    pub fn new(tasks: impl IntoIterator<Item = (String, Option<u64>)>) -> Result<Self, CatalogError> {
        let mut table = BTreeMap::new();
        for (task, end) in tasks {
            CatalogError::check_length(&task)?;
            if table.insert(task.clone(), end).is_some() {
                return Err(CatalogError::Twice(task));
            }
        }
        Ok(Self { tasks: Some(Arc::new(table)) })
    }

    /// Where a task's state ends; none for a task without state, and for one that does not exist.
    pub fn end_of(&self, task: &str) -> Option<u64> {
        self.tasks.as_ref()?.get(task).copied().flatten()
    }

    /// Whether it is known what exists.
    pub const fn is_known(&self) -> bool {
        self.tasks.is_some()
    }

    /// The tasks in order of their names, with the ends of their states.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<u64>)> {
        self.tasks.iter().flat_map(|tasks| tasks.iter()).map(|(task, end)| (task.as_str(), *end))
    }
}
