use std::fs::{File, OpenOptions};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::StartError;

/// Held as long as a broker uses a data folder; the system lets it go when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    pub(crate) fn take(root: &Path) -> Result<Self, StartError> {
        let path = root.join(".lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|source| StartError::DataFolder { path, source })?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { _file: file }),
            Err(_) => Err(StartError::DataFolderInUse { path: root.to_owned() }),
        }
    }
}
