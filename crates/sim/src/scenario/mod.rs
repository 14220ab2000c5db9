//! What each policy costs in the situations that the design starts from.

mod bill;
mod scenes;

pub use bill::Bill;
pub use scenes::Scenario;
