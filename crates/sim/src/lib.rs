//! A deterministic cluster of the deciding crates: network, crashes, clocks, seeds, properties.
//!
//! [`Cluster`] is a group of members and their coordinator in virtual time, driven by verbs; [`Schedule`] drives one
//! through random faults and checks the properties of [`Property`] after every step; a [`Scenario`] lets one change happen
//! and adds up its [`Bill`], a [`ScaleEvent`] the same in groups of thousands. The same seed gives the same bytes, always.
//!
//! [`TaskSchedule`] does the same with groups of tasks with state, which workers build up, lose and keep copies of.
//!
//! Some schedules have leaders that break the rules ([`Faults::rogue`]): each breach must be named, ours must not make it
//! worse than the protocol lets them know, and the group must heal once they have left.

mod cluster;
mod exhaustive;
mod rng;
mod scale;
mod scenario;
mod schedule;
mod tasks;

pub use cluster::{Bounds, Cluster, Dialect, Make, Property, Reports, Settings, Violation, WithoutCommitFence};
pub use exhaustive::{Job, Reduction, Scope, Search, Tally, Verdict};
pub use rng::Rng;
pub use scale::{ScaleBill, ScaleEvent};
pub use scenario::{Bill, Scenario};
pub use schedule::{Change, Contender, Faults, Mutation, Outcome, Policy, Schedule, Shrunk, Step};
pub use tasks::{TaskOutcome, TaskProperty, TaskRule, TaskSchedule, TaskViolation};
