use std::fmt;

/// One thing that is not tidy: where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    /// Path from the workspace's root.
    pub(super) path: String,
    /// 1-based line; 0 for the file as a whole.
    pub(super) line: usize,
    /// What is wrong and how to mend it.
    pub(super) sentence: String,
}

impl Finding {
    pub(super) fn at(path: &str, line: usize, sentence: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, sentence: sentence.into() }
    }

    pub(super) fn file(path: &str, sentence: impl Into<String>) -> Self {
        Self::at(path, 0, sentence)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.sentence),
            line => write!(f, "{}:{line}: {}", self.path, self.sentence),
        }
    }
}
