use crate::{WireError, Writer};

/// The tagged fields of a struct being written, in rising order of their tags.
#[derive(Debug)]
pub struct Tags<'a> {
    writer: &'a mut Writer,
    count_at: usize,
    count: u8,
}

impl<'a> Tags<'a> {
    pub(crate) fn new(writer: &'a mut Writer) -> Self {
        let count_at = writer.mark();
        writer.raw(&[0]);
        Self { writer, count_at, count: 0 }
    }

    /// Writes one field; none of Kafka's structs has 128 or more of them, so that their count is one byte.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn field<F>(&mut self, tag: u32, write: F) -> Result<(), WireError>
    where
        F: FnOnce(&mut Writer) -> Result<(), WireError>,
    {
        self.count += 1;
        self.writer.patch(self.count_at, &[self.count]);
        self.writer.uvarint(tag);
        let mark = self.writer.mark();
        write(self.writer)?;
        self.writer.insert_length(mark)
    }
}
