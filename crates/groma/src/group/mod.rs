//! `groma group watch` and `groma group explain`: the shell around `groma-explain`. It collects facts from a cluster
//! or a trace; what they amount to is decided there.

mod answers;
mod collect;
mod explain;
mod lanes;
mod metrics;
mod page;
mod screen;
mod tail;
mod trace;
mod watch;

pub(crate) use explain::explain;
pub(crate) use trace::InstanceTrace;
pub(crate) use watch::watch;
