use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
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

/// Removes what deletions left behind in folders marked so. Partitions of a topic id that is not known are set aside: a
/// topic's definition may be missing for a reason that has nothing to do with its records.
fn remove_leftovers(root: &Path, topics: &[TopicDefinition]) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { continue };
        let orphaned = noted_topic(&path).is_some_and(|id| topics.iter().all(|topic| topic.id != id));
        if name.starts_with(DELETED) {
            fs::remove_dir_all(&path)?;
        } else if orphaned && !name.starts_with(ORPHAN) {
            let aside = free_name(root, name);
            fs::rename(&path, &aside)?;
            eprintln!("broker: no topic is known for {}: its records are kept in {}", path.display(), aside.display());
        }
    }
    Ok(())
}

fn free_name(root: &Path, name: &str) -> PathBuf {
    let names = (1_u64..).map(|number| root.join(format!("{ORPHAN}{number}-{name}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_else(|| root.join(name))
}

/// How folders begin that no topic is known for.
const ORPHAN: &str = "orphan-";

fn noted_topic(folder: &Path) -> Option<TopicId> {
    let text = fs::read_to_string(folder.join(PARTITION_FILE)).ok()?;
    text.lines().find_map(|line| topic_file::parse_id(line.strip_prefix("topic_id: ")?))
}

/// Opens the segments of a partition, oldest first. From the first torn one on everything is cut off; what is more than
/// the beginning of a batch is kept beside the log.
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
            let aside = path.with_extension(CUT);
            fs::rename(&path, &aside)?;
            cuts.push(format!("{}: follows a damaged segment, kept as {}", path.display(), aside.display()));
            continue;
        }
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        let size = file.metadata()?.len();
        let trust = if Some(base) == last { trust } else { Trust::Headers };
        let found = scan(&file, Offset(base), trust)?;
        if found.good < size {
            let cut = size - found.good;
            cuts.push(match set_aside(&file, found.good, &path)? {
                None => format!("{}: cut {cut} bytes of a torn batch off its end", path.display()),
                Some(aside) => format!(
                    "{}: damaged at byte {}: cut {cut} bytes off its end, kept in {}",
                    path.display(),
                    found.good,
                    aside.display()
                ),
            });
            file.set_len(found.good)?;
            torn = true;
        }
        files.adopt(base, SegmentFile::new(file, found.good));
        segments.push(RecoveredSegment { base: Offset(base), batches: found.batches });
    }
    Ok(segments)
}

/// Copies what lies behind `good` to a file of its own, unless it is only what a crash leaves: the beginning of a batch,
/// or zeros.
fn set_aside(file: &File, good: u64, path: &Path) -> io::Result<Option<PathBuf>> {
    let mut tail = file;
    tail.seek(SeekFrom::Start(good))?;
    let mut head = Vec::new();
    tail.take(HEAD).read_to_end(&mut head)?;
    let length = head.last_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    let size = file.metadata()?.len() - good;
    let is_begun = head.len() < HEAD as usize || length.is_some_and(|length| HEAD + u64::from(length) > size);
    if is_begun || head.iter().all(|byte| *byte == 0) {
        return Ok(None);
    }
    let aside = path.with_extension(format!("{CUT}-{good}"));
    tail.seek(SeekFrom::Start(good))?;
    io::copy(&mut tail, &mut File::create(&aside)?)?;
    Ok(Some(aside))
}

/// Bytes of a batch up to its length, which ends them and counts what follows.
const HEAD: u64 = 12;
/// How names end of what was taken off a log.
const CUT: &str = "cut";

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
