use std::fmt::Debug;
use std::sync::Arc;

use bytes::{BufMut, Bytes};
use groma_model::Generation;

use super::Partitions;
use crate::assignor::{Assignor, Range, RoundRobin, Sticky, Weighted};
use crate::embedded::Mode;
use crate::policy::{Eager, Policy, TwoRound};

/// One way to share out: an assignor, the policy that leads to its target, and how members remember.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Computes the target; its name is the name of the protocol.
    pub assignor: Arc<dyn Assignor>,
    /// Leads to the target.
    pub policy: Arc<dyn Policy>,
    /// How a member tells the leader what it had.
    pub memory: Memory,
}

/// How a member tells the leader what it had before the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Not at all.
    Forgetful,
    /// As the partitions it holds, in the subscription itself; the generation is repeated in the user data for old
    /// leaders. Kafka's `cooperative-sticky`.
    Owned,
    /// As user data: what it had in its last generation. Kafka's `sticky`.
    UserData,
}

impl Strategy {
    /// Kafka's `range`.
    pub fn range() -> Self {
        Self { assignor: Arc::new(Range), policy: Arc::new(Eager), memory: Memory::Forgetful }
    }

    /// Kafka's `roundrobin`.
    pub fn round_robin() -> Self {
        Self { assignor: Arc::new(RoundRobin), policy: Arc::new(Eager), memory: Memory::Forgetful }
    }

    /// Kafka's `sticky`.
    pub fn sticky() -> Self {
        Self { assignor: Arc::new(Sticky::EAGER), policy: Arc::new(Eager), memory: Memory::UserData }
    }

    /// Kafka's `cooperative-sticky`.
    pub fn cooperative_sticky() -> Self {
        Self { assignor: Arc::new(Sticky::COOPERATIVE), policy: Arc::new(TwoRound), memory: Memory::Owned }
    }

    /// What Kafka's group coordinator calls `uniform`, as an embedded protocol.
    pub fn uniform() -> Self {
        Self { assignor: Arc::new(Sticky::UNIFORM), policy: Arc::new(TwoRound), memory: Memory::Owned }
    }

    /// By what partitions cost.
    pub fn weighted() -> Self {
        Self { assignor: Arc::new(Weighted), policy: Arc::new(TwoRound), memory: Memory::Owned }
    }

    /// The same assignor by another policy; under one that keeps what is held, what is held is reported.
    #[must_use]
    pub fn with_policy(self, policy: Arc<dyn Policy>) -> Self {
        let memory = if policy.mode() == Mode::Cooperative { Memory::Owned } else { self.memory };
        Self { policy, memory, ..self }
    }

    /// The strategy that is announced under a name.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "range" => Some(Self::range()),
            "roundrobin" => Some(Self::round_robin()),
            "sticky" => Some(Self::sticky()),
            "cooperative-sticky" => Some(Self::cooperative_sticky()),
            "uniform" => Some(Self::uniform()),
            "weighted" => Some(Self::weighted()),
            _ => None,
        }
    }

    /// The name of the protocol.
    pub fn name(&self) -> &str {
        self.assignor.name()
    }

    /// Whether members keep what they hold over a join.
    pub fn mode(&self) -> Mode {
        self.policy.mode()
    }
}

/// Kafka's `sticky`: the previous assignment, since version 1 with its generation.
pub(super) fn encode_previous(previous: &Partitions, generation: Generation) -> Bytes {
    let mut out = Vec::with_capacity(64);
    previous.write(&mut out);
    out.put_i32(generation.0);
    out.into()
}

/// Kafka's `cooperative-sticky`: the generation.
pub(super) fn encode_generation(generation: Option<Generation>) -> Vec<u8> {
    generation.map_or(-1, |g| g.0).to_be_bytes().to_vec()
}
