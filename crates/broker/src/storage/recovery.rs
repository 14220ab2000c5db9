use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use groma_model::{Offset, TopicId};
use groma_node::{LogId, Recovered, RecoveredSegment, RecoveredTopic, TopicDefinition};

use super::folder::UNFINISHED;
use super::log_files::LogFiles;
use super::scan::{Trust, scan};
use super::segment_file::SegmentFile;
use super::store::CLEAN_FILE;
use super::topic_file;
use crate::StartError;

/// Says which topic a partition's folder belongs to, as in Kafka.
pub(super) const PARTITION_FILE: &str = "partition.metadata";
pub(super) const TOPICS_FOLDER: &str = "topics";
/// Folders on their way out begin so; no topic's name can.
pub(super) const DELETED: &str = "~deleted-";

/// What lies in a data folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) recovered: Recovered,
    pub(crate) logs: BTreeMap<LogId, LogFiles>,
    /// One line for each torn end that was cut off.
    pub(crate) cuts: Vec<String>,
}

pub(super) fn partition_note(id_text: &str) -> String {
    format!("version: 0\ntopic_id: {id_text}\n")
}

/// Reads a data folder: definitions, then the segments of each partition. Torn ends are cut off, and files of topics
/// that were deleted are removed.
pub(crate) fn recover(root: &Path) -> Result<Found, StartError> {
    let failed = |path: &Path, source: io::Error| StartError::DataFolder { path: path.to_owned(), source };
    let clean = root.join(CLEAN_FILE);
    let trust = if clean.exists() { Trust::Headers } else { Trust::Nothing };
    let topics = read_topics(&root.join(TOPICS_FOLDER))?;
    remove_leftovers(root, &topics).map_err(|error| failed(root, error))?;
    let mut found = Found::default();
    for definition in topics {
        let mut partitions = Vec::new();
        for partition in 0..definition.partitions {
            let folder = format!("{}-{partition}", definition.name);
            let mut files = LogFiles::new(folder.clone(), format!("{:?}", definition.id));
            let path = root.join(folder);
            let segments = read_log(&path, trust, &mut files, &mut found.cuts).map_err(|error| failed(&path, error))?;
            partitions.push(segments);
            if !files.is_empty() {
                found.logs.insert(LogId { topic: definition.id, partition }, files);
            }
        }
        found.recovered.topics.push(RecoveredTopic { definition, partitions });
    }
    match fs::remove_file(&clean) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&clean, error)),
        _ => Ok(found),
    }
}

fn read_topics(folder: &Path) -> Result<Vec<TopicDefinition>, StartError> {
    let failed = |path: &Path, source| StartError::DataFolder { path: path.to_owned(), source };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut topics = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        let Some(name) = path.file_name().and_then(OsStr::to_str).filter(|name| !name.ends_with(UNFINISHED)) else {
            continue;
        };
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
        let topic = topic_file::read(name, &text).map_err(|found| StartError::Damaged {
            path: path.clone(),
            expected: "a topic's definition",
            found,
        })?;
        topics.push(topic);
    }
    topics.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(topics)
}

/// Removes what deletions left behind: folders marked so, and partitions of a topic id that is no more.
fn remove_leftovers(root: &Path, topics: &[TopicDefinition]) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        let marked = path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(DELETED));
        let orphaned = noted_topic(&path).is_some_and(|id| topics.iter().all(|topic| topic.id != id));
        if marked || orphaned {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

fn noted_topic(folder: &Path) -> Option<TopicId> {
    let text = fs::read_to_string(folder.join(PARTITION_FILE)).ok()?;
    text.lines().find_map(|line| topic_file::parse_id(line.strip_prefix("topic_id: ")?))
}

/// Opens the segments of a partition, oldest first. From the first torn one on everything is cut off.
fn read_log(
    folder: &Path,
    trust: Trust,
    files: &mut LogFiles,
    cuts: &mut Vec<String>,
) -> io::Result<Vec<RecoveredSegment>> {
    let paths = segment_paths(folder)?;
    let last = paths.keys().next_back().copied();
    let mut segments: Vec<RecoveredSegment> = Vec::new();
    let mut torn = false;
    for (base, path) in paths {
        let end =
            segments.last().and_then(|segment| segment.batches.last()).map_or(i64::MIN, |batch| batch.last_offset.0);
        if torn || base <= end {
            cuts.push(format!("{}: removed, as it follows a torn segment", path.display()));
            fs::remove_file(&path)?;
            continue;
        }
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        let size = file.metadata()?.len();
        let trust = if Some(base) == last { trust } else { Trust::Headers };
        let found = scan(&file, Offset(base), trust)?;
        if found.good < size {
            let cut = size - found.good;
            cuts.push(format!("{}: cut {cut} bytes of a torn batch off its end", path.display()));
            file.set_len(found.good)?;
            torn = true;
        }
        files.adopt(base, SegmentFile::new(file, found.good));
        segments.push(RecoveredSegment { base: Offset(base), batches: found.batches });
    }
    Ok(segments)
}

fn segment_paths(folder: &Path) -> io::Result<BTreeMap<i64, PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(error),
    };
    let mut paths = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        let base = path.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_suffix(".log"));
        if let Some(base) = base.and_then(|digits| digits.parse().ok()) {
            paths.insert(base, path);
        }
    }
    Ok(paths)
}
