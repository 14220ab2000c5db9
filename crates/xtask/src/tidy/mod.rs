//! The tidy check: what no compiler and no lint sees.
//!
//! Each check is a function from the workspace's files to findings, and says file, line and mend:
//! [`layout`], [`edges`] (who may depend on whom), [`size`] (with a ratchet that only shrinks), [`calls`] (banned, each
//! with its reason), [`places`] (machine paths, registries), [`documents`], [`cases`] (known faults and their tests) and
//! [`metadata`].

mod calls;
mod cases;
mod documents;
mod edges;
mod finding;
mod layout;
mod mask;
mod metadata;
mod places;
mod ratchet;
mod run;
mod size;
mod source;
mod workspace;

pub(crate) use run::run;
