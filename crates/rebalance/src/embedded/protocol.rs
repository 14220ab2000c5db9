use std::collections::BTreeSet;
use std::fmt::Debug;

use bytes::Bytes;
use groma_model::{Generation, InstanceId, MemberId, Span};

use super::EmbeddedError;
use crate::member::Move;
use crate::policy::Abilities;
use crate::protocol::{MemberReport, Protocol};

/// How members of a group describe what they hold and what they are given.
///
/// One value of this type is one member's configuration: which protocols it speaks, by which assignors and policies it
/// shares out when it leads. A member may be driven by any thread, one at a time.
pub trait Embedded: Debug + Send + 'static {
    /// What is shared out.
    type Resource: Clone + Debug + Ord + Send + 'static;
    /// What a member asks for.
    type Interest: Clone + Debug + Eq + Send + 'static;
    /// What exists, as the leader must know it.
    type Catalog: Clone + Debug + Default + Eq + Send + 'static;
    /// What a leader remembers of a plan it made.
    type Memory: Clone + Debug + Eq + Send + 'static;

    /// The class of embedded protocol, e.g. `consumer`.
    fn protocol_type(&self) -> &str;

    /// Whether a protocol is among those offered.
    fn speaks(&self, protocol: &str) -> bool;

    /// Whether held resources are kept over the join that ends a generation of this protocol. Before the first one: over
    /// every join, whatever is chosen.
    fn mode(&self, protocol: Option<&str>) -> Mode;

    /// What a leader must understand beyond Kafka's own protocol for the configured policy to work.
    fn needs(&self, _protocol: &str) -> Abilities {
        Abilities::NONE
    }

    /// The protocols to offer, most preferred first, each with the member's report. Equal reports give equal bytes. Who
    /// holds something over a join offers none under which others would be given it.
    fn protocols(&self, report: &Report<'_, Self>) -> Vec<Protocol>;

    /// Whether a resource is part of an interest.
    fn covers(&self, interest: &Self::Interest, resource: &Self::Resource) -> bool;

    /// Whether only one member may have a resource, so that giving it up makes another round due.
    fn is_exclusive(&self, _resource: &Self::Resource) -> bool {
        true
    }

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
    fn lead(&self, council: &Council<'_, Self>) -> Result<Decision<Self>, EmbeddedError>;
}

/// What a leader has before it when it decides.
#[derive(Debug)]
pub struct Council<'a, E: Embedded + ?Sized> {
    /// The chosen protocol.
    pub protocol: &'a str,
    /// The generation that is being made.
    pub generation: Generation,
    /// Everybody's report.
    pub members: &'a [MemberReport],
    /// What exists.
    pub catalog: &'a E::Catalog,
    /// What the leader remembers of plans it made itself, and in which generations.
    pub memory: &'a [(Generation, E::Memory)],
    /// What the leader itself has been told, as of now: its own report was written when it joined.
    pub trail: &'a Trail<E::Resource>,
    /// How long the leader's join was parked.
    pub gathered: Span,
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
    /// What it has been told about waits, and has done since.
    pub trail: &'a Trail<E::Resource>,
}

/// What a member carries from round to round beside what it holds, so that whoever leads next can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail<R> {
    /// Waits it was told of, with the time left.
    pub waits: Vec<Waiting<R>>,
    /// How long no further move may begin for balance.
    pub pace: Option<Span>,
    /// How much is left of the wait by which a new group gathers its members.
    pub formation: Option<Span>,
    /// How many members its generation has.
    pub members: Option<u32>,
    /// [`Embedded::stamp`] of what existed when it was last given something.
    pub catalog: Option<u64>,
    /// What it has released since, so that a leader knows it to be free.
    pub released: BTreeSet<R>,
    /// Whether it joins because a time was up: its report then differs from the last one, which a coordinator takes
    /// for a reason to begin a round.
    pub bell: Bell,
}

/// Whether a member joins because a time was up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bell {
    /// For another reason.
    #[default]
    Silent,
    /// It does.
    Rang,
}

/// Lost resources that wait for their owner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waiting<R> {
    /// Whose they were.
    pub owner: Owner,
    /// The generation in which the wait began; with the owner it names the episode.
    pub opened: Generation,
    /// How much is left of the wait.
    pub left: Span,
    /// The resources, in order.
    pub resources: Vec<R>,
}

/// Whose resources were lost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A member with a stable identity.
    Instance(InstanceId),
    /// A member without.
    Member(MemberId),
    /// Nobody remembers. The first, second and so on of several whose number at least is known; 0 where nobody knows
    /// how many there were.
    Unknown(u32),
}

impl<R> Default for Trail<R> {
    fn default() -> Self {
        Self {
            waits: Vec::new(),
            pace: None,
            formation: None,
            members: None,
            catalog: None,
            released: BTreeSet::new(),
            bell: Bell::Silent,
        }
    }
}

/// What the leader gives a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant<R> {
    /// What changes or stands.
    pub change: GrantChange<R>,
    /// When to join again even if nothing is to be released: zero means at once. What is to be released comes first.
    pub alarm: Option<Span>,
    /// What the leader says about its plan; none from a leader that does not.
    pub note: Option<Note<R>>,
}

/// What a leader says about its plan beside the grant itself, so that a member that comes back as a new process knows
/// what was pending, and that another leader can go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note<R> {
    /// Whether another round is due.
    pub rounds: Rounds,
    /// [`Embedded::stamp`] of what existed.
    pub catalog: u64,
    /// How many members are in the round; none from a leader that does not say.
    pub members: Option<u32>,
    /// Lost resources that wait for their owner.
    pub waits: Vec<Waiting<R>>,
    /// How long no further move may begin for balance.
    pub pace: Option<Span>,
    /// How much is left of the wait by which a new group gathers its members: until then the member does not join
    /// again, even if told to.
    pub formation: Option<Span>,
}

/// Whether a plan reaches its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounds {
    /// The target is reached, or nothing can be done before a time is up.
    Done,
    /// Something is withheld, so another round must follow; but a member has missed the last one because the next
    /// came too soon, so only those that have something to release begin it.
    Later,
    /// Something is withheld: everybody joins again as soon as it can, so that nobody has to be told.
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
pub struct Decision<E: Embedded + ?Sized> {
    /// One assignment for each member.
    pub assignments: Vec<(MemberId, Bytes)>,
    /// What moves and why; only the first of very many.
    pub moves: Vec<Move<E::Resource>>,
    /// How many move.
    pub moved: usize,
    /// Lost resources that wait for their owner.
    pub waits: Vec<Waiting<E::Resource>>,
    /// Moves for balance that are left for later rounds.
    pub held_back: Option<HeldBack>,
    /// For how long nothing is shared out, because the group begins and gathers its members.
    pub gathers: Option<Span>,
    /// Members whose reports could not be read.
    pub broken: Vec<MemberId>,
    /// Who broke the rules, and how; only the first of very many.
    pub offences: Vec<Offence<E::Resource>>,
    /// By which policy, and why not by the configured one.
    pub policy: PolicyUsed,
    /// What the leader is to remember of it.
    pub memory: Option<E::Memory>,
}

/// Moves for balance that a limit leaves for later rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldBack {
    /// How many.
    pub moves: usize,
    /// When the next of them may begin, from this round on; zero: in the next round, as soon as there is one.
    pub next: Span,
}

/// By which policy a plan was made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PolicyUsed {
    /// By the configured one.
    Configured,
    /// By a lesser one.
    Reduced {
        /// Which one.
        to: String,
        /// The first member that does not support the configured one.
        by: MemberId,
    },
    /// In two rounds, by a leader of another make, which knows no other policy.
    Foreign {
        /// Who leads.
        leader: MemberId,
    },
}

/// A breach of the cooperative rules by a peer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offence<R> {
    /// A member claims what it was told to release, or what was never given to it, in the generation of that plan.
    Seized {
        /// Who.
        member: MemberId,
        /// What.
        resource: R,
    },
    /// A member took a plan and neither claims what it was given, nor names it as released. It may still run it, so
    /// nobody else gets it.
    Dropped {
        /// Who.
        member: MemberId,
        /// What.
        resource: R,
    },
    /// A leader gave to one member what another one claims.
    GrantedHeld {
        /// Who claims it.
        holder: MemberId,
        /// Who got it.
        member: MemberId,
        /// What.
        resource: R,
    },
    /// A policy asks for round after round though nothing changes: after so many the leader keeps what is held where
    /// it is, grants what is free, and asks for no more.
    Endless {
        /// Its name.
        policy: String,
        /// How many rounds in a row: 16 and three for each resource.
        rounds: usize,
    },
}
