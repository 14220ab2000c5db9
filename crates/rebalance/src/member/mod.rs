//! The member's side of a classic group, as a state machine over any [`crate::embedded::Embedded`] protocol.
//!
//! The shell hands in what happens as [`Input`], drains [`Output`]s with [`Member::poll`], and comes back with
//! [`Input::Tick`] at [`Member::deadline`]. It never has to wait for a round: resources that are kept run on while a
//! join or sync is parked.
//!
//! What the shell owes: each [`Output::Send`] is answered by exactly one [`Input::Answered`] (a broken connection
//! counts, and is noticed within [`MemberConfig::detection`]); each [`Output::Revoke`] and [`Output::Lost`] is
//! acknowledged by [`Input::Released`] once the resources no longer run (a `Lost` supersedes revocations that are
//! still open: only its own id counts from then on); resources of [`Output::Assign`] are run.
//!
//! ```text
//! Idle -> Seeking/Releasing/Pausing -> Joining -> (leader: Resolving) -> Syncing -> Stable
//!                  ^                                                                  |
//!                  +---------------- told, released, subscription, catalog -----------+
//! ```

mod answers;
mod config;
mod digest;
mod input;
mod lease;
mod life;
mod machine;
mod output;
mod release;
mod round;
mod state;
mod trail;

pub use config::{FollowUps, Isolation, Liveness, MemberConfig};
pub use input::{Input, ReleaseId, RequestId, Unanswered};
pub use machine::Member;
pub use output::{Event, LostCause, MemberFailure, Move, Output, Phase, Reason, RejoinCause, RevokeCause, Step};
