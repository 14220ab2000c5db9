use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// Where files lie.
#[derive(Clone, Debug)]
pub(crate) enum Folder {
    /// In a data folder, under names.
    Kept(PathBuf),
    /// Nowhere: files without a name, which end with the process. The folder only says on which file system.
    Anonymous(PathBuf),
}

impl Folder {
    /// Makes and opens an empty file `name` in the sub-folder `sub`.
    pub(crate) fn create(&self, sub: &str, name: &str) -> io::Result<File> {
        match self {
            Self::Kept(root) => {
                let folder = root.join(sub);
                fs::create_dir_all(&folder)?;
                OpenOptions::new().read(true).write(true).create(true).truncate(true).open(folder.join(name))
            }
            Self::Anonymous(root) => anonymous(root),
        }
    }

    /// The data folder, if there is one.
    pub(crate) fn kept(&self) -> Option<&Path> {
        match self {
            Self::Kept(root) => Some(root),
            Self::Anonymous(_) => None,
        }
    }
}

/// A file without a name; on file systems that have none, a file whose name is removed at once.
fn anonymous(root: &Path) -> io::Result<File> {
    match rustix::fs::open(root, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, Mode::RUSR | Mode::WUSR) {
        Ok(file) => Ok(file.into()),
        Err(_) => named_and_removed(root),
    }
}

fn named_and_removed(root: &Path) -> io::Result<File> {
    for attempt in 0..u32::MAX {
        let path = root.join(format!("groma-{}-{attempt}", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Ends the name of a file that is being written; no topic's name can hold it.
pub(super) const UNFINISHED: &str = "~";

/// Replaces the file at `path` as a whole: after a crash it holds either the old text or the new one.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(UNFINISHED);
    let fresh = PathBuf::from(fresh);
    let mut file = File::create(&fresh)?;
    io::Write::write_all(&mut file, text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
