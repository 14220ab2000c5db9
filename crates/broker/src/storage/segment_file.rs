use std::fs::File;
use std::io::{self, IoSlice};
use std::sync::Arc;

/// One open segment file. Shared with answers on their way out, which keep it readable after its deletion.
#[derive(Debug)]
pub(crate) struct SegmentFile {
    file: Arc<File>,
    size: u64,
}

impl SegmentFile {
    pub(crate) fn new(file: File, size: u64) -> Self {
        Self { file: Arc::new(file), size }
    }

    pub(crate) fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Writes `head` and then `body` at `position`, which must be the end. What was written in part is cut off again.
    pub(crate) fn append(&mut self, position: u64, head: &[u8], body: &[u8]) -> io::Result<()> {
        if position != self.size {
            return Err(io::Error::other("an append before this one failed"));
        }
        match write_all_at(&self.file, position, head, body) {
            Ok(()) => {
                self.size += (head.len() + body.len()) as u64;
                Ok(())
            }
            Err(error) => {
                self.file.set_len(position)?;
                Err(error)
            }
        }
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn write_all_at(file: &File, mut position: u64, mut head: &[u8], mut body: &[u8]) -> io::Result<()> {
    while !head.is_empty() || !body.is_empty() {
        let slices = [IoSlice::new(head), IoSlice::new(body)];
        let written = match rustix::io::pwritev(file, &slices, position) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => written,
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        };
        position += written as u64;
        let from_head = written.min(head.len());
        head = &head[from_head..];
        body = &body[written - from_head..];
    }
    Ok(())
}
