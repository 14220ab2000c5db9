//! Every schedule of a small group: all orders of messages, timers, starts and kills within a [`Scope`].

mod act;
mod check;
mod fingerprint;
mod narrate;
mod place;
mod scope;
mod search;
mod seen;
mod transcript;
mod world;

pub use scope::{Reduction, Scope};
pub use search::{Expansion, Node, Search, Tally, Verdict};
