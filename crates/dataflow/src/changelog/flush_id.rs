use groma_model::Generation;

/// Which flush of which owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlushId {
    /// The group's generation in which the owner held the task.
    pub generation: Generation,
    /// Grows by one with each flush of an owner.
    pub number: u64,
}
