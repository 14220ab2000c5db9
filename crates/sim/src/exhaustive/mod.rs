//! Every schedule of a small group: all orders of messages, timers, starts and kills within a [`Scope`].

mod act;
mod check;
mod facts;
mod fingerprint;
mod hand;
mod narrate;
mod outline;
mod parts;
mod path;
mod place;
mod reduce;
mod scope;
mod search;
mod seen;
mod shards;
mod stock;
mod transcript;
mod world;

pub use scope::{Reduction, Scope};
pub use search::{Job, Search, Tally, Verdict};
