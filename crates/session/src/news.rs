/// Whether whoever waits should look again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum News {
    #[default]
    None,
    Some,
}

impl News {
    /// Whether there is something new since the last question.
    pub(crate) fn take(&mut self) -> bool {
        std::mem::take(self) == Self::Some
    }
}
