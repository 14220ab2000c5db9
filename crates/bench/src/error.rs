use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a benchmark command could not be carried out; its text is one sentence that names the thing and the mend.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The benchmark file is wrong.
    #[error("{file}: {reason}")]
    Definition {
        /// The file, or the name of a shipped benchmark.
        file: String,
        /// What is wrong, with line and excerpt where known.
        reason: String,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {path} ({source}); {mend}")]
    File {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
        /// What to do.
        mend: &'static str,
    },
    /// A child process could not be started, did not become ready, or ended early.
    #[error("{0}")]
    Child(String),
    /// The Kafka under test cannot be used.
    #[error("{0}")]
    Kafka(String),
    /// This machine does not allow what the benchmark needs.
    #[error("{0}")]
    Machine(String),
    /// The request contradicts itself or what is on disk.
    #[error("{0}")]
    Usage(String),
    /// Ctrl-C, SIGTERM or SIGHUP; finished cells are kept.
    #[error("interrupted; finished cells are kept")]
    Interrupted,
}

impl BenchError {
    /// The exit code that the command line gives for this error: 130 when interrupted, 2 otherwise.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Interrupted => 130,
            _ => 2,
        }
    }

    /// Something that goes to the folder of results cannot be written or read.
    pub(crate) fn file(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::file_mended(action, path, source, "choose another folder with --out or mend its permissions")
    }

    /// Something else cannot be written or read; `mend` says what to do.
    pub(crate) fn file_mended(action: &'static str, path: &Path, source: std::io::Error, mend: &'static str) -> Self {
        Self::File { action, path: path.to_owned(), source, mend }
    }
}
