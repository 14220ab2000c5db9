//! What there is to share out, seen densely: members and resources are numbers, so that assignors and policies never
//! touch a name and their cost is linear.

mod builder;
mod plan;
mod situation;

pub use builder::SituationBuilder;
pub use plan::{DenseMove, Granted, Plan};
pub use situation::{Kind, NOBODY, Owners, Situation};
