use std::collections::BTreeSet;
use std::fmt::Debug;

use bytes::Bytes;
use groma_model::{Generation, MemberId, Span};

use super::EmbeddedError;
use crate::member::Move;
use crate::protocol::{MemberReport, Protocol};

/// How members of a group describe what they hold and what they are given.
///
/// One value of this type is one member's configuration: which protocols it speaks, by which assignors and policies it
/// shares out when it leads.
pub trait Embedded: Debug {
    /// What is shared out.
    type Resource: Clone + Debug + Ord;
    /// What a member asks for.
    type Interest: Clone + Debug + Eq;
    /// What exists, as the leader must know it.
    type Catalog: Clone + Debug + Default + Eq;

    /// The class of embedded protocol, e.g. `consumer`.
    fn protocol_type(&self) -> &str;

    /// Whether a protocol is among those offered.
    fn speaks(&self, protocol: &str) -> bool;

    /// Whether held resources are kept over a join.
    fn mode(&self) -> Mode;

    /// The protocols to offer, most preferred first, each with the member's report. Equal reports give equal bytes.
    fn protocols(&self, report: &Report<'_, Self>) -> Vec<Protocol>;

    /// Whether a resource is part of an interest.
    fn covers(&self, interest: &Self::Interest, resource: &Self::Resource) -> bool;

    /// Reads what the leader gave.
    fn grant(&self, protocol: &str, assignment: &Bytes) -> Result<Grant<Self::Resource>, EmbeddedError>;

    /// What all these members ask for together, which a leader must know the catalog of; broken reports ask for
    /// nothing.
    fn wanted(&self, members: &[MemberReport]) -> Self::Interest;

    /// Whether the catalog says all there is to know about an interest.
    fn knows(&self, catalog: &Self::Catalog, interest: &Self::Interest) -> bool;

    /// A number that tells two states of the catalog apart, as far as they matter to an interest.
    fn stamp(&self, interest: &Self::Interest, catalog: &Self::Catalog) -> u64;

    /// The leader's work: from everybody's report to everybody's assignment. A broken report harms only its sender.
    fn lead(
        &self,
        protocol: &str,
        members: &[MemberReport],
        catalog: &Self::Catalog,
    ) -> Result<Decision<Self::Resource>, EmbeddedError>;
}

/// Whether held resources are kept over a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Everything is given up before each join.
    Eager,
    /// Held resources run on through the round.
    Cooperative,
}

/// What a member reports in a join.
#[derive(Debug)]
pub struct Report<'a, E: Embedded + ?Sized> {
    /// What it asks for.
    pub interest: &'a E::Interest,
    /// What it runs and claims to keep.
    pub held: &'a BTreeSet<E::Resource>,
    /// The generation in which that was last confirmed.
    pub generation: Option<Generation>,
    /// Under eager: what it ran in its last settled generation, and which that was.
    pub previous: Option<(&'a BTreeSet<E::Resource>, Generation)>,
}

/// What the leader gives a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant<R> {
    /// What changes or stands.
    pub change: GrantChange<R>,
    /// When to join again even if nothing is to be released: zero means at once.
    pub alarm: Option<Span>,
    /// What the leader says about its plan; none from a leader that does not.
    pub note: Option<Note>,
}

/// What a leader says about its plan beside the grant itself, so that a member that comes back as a new process knows
/// what was pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// Whether another round is due.
    pub rounds: Rounds,
    /// [`Embedded::stamp`] of what existed.
    pub catalog: u64,
}

/// Whether a plan reaches its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounds {
    /// The target is reached.
    Done,
    /// Something is revoked or withheld; another round must follow.
    Due,
}

/// A grant names either all a member is to hold, or only what changes; an embedded protocol does one or the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantChange<R> {
    /// All that is to be held after this round; what is missing is revoked.
    Full(BTreeSet<R>),
    /// What to begin and what to stop.
    Delta {
        /// To be run beside what is held.
        start: BTreeSet<R>,
        /// To be released.
        stop: BTreeSet<R>,
    },
}

/// A leader's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<R> {
    /// One assignment for each member.
    pub assignments: Vec<(MemberId, Bytes)>,
    /// What moves and why; only the first of very many.
    pub moves: Vec<Move<R>>,
    /// How many move.
    pub moved: usize,
    /// Members whose reports could not be read.
    pub broken: Vec<MemberId>,
}
