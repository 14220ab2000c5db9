//! Log files: Kafka's segment format, one folder for each partition, and beside them the topics' definitions.

mod folder;
mod lock;
mod log_files;
mod meta;
mod recovery;
mod scan;
mod segment_file;
mod store;
mod topic_file;

pub(crate) use folder::Folder;
pub(crate) use lock::FolderLock;
pub(crate) use meta::Meta;
pub(crate) use recovery::{Found, recover};
pub(crate) use store::{Remains, Store};
