use serde::{Deserialize, Serialize};

use crate::Load;

/// The slope of lag from which on a cell fails, in records per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Threshold {
    /// The same for every load; the Theodolite paper uses 2,000 records per second.
    Absolute(f64),
    /// A share of the load: 0.01 lets lag grow by one record per hundred that arrive.
    Relative(f64),
}

impl Threshold {
    /// The threshold at `load`, in records per second.
    pub fn at(self, load: Load) -> f64 {
        match self {
            Self::Absolute(slope) => slope,
            Self::Relative(share) => share * load.per_second(),
        }
    }
}
