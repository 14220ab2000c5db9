use thiserror::Error;

/// The planned times at which a cell may be decided early, and how sure each must be.
///
/// Looking often and stopping at the first look that convinces makes chance results likelier. So the looks are fixed
/// before the cell starts and share the allowed error (Bonferroni): with four looks at 99 % each, a cell is decided
/// wrongly with at most 4 %, whenever it stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    at_ms: Vec<u64>,
    confidence: f64,
}

/// Why looks were refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookError {
    /// There is no look.
    #[error("at least one look is needed")]
    None,
    /// The times are not ascending.
    #[error("looks must be at ascending times, but {later_ms} ms follows {earlier_ms} ms")]
    Order {
        /// The time before.
        earlier_ms: u64,
        /// The time that is not later.
        later_ms: u64,
    },
    /// The error to share is not between 0 and 1.
    #[error("the error to share among the looks must be above 0 and below 1")]
    Error,
}

impl Looks {
    /// Looks at `at_ms` after the window's begin that share `error` evenly: 0.04 over four looks is 99 % each.
    pub fn sharing(error: f64, at_ms: Vec<u64>) -> Result<Self, LookError> {
        if !(error > 0.0 && error < 1.0) {
            return Err(LookError::Error);
        }
        if at_ms.is_empty() {
            return Err(LookError::None);
        }
        if let Some(pair) = at_ms.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(LookError::Order { earlier_ms: pair[0], later_ms: pair[1] });
        }
        let confidence = 1.0 - error / at_ms.len() as f64;
        Ok(Self { at_ms, confidence })
    }

    /// One look at the window's end.
    pub fn once(confidence: f64, at_ms: u64) -> Result<Self, LookError> {
        Self::sharing(1.0 - confidence, vec![at_ms])
    }

    /// The confidence of each look's interval.
    pub const fn confidence(&self) -> f64 {
        self.confidence
    }

    /// When look `index` is due; none after the last.
    pub fn due_ms(&self, index: usize) -> Option<u64> {
        self.at_ms.get(index).copied()
    }

    /// The length of the window: the time of the last look.
    pub fn window_ms(&self) -> u64 {
        self.at_ms.last().copied().unwrap_or(0)
    }

    /// The shortest time after which a cell can be decided.
    pub fn first_ms(&self) -> u64 {
        self.at_ms.first().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_shared_evenly() {
        let looks = Looks::sharing(0.04, vec![4000, 6000, 8000, 10_000]).unwrap();
        assert!((looks.confidence() - 0.99).abs() < 1e-12);
        assert_eq!(looks.window_ms(), 10_000);
    }

    #[test]
    fn disorder_is_refused() {
        let refused = Looks::sharing(0.04, vec![4000, 4000]);
        assert_eq!(refused, Err(LookError::Order { earlier_ms: 4000, later_ms: 4000 }));
        assert_eq!(Looks::sharing(0.04, vec![]), Err(LookError::None));
        assert_eq!(Looks::sharing(0.0, vec![1]), Err(LookError::Error));
    }
}
