use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use groma_explain::What;
use groma_session::group::ResourceEvent as Told;

use crate::Trace;

/// What a member and what it hands over write into one trace.
#[derive(Debug)]
pub(super) struct Log<R> {
    book: Arc<Mutex<Book>>,
    name: fn(&R) -> String,
    /// What counts as run: only that is written.
    runs: fn(&R) -> bool,
}

#[derive(Debug)]
struct Book {
    trace: Trace,
    /// Why nothing is written any more.
    failure: Option<String>,
}

impl<R> Log<R> {
    pub(super) fn of(trace: Trace, name: fn(&R) -> String) -> Self {
        Self { book: Arc::new(Mutex::new(Book { trace, failure: None })), name, runs: |_| true }
    }

    /// The same, which leaves out what is held and not run.
    pub(super) fn of_what(mut self, runs: fn(&R) -> bool) -> Self {
        self.runs = runs;
        self
    }

    pub(super) fn names(&self, resources: &[R]) -> Vec<String> {
        resources.iter().filter(|resource| (self.runs)(resource)).map(self.name).collect()
    }

    pub(super) fn note(&self, what: What) {
        self.write(|trace| trace.note(what));
    }

    /// What the application is told.
    pub(super) fn told(&self, event: &Told<R>) {
        match event {
            Told::Assigned(resources) => self.note(What::Assigned { resources: self.names(resources) }),
            Told::Revoked(_, resources) => self.note(What::Revoking { resources: self.names(resources) }),
            Told::Stable(generation) => self.note(What::Settled { generation: generation.0 }),
            Told::Step(step) => self.write(|trace| trace.step(step, self.name)),
            Told::Lost(..) | Told::Leading(_) | Told::Following | Told::Rebalancing | Told::Failed(_) => {}
        }
    }

    pub(super) fn failure(&self) -> Option<String> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner).failure.clone()
    }

    fn write(&self, write: impl FnOnce(&mut Trace) -> io::Result<()>) {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = write(&mut book.trace) {
            book.failure = Some(error.to_string());
        }
    }
}

impl<R> Clone for Log<R> {
    fn clone(&self) -> Self {
        Self { book: Arc::clone(&self.book), name: self.name, runs: self.runs }
    }
}
