/// What can happen to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Join,
    /// In good order or by dying.
    Leave,
    /// Leaving and coming back.
    Bounce,
    LeaderLeaves,
    LeaderBounces,
    SeveralLeaders,
    /// A process without a memory leads while something waits.
    BrandNewLeader,
    OtherTopics,
    PartitionsAdded,
    TopicDeleted,
    TwoAtOnce,
}

impl Event {
    pub(crate) const ALL: [Self; 11] = [
        Self::Join,
        Self::Leave,
        Self::Bounce,
        Self::LeaderLeaves,
        Self::LeaderBounces,
        Self::SeveralLeaders,
        Self::BrandNewLeader,
        Self::OtherTopics,
        Self::PartitionsAdded,
        Self::TopicDeleted,
        Self::TwoAtOnce,
    ];
}
