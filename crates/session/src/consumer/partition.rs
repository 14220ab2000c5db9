use groma_model::{Offset, Time, TopicId};

use crate::Reset;

/// A partition that is read.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    pub(super) topic_id: TopicId,
    pub(super) position: Position,
    pub(super) flow: Flow,
    /// Distinguishes this stay, and what was fetched in it, from earlier ones and from before a seek.
    pub(super) stay: u64,
    pub(super) in_flight: Flight,
    /// Chunks fetched and not taken.
    pub(super) queued: usize,
    pub(super) high_watermark: Option<Offset>,
    /// The position after the last chunk taken.
    pub(super) taken: Option<Offset>,
    /// The position after the last chunk done with.
    pub(super) done: Option<Offset>,
    /// What was committed last on the consumer's own account.
    pub(super) committed: Option<Offset>,
    pub(super) not_before: Time,
    pub(super) failures: u32,
}

/// Where reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// At the committed offset, which is not known yet.
    Committed,
    /// At the reset point, which is not known yet.
    Reset(Reset),
    /// Here.
    At(Offset),
    /// Nowhere: an error was reported.
    Stopped,
}

/// Whether a partition is fetched and delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Running,
    Paused,
}

/// Whether a question about a partition is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flight {
    Nothing,
    Asked,
}

impl Partition {
    pub(super) const fn new(stay: u64, position: Position, flow: Flow) -> Self {
        Self {
            topic_id: TopicId::NONE,
            position,
            flow,
            stay,
            in_flight: Flight::Nothing,
            queued: 0,
            high_watermark: None,
            taken: None,
            done: None,
            committed: None,
            not_before: Time::ZERO,
            failures: 0,
        }
    }

    /// Whether something is to be asked for this partition now.
    pub(super) fn is_idle(&self, now: Time) -> bool {
        self.flow == Flow::Running && self.in_flight == Flight::Nothing && self.not_before <= now
    }

    /// Goes on at `offset`.
    pub(super) const fn place(&mut self, offset: Offset) {
        self.position = Position::At(offset);
        self.taken = Some(offset);
        self.done = Some(offset);
        self.failures = 0;
    }
}
