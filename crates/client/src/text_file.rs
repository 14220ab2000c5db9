use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Why a file cannot be read as a text that people write. The sentence goes on after the file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextFileError {
    /// The system refuses it.
    #[error("cannot be read ({0}); check the path and its permissions")]
    Unreadable(io::Error),
    /// A folder, pipe, socket or device: reading it could take forever.
    #[error("is a {0}; name a file")]
    NotAFile(&'static str),
    /// Nobody writes that much by hand.
    #[error("has {bytes} bytes, more than the {most} that such a file may have; name another file")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        most: u64,
    },
    /// Bytes that are no UTF-8.
    #[error("is not a text: byte {at} is no UTF-8; name a text file, or save it as UTF-8")]
    NotText {
        /// The first such byte, counted from 0.
        at: usize,
    },
}

/// Reads a regular file of at most `most` bytes as UTF-8, whole; never waits for a pipe or a device.
///
/// # Errors
/// See [`TextFileError`].
pub fn read_text_file(path: &Path, most: u64) -> Result<String, TextFileError> {
    let found = fs::metadata(path).map_err(TextFileError::Unreadable)?;
    if !found.is_file() {
        return Err(TextFileError::NotAFile(kind(&found)));
    }
    let too_large = |bytes| TextFileError::TooLarge { bytes, most };
    if found.len() > most {
        return Err(too_large(found.len()));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(TextFileError::Unreadable)?;
    if bytes.len() as u64 > most {
        return Err(too_large(bytes.len() as u64));
    }
    String::from_utf8(bytes).map_err(|error| TextFileError::NotText { at: error.utf8_error().valid_up_to() })
}

fn kind(found: &fs::Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = found.file_type();
    match () {
        () if kind.is_dir() => "folder",
        () if kind.is_fifo() => "pipe",
        () if kind.is_socket() => "socket",
        () => "device",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn only_short_texts_in_files_are_read() {
        let folder = std::env::temp_dir().join(format!("groma-text-file-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("made");
        let path = |name: &str| folder.join(name);
        fs::write(path("text"), "ä\n").expect("written");
        fs::write(path("bytes"), b"name\xff").expect("written");
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("made");
        let said = |path: &Path, most| read_text_file(path, most).expect_err("refused").to_string();
        assert_eq!(read_text_file(&path("text"), 3).ok().as_deref(), Some("ä\n"));
        assert_eq!(said(&path("text"), 2), "has 3 bytes, more than the 2 that such a file may have; name another file");
        assert_eq!(said(&path("bytes"), 9), "is not a text: byte 4 is no UTF-8; name a text file, or save it as UTF-8");
        assert_eq!(said(&path("pipe"), 9), "is a pipe; name a file");
        assert_eq!(said(&folder, 9), "is a folder; name a file");
        assert_eq!(said(Path::new("/dev/zero"), 9), "is a device; name a file");
        assert!(said(&path("none"), 9).starts_with("cannot be read (No such file"), "{}", said(&path("none"), 9));
        fs::remove_dir_all(&folder).expect("removed");
    }
}
