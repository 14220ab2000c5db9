use std::io;
use std::path::PathBuf;

/// Why a broker could not start: one sentence that names the thing and the mend.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The listen or advertise address is not `HOST:PORT`, or its host has no address.
    #[error("{0} is no address to listen on: give HOST:PORT, such as 127.0.0.1:9092")]
    Address(String),
    /// What clients are to be told is not `HOST:PORT` with a port that can be connected to.
    #[error("{0} is no address for clients to connect to: give HOST:PORT with the port that leads to this broker")]
    Advertised(String),
    /// Somebody else listens there.
    #[error("{0} is taken by another process: stop it, or listen on another port (port 0 picks a free one)")]
    PortTaken(String),
    /// The system refuses the address, such as a port below 1024 or an address of another machine.
    #[error(
        "cannot listen on {address} ({source}): give an address of this machine, such as 127.0.0.1:9092, and a port that this user may take"
    )]
    Listen {
        /// The address asked for.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The data folder cannot be made, read or written.
    #[error("cannot use {} as data folder ({source}); make it writable or name another folder", path.display())]
    DataFolder {
        /// The folder or the file in it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The data folder is a file, or lies below one.
    #[error("{} cannot be a data folder: it is a file, or below one; name a folder", path.display())]
    DataFolderIsFile {
        /// What was given.
        path: PathBuf,
    },
    /// Something else than this broker has written to the data folder.
    #[error("{} holds {found} and is no data folder of this broker; name an empty or a new folder", path.display())]
    DataFolderForeign {
        /// The folder.
        path: PathBuf,
        /// What was found in it.
        found: String,
    },
    /// Another broker holds the data folder.
    #[error("data folder {} is in use by another broker; stop that one, or name another folder", path.display())]
    DataFolderInUse {
        /// The folder.
        path: PathBuf,
    },
    /// A file in the data folder is not what a broker wrote there.
    #[error("{} cannot be read as {expected}: {found}; restore it or give an empty data folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        expected: &'static str,
        /// What is wrong with it.
        found: String,
    },
    /// The system gave no random bits, of which ids are made.
    #[error("cannot read random bits from /dev/urandom: {0}; make it readable")]
    Entropy(io::Error),
    /// The system gave no thread, or no runtime for it.
    #[error("cannot start the broker's thread: {0}")]
    Thread(io::Error),
}
