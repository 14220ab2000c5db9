use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use bytes::Bytes;
use groma_model::TopicId;
use groma_node::{Identity, Input, LogId, Node, Recovered, RecoveredTopic};
use groma_wire::records::batches;
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::clock::Clock;
use crate::shell::Shell;
use crate::storage::{Folder, FolderLock, Found, Meta, Store, recover};
use crate::{BrokerConfig, StartError};

/// What logs may hold without a data folder where nothing is said.
const ANONYMOUS_MAX_BYTES: u64 = 4 << 30;
/// Bytes of `__consumer_offsets` handed in at once.
const PIECE: usize = 4 << 20;
const OFFSETS_TOPIC: &str = "__consumer_offsets";

/// Reads the data folder, if there is one, and makes the node over what lies there.
pub(crate) fn open(config: &BrokerConfig, host: String, port: u16) -> Result<Shell, StartError> {
    raise_file_limit();
    let clock = Clock::start();
    let seed = random().map_err(StartError::Entropy)?;
    let fresh = Meta { cluster_id: TopicId(seed.to_be_bytes()).to_string(), boot: 0 };
    let (meta, found, lock) = match &config.data {
        Some(root) => open_folder(root, config, fresh)?,
        None => (fresh, Found::default(), None),
    };
    found.cuts.iter().for_each(|cut| eprintln!("broker: {cut}"));
    let offsets = offsets_logs(&found.recovered);
    let store = match (&config.data, lock) {
        (Some(root), Some(lock)) => {
            let names: BTreeMap<_, _> = found
                .recovered
                .topics
                .iter()
                .map(|topic| (topic.definition.id, topic.definition.name.clone()))
                .collect();
            Store::kept(Folder::Kept(root.clone()), lock, names, found.logs)
        }
        _ => Store::anonymous(),
    };
    let identity = Identity {
        host,
        port,
        cluster_id: meta.cluster_id,
        boot: meta.boot,
        seed: random().map_err(StartError::Entropy)?,
        max_bytes: config.max_bytes.or_else(|| config.data.is_none().then_some(ANONYMOUS_MAX_BYTES)),
        wall: Clock::wall(),
        settings: config.settings.clone(),
    };
    let settings = config.settings.clone();
    let files: Vec<(LogId, std::sync::Arc<File>)> =
        offsets.into_iter().filter_map(|(log, base)| Some((log, store.segment(log, base)?))).collect();
    let mut shell = Shell::new(Node::new(identity, clock.now(), found.recovered), store, clock, settings);
    for (log, file) in files {
        replay(&mut shell, log, &file)
            .map_err(|source| StartError::DataFolder { path: config.data.clone().unwrap_or_default(), source })?;
    }
    shell.feed(Input::Ready);
    Ok(shell)
}

fn open_folder(
    root: &Path,
    config: &BrokerConfig,
    fresh: Meta,
) -> Result<(Meta, Found, Option<FolderLock>), StartError> {
    Meta::check_owner(root)?;
    fs::create_dir_all(root).map_err(|source| StartError::DataFolder { path: root.to_owned(), source })?;
    let lock = FolderLock::take(root)?;
    let meta = Meta::open(root, config.settings.broker_id, fresh.cluster_id)?;
    Ok((meta, recover(root)?, Some(lock)))
}

/// The segments of `__consumer_offsets`, oldest first in each log.
fn offsets_logs(recovered: &Recovered) -> Vec<(LogId, i64)> {
    let of_topic = |topic: &RecoveredTopic| {
        let id = topic.definition.id;
        let of_log = move |(partition, segments): (usize, &Vec<groma_node::RecoveredSegment>)| {
            let log = LogId { topic: id, partition: partition as i32 };
            segments.iter().map(|segment| (log, segment.base.0)).collect::<Vec<_>>()
        };
        topic.partitions.iter().enumerate().flat_map(of_log).collect::<Vec<_>>()
    };
    let internal = recovered.topics.iter().filter(|topic| topic.definition.name == OFFSETS_TOPIC);
    internal.flat_map(of_topic).collect()
}

/// Hands in a segment's batches in pieces.
fn replay(shell: &mut Shell, log: LogId, file: &File) -> io::Result<()> {
    let size = file.metadata()?.len();
    let (mut at, mut most) = (0, PIECE as u64);
    while at < size {
        let mut bytes = vec![0; most.min(size - at) as usize];
        file.read_exact_at(&mut bytes, at)?;
        let mut whole = batches(&bytes);
        while let Some(Ok(_)) = whole.next() {}
        let used = bytes.len() - whole.rest().len();
        if used == 0 {
            most *= 2;
            continue;
        }
        bytes.truncate(used);
        at += used as u64;
        shell.feed(Input::Replay { log, bytes: Bytes::from(bytes) });
    }
    Ok(())
}

fn random() -> io::Result<u128> {
    let mut bits = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bits)?;
    Ok(u128::from_ne_bytes(bits))
}

/// Each log segment and each connection takes a file descriptor.
fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}
