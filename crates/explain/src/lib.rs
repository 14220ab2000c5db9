//! What happened in a group: from facts that members, coordinators, records and askers saw, to rebalances with their
//! triggers, moves, gaps and bills.
//!
//! A [`Fact`] is a line of a trace. [`Timeline::of`] puts facts together; every value in it says by [`Basis`] whether
//! it was observed, follows from what was, or is unknown. Nothing here reads a clock, a socket or a file: whoever has
//! facts hands them in, and answers [`Timeline::questions`] with more of them where that can be done.
//!
//! ```
//! use groma_explain::{Timeline, read};
//!
//! let trace = concat!(
//!     r#"{"time_ms":1000,"group":"g","source":"offsets","fact":"generation","generation":1,"protocol_type":"consumer","members":[{"member":"a","topics":["t"],"assigned":["t-0","t-1"]}]}"#, "\n",
//!     r#"{"time_ms":2000,"group":"g","source":"offsets","fact":"generation","generation":2,"protocol_type":"consumer","members":[{"member":"a","topics":["t"],"assigned":["t-0"]},{"member":"b","topics":["t"],"assigned":["t-1"]}]}"#, "\n",
//! );
//! let timeline = Timeline::of(&read(trace).unwrap(), "g");
//! let second = &timeline.rebalances[1];
//! assert_eq!(second.arrived, ["b"]);
//! assert_eq!(second.moves[0].resource, "t-1");
//! assert_eq!(second.least_moves.value, Some(1));
//! ```

mod bill;
mod book;
mod cause;
mod events;
mod evidence;
mod fact;
mod gap;
mod known;
mod least;
mod member_trace;
mod metrics;
mod name;
mod now;
mod own;
mod plain;
mod rebalance;
mod reconcile;
mod record;
mod remark;
mod round;
mod step;
mod text;
mod thin;
mod timeline;
mod trace;
mod work;

pub use bill::Bill;
pub use cause::{Reason, Removal, Trigger};
pub use events::{Said, of_coordinator, of_member, of_member_named, of_record};
pub use fact::{EVERYTHING, Fact, PlannedMove, Progress, Seat, Source, What};
pub use gap::Gap;
pub use known::{Basis, Known};
pub use member_trace::MemberTrace;
pub use metrics::{Counters, Looks, metrics};
pub use now::{Awaited, Now, Place, Running};
pub use plain::plain;
pub use rebalance::{Moved, Rebalance};
pub use reconcile::{TopicNames, topics_in_record};
pub use remark::{Remark, Remarked};
pub use round::{Cause, Gone, Round, Sharer, Steps};
pub use step::{Step, StepKind};
pub use text::{clock, compact, counted, day, rounds, span, step_words, text, trigger};
pub use thin::Thinned;
pub use timeline::{Question, Stay, Timeline};
pub use trace::{ROUNDS_TOPIC, TraceError, line, read};
