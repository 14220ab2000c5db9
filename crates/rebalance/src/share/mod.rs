//! What there is to share out, seen densely: members and resources are numbers, so that assignors and policies never
//! touch a name and their cost is linear.

mod askers;
mod builder;
mod past;
mod plan;
mod racks;
mod recall;
mod situation;

pub use askers::Askers;
pub use builder::SituationBuilder;
pub use past::{Continuity, Former, Loss, Past, Standing};
pub use plan::{DenseMove, FollowUp, Granted, Plan, Wait};
pub use racks::Racks;
pub(crate) use racks::each_rack;
pub use recall::{Echo, Growth, Memory, Recall, Remembered, Whereabouts};
pub use situation::{Kind, NOBODY, Owners, Situation};
