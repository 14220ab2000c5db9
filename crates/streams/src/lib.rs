//! A stream engine whose instances are members of a Kafka group and whose tasks are the resources they share.
//!
//! [`Instance::run`] is one member: it joins the group, restores the tasks it is given, steps them over fetched
//! batches, flushes them, and gives them up again. One task is one partition of the input topic; the protocol type is
//! `consumer`, so Kafka's own tools show who runs what.
//!
//! # A flush
//! 1. Every task writes its results and changed entries; the batches are sent.
//! 2. When all of them are acknowledged, each task's marker is written to its changelog partition.
//! 3. When the markers are acknowledged, the positions are committed to the group, for others to see.
//!
//! Tasks go on meanwhile. An owner restores from whole flushes only and resumes at the marker's position, so a kill at
//! any step counts nothing twice; before it reads, it writes a fence, behind which nothing of an earlier owner counts.
//! [`FaultPoint`] names the steps between which tests kill an instance.

mod client_file;
mod config;
mod delivery;
mod error;
mod fault;
mod flush;
mod instance;
mod lane;
mod meter;
mod notice;
mod pace;
mod reporter;
mod restore;
mod restores;
mod roles;
mod runner;
mod settings;
mod topics;
mod units;
mod worker;

pub use config::{InstanceConfig, Reporting};
pub use error::{InstanceError, SettingError};
pub use fault::{Fault, FaultPoint};
pub use groma_usecases::{UseCase, progress};
pub use instance::{Instance, Summary};
pub use notice::Notice;
pub use settings::settings_help;
