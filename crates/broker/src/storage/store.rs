use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use groma_model::TopicId;
use groma_node::{Append, FileRange, LogId, TopicDefinition};

use super::Folder;
use super::folder::replace;
use super::lock::FolderLock;
use super::log_files::LogFiles;
use super::recovery::{DELETED, TOPICS_FOLDER};
use super::topic_file;

/// Says that the last broker wrote everything it had to.
pub(super) const CLEAN_FILE: &str = ".clean";

/// All files of a broker.
#[derive(Debug)]
pub(crate) struct Store {
    folder: Folder,
    names: BTreeMap<TopicId, String>,
    logs: BTreeMap<LogId, LogFiles>,
    _lock: Option<FolderLock>,
}

impl Store {
    /// A store that begins empty and ends with the process.
    pub(crate) fn anonymous() -> Self {
        Self {
            folder: Folder::Anonymous(std::env::temp_dir()),
            names: BTreeMap::new(),
            logs: BTreeMap::new(),
            _lock: None,
        }
    }

    /// The folder that records are written to.
    pub(crate) fn place(&self) -> &Path {
        match &self.folder {
            Folder::Kept(path) | Folder::Anonymous(path) => path,
        }
    }

    /// The store of a data folder with the logs found in it.
    pub(crate) fn kept(
        folder: Folder,
        lock: FolderLock,
        names: BTreeMap<TopicId, String>,
        logs: BTreeMap<LogId, LogFiles>,
    ) -> Self {
        Self { folder, names, logs, _lock: Some(lock) }
    }

    pub(crate) fn append(&mut self, append: &Append) -> io::Result<()> {
        let log = self.log(append.log)?;
        let body = append.batch.get(Append::HEAD..).unwrap_or_default();
        let (folder, log) = log;
        log.segment(folder, append.segment.0)?.append(append.position, &append.head, body)
    }

    pub(crate) fn read(&self, range: FileRange) -> io::Result<Bytes> {
        let file = self.file(range).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = vec![0; range.len as usize];
        file.read_exact_at(&mut bytes, range.position)?;
        Ok(Bytes::from(bytes))
    }

    /// The file of a segment.
    pub(crate) fn segment(&self, log: LogId, base: i64) -> Option<Arc<File>> {
        self.logs.get(&log)?.file(base)
    }

    /// The file that a range lies in; it stays readable after its deletion.
    pub(crate) fn file(&self, range: FileRange) -> Option<Arc<File>> {
        self.segment(range.log, range.segment.0)
    }

    pub(crate) fn keep_topic(&mut self, topic: &TopicDefinition) -> io::Result<()> {
        if let Some(root) = self.folder.kept() {
            replace(&root.join(TOPICS_FOLDER).join(&topic.name), &topic_file::write(topic))?;
        }
        self.names.insert(topic.id, topic.name.clone());
        Ok(())
    }

    /// Takes a topic's files out. The value holds what is costly to drop; leave that to another thread.
    pub(crate) fn delete_topic(&mut self, id: TopicId) -> io::Result<Remains> {
        let name = self.names.remove(&id).ok_or(io::ErrorKind::NotFound)?;
        let range = LogId { topic: id, partition: 0 }..=LogId { topic: id, partition: i32::MAX };
        let logs: Vec<LogId> = self.logs.range(range).map(|(log, _)| *log).collect();
        let mut remains = Remains { folders: Vec::new(), _files: Vec::new() };
        if let Some(root) = self.folder.kept() {
            fs::remove_file(root.join(TOPICS_FOLDER).join(&name))?;
        }
        for log in logs {
            let Some(files) = self.logs.remove(&log) else { continue };
            if let Some(root) = self.folder.kept() {
                let gone = root.join(format!("{DELETED}{:?}-{}", id, log.partition));
                fs::rename(root.join(files.folder()), &gone)?;
                remains.folders.push(gone);
            }
            remains._files.push(files);
        }
        Ok(remains)
    }

    pub(crate) fn make_segment(&mut self, log: LogId, base: i64) -> io::Result<()> {
        let (folder, log) = self.log(log)?;
        log.segment(folder, base).map(drop)
    }

    pub(crate) fn drop_segment(&mut self, log: LogId, base: i64) -> io::Result<()> {
        let (folder, log) = self.log(log)?;
        log.drop_segment(folder, base).map(drop)
    }

    /// Writes everything to disk and notes that it is complete.
    pub(crate) fn close(&self) -> io::Result<()> {
        let Some(root) = self.folder.kept() else { return Ok(()) };
        self.logs.values().try_for_each(LogFiles::sync)?;
        replace(&root.join(CLEAN_FILE), "")
    }

    fn log(&mut self, id: LogId) -> io::Result<(&Folder, &mut LogFiles)> {
        use std::collections::btree_map::Entry;
        let files = match self.logs.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let name = self.names.get(&id.topic).ok_or(io::ErrorKind::NotFound)?;
                entry.insert(LogFiles::new(format!("{name}-{}", id.partition), format!("{:?}", id.topic)))
            }
        };
        Ok((&self.folder, files))
    }
}

/// What is left of a deleted topic.
#[derive(Debug)]
pub(crate) struct Remains {
    folders: Vec<std::path::PathBuf>,
    _files: Vec<LogFiles>,
}

impl Remains {
    /// Gives the space back.
    pub(crate) fn remove(self) {
        for folder in &self.folders {
            if let Err(error) = fs::remove_dir_all(folder) {
                eprintln!("broker: cannot remove {}: {error}", folder.display());
            }
        }
    }
}
