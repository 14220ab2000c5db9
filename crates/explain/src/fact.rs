use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Remark;
use crate::cause::{Removal, Trigger};

/// One thing that somebody saw happen in a group: a line of a trace.
///
/// Times are wall clock, in milliseconds since the Unix epoch, by the clock of whoever saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// When.
    pub time_ms: i64,
    /// The group.
    pub group: String,
    /// Who saw it.
    pub source: Source,
    /// The member it is about, by the identity that the coordinator gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

impl Fact {
    /// Whether its time is one that a clock can show: from the year 1 to 9999.
    pub fn is_dated(&self) -> bool {
        (-62_135_596_800_000..=253_402_300_799_999).contains(&self.time_ms)
    }
}

/// Who saw something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A member, about itself.
    Member,
    /// The coordinator (only ours tells).
    Broker,
    /// The records of `__consumer_offsets`.
    Offsets,
    /// Somebody who asked again and again; what lies between two answers is not seen.
    Poll,
    /// The records of the partitions themselves, by their times.
    Log,
}

/// What was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum What {
    /// Coordinator: a round began.
    RoundOpened {
        /// The generation before.
        after: i32,
        /// Why.
        cause: Trigger,
    },
    /// Coordinator: another reason for the open round.
    RoundAlso {
        /// Why.
        cause: Trigger,
    },
    /// Coordinator: the member has joined the round.
    Joined {
        /// What the member says for a reason (KIP-800).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Coordinator: everybody is in, and the leader is at work.
    RoundClosed {
        /// The new generation.
        generation: i32,
        /// Its leader.
        leader: String,
        /// How many members it has.
        members: usize,
    },
    /// Coordinator: the member has asked for its assignment; the leader brings everybody's.
    Synced,
    /// Coordinator: the leader's decision is taken.
    RoundStable {
        /// The generation.
        generation: i32,
    },
    /// Coordinator: the last member is gone.
    Emptied {
        /// The generation.
        generation: i32,
    },
    /// Coordinator, record: the member is off the book.
    Removed {
        /// Why.
        cause: Removal,
    },
    /// Coordinator: a static member came back as another process.
    Replaced {
        /// Its identity now.
        by: String,
    },
    /// Record: a generation, its members and what each was given.
    Generation {
        /// The generation.
        generation: i32,
        /// The class of embedded protocol.
        protocol_type: String,
        /// The embedded protocol.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<String>,
        /// The leader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leader: Option<String>,
        /// The members.
        members: Vec<Seat>,
    },
    /// Record of a group whose coordinator shares out (KIP-848), as are the four below: its epoch rose, because who is
    /// in it, or what exists, has changed.
    Epoch {
        /// The new epoch.
        epoch: i32,
    },
    /// Record: a member, as it is from now on; what it was given others tell.
    Enrolled {
        /// The member.
        seat: Seat,
        /// The assignor it names, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assignor: Option<String>,
    },
    /// Record: what everybody is to have in an epoch is decided.
    Decided {
        /// The epoch.
        epoch: i32,
    },
    /// Record: what the member is to have.
    Target {
        /// What.
        resources: Vec<String>,
    },
    /// Record: what the member has, as far as its coordinator knows.
    Holds {
        /// The epoch it has come to.
        epoch: i32,
        /// How far it is on the way.
        progress: Progress,
        /// What it was given.
        assigned: Vec<String>,
        /// What it was told to give up, and has not yet.
        revoking: Vec<String>,
    },
    /// Record: the group is gone.
    Forgotten,
    /// Offsets were committed, or are found to be.
    Committed {
        /// By resource.
        offsets: BTreeMap<String, i64>,
    },
    /// Member: a join was sent.
    Joining {
        /// Why.
        cause: String,
    },
    /// Member: a generation was joined.
    Entered {
        /// Which one.
        generation: i32,
        /// Who leads it.
        leader: String,
    },
    /// Member, as leader: what moves in this round.
    Planned {
        /// The round.
        generation: i32,
        /// How many resources move.
        moved: usize,
        /// The first of them.
        moves: Vec<PlannedMove>,
    },
    /// Member: it was told to give these up.
    Revoking {
        /// What.
        resources: Vec<String>,
    },
    /// Member: nothing of these runs any more.
    Released {
        /// What.
        resources: Vec<String>,
    },
    /// Member: these were taken away without asking.
    Lost {
        /// What.
        resources: Vec<String>,
    },
    /// Member: it was given these.
    Assigned {
        /// What.
        resources: Vec<String>,
    },
    /// Member: this runs, from a position on.
    Running {
        /// What.
        resource: String,
        /// The first offset it processes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<i64>,
    },
    /// Member: how far it has processed.
    Reached {
        /// The next offset to be processed, by resource.
        positions: BTreeMap<String, i64>,
    },
    /// Member: something about how the group shares out.
    Remarked(Remark),
    /// Member: the generation is settled for it.
    Settled {
        /// The generation.
        generation: i32,
    },
    /// Member: it has ended in good order.
    Left,
    /// Asker: it began to ask.
    Watching {
        /// The time between two questions, in milliseconds.
        interval_ms: u64,
    },
    /// Asker: the group as it was then; only where it differs from before.
    Seen {
        /// The state by Kafka's name.
        state: String,
        /// The class of embedded protocol.
        protocol_type: String,
        /// The embedded protocol; known of a stable group only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<String>,
        /// The members.
        members: Vec<Seat>,
    },
    /// Asker, log: where the partitions ended at that time.
    Ends {
        /// The next offset to be written, by resource.
        offsets: BTreeMap<String, i64>,
    },
}

/// How far a member is on the way to what it is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// It has just that.
    AtTarget,
    /// It was told to give something up, and has not yet.
    GivingUp,
    /// Others have not yet given up what it is to have.
    Waiting,
    /// A static member that has ended, and may come back.
    Away,
}

/// A member in a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// The identity that the coordinator gave it.
    pub member: String,
    /// Its stable identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The client id it came with.
    #[serde(default)]
    pub client: String,
    /// The address it came from.
    #[serde(default)]
    pub host: String,
    /// How long it may be silent, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_timeout_ms: Option<u64>,
    /// Whether it is of our make: such members say so in what they ask for; none where that cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ours: Option<bool>,
    /// What it asks for; none where that cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics: Option<Vec<String>>,
    /// What it was given; none where that cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Vec<String>>,
}

impl Seat {
    /// The topics it asks for; none where that cannot be read, and where it asks for kinds of an application's own
    /// resources, which their names do not tell.
    pub(crate) fn asks(&self) -> Option<BTreeSet<&str>> {
        let topics = self.topics.as_ref()?;
        let kinds = |asked: &String| asked == EVERYTHING || asked.starts_with('=');
        (!topics.iter().any(kinds)).then(|| topics.iter().map(String::as_str).collect())
    }
}

/// What members ask for that run whatever there is: such as workers of Kafka Connect.
pub const EVERYTHING: &str = "*";

/// A move as the leader planned it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedMove {
    /// What moves.
    pub resource: String,
    /// Who has it, if anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Who gets it, if anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why.
    pub cause: crate::cause::Reason,
}
