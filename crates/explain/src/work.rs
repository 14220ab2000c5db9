//! How much a timeline costs, counted in tests: growth shows on any machine, and time on none.

/// So many resources, members or acts were gone through.
#[cfg(not(test))]
pub(crate) const fn did(_steps: usize) {}

#[cfg(test)]
pub(crate) use counted::{did, done_by};

#[cfg(test)]
mod counted {
    use std::cell::Cell;

    thread_local! {
        static DONE: Cell<usize> = const { Cell::new(0) };
    }

    pub(crate) fn did(steps: usize) {
        DONE.set(DONE.get() + steps);
    }

    /// What this thread goes through in `work`.
    pub(crate) fn done_by(work: impl FnOnce()) -> usize {
        let before = DONE.get();
        work();
        DONE.get() - before
    }
}
