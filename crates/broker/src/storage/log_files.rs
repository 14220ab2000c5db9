use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::Arc;

use super::Folder;
use super::segment_file::SegmentFile;

/// The files of one partition.
#[derive(Debug)]
pub(crate) struct LogFiles {
    folder: String,
    id_text: String,
    segments: BTreeMap<i64, SegmentFile>,
}

impl LogFiles {
    /// The log whose files lie, or will lie, in the sub-folder `folder` and belong to the topic of id `id_text`.
    pub(crate) fn new(folder: String, id_text: String) -> Self {
        Self { folder, id_text, segments: BTreeMap::new() }
    }

    pub(crate) fn adopt(&mut self, base: i64, segment: SegmentFile) {
        self.segments.insert(base, segment);
    }

    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    pub(crate) fn file(&self, base: i64) -> Option<Arc<File>> {
        self.segments.get(&base).map(SegmentFile::file)
    }

    /// The segment that begins at `base`, made if it is not there.
    pub(crate) fn segment(&mut self, root: &Folder, base: i64) -> io::Result<&mut SegmentFile> {
        use std::collections::btree_map::Entry;
        if self.segments.is_empty() && root.kept().is_some() {
            let mut note = root.create(&self.folder, super::recovery::PARTITION_FILE)?;
            io::Write::write_all(&mut note, super::recovery::partition_note(&self.id_text).as_bytes())?;
        }
        match self.segments.entry(base) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let file = root.create(&self.folder, &segment_name(base))?;
                Ok(entry.insert(SegmentFile::new(file, 0)))
            }
        }
    }

    pub(crate) fn drop_segment(&mut self, root: &Folder, base: i64) -> io::Result<Option<SegmentFile>> {
        let dropped = self.segments.remove(&base);
        if let (Some(root), true) = (root.kept(), dropped.is_some()) {
            std::fs::remove_file(root.join(&self.folder).join(segment_name(base)))?;
        }
        Ok(dropped)
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.segments.values().try_for_each(SegmentFile::sync)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }
}

/// A segment's file name, as in Kafka: its base offset in 20 digits.
pub(super) fn segment_name(base: i64) -> String {
    format!("{base:020}.log")
}
