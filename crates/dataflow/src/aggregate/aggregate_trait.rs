use crate::Reject;

/// Folds values into a state of fixed size.
pub trait Aggregate: Send {
    /// What is added.
    type Input;
    /// What is kept; its default is the state of no value.
    type State: Default + Clone + Send;

    /// Whether `input` may be added at all; asked before any state is made for it.
    ///
    /// # Errors
    /// The reason why not.
    fn admit(&self, input: &Self::Input) -> Result<(), Reject>;

    /// Adds a value.
    fn add(&self, state: &mut Self::State, input: Self::Input);

    /// Adds what another state has seen.
    fn merge(&self, state: &mut Self::State, other: &Self::State);

    /// Appends the state's bytes to `into`.
    fn encode(&self, state: &Self::State, into: &mut Vec<u8>);

    /// The state in `bytes`; none when they are not what [`Self::encode`] writes.
    fn decode(&self, bytes: &[u8]) -> Option<Self::State>;
}
