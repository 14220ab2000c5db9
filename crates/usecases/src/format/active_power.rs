use groma_dataflow::{Decoder, Reject};
use groma_model::Timestamp;

use super::avro::{AvroReader, put_double, put_frame, put_long, put_string};

/// Theodolite's `ActivePowerRecord`: what the use cases read. Borrowed from the record's bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivePower<'a> {
    /// The sensor.
    pub identifier: &'a str,
    /// When it was read.
    pub timestamp: Timestamp,
    /// The power in watts.
    pub value_in_w: f64,
}

/// Reads an [`ActivePower`] in a record's value.
#[derive(Clone, Copy, Debug)]
pub struct ActivePowerDecoder;

impl<'a> ActivePower<'a> {
    /// The Avro schema, for registries and foreign readers.
    pub const SCHEMA: &'static str = r#"{"type":"record","name":"ActivePowerRecord","namespace":"rocks.theodolite.benchmarks.commons.model.records","fields":[{"name":"identifier","type":"string"},{"name":"timestamp","type":"long"},{"name":"valueInW","type":"double"}]}"#;

    /// Reads a record's value.
    ///
    /// # Errors
    /// [`Reject::Malformed`] says what is wrong.
    #[inline]
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Reject> {
        let mut reader = AvroReader::open(bytes)?;
        let record =
            Self { identifier: reader.string()?, timestamp: Timestamp(reader.long()?), value_in_w: reader.double()? };
        reader.finish()?;
        Ok(record)
    }

    /// Appends the record's value to `into`: 20 bytes and the identifier for times of our century.
    #[inline]
    pub fn encode(&self, into: &mut Vec<u8>) {
        put_frame(into);
        put_string(into, self.identifier.as_bytes());
        put_long(into, self.timestamp.0);
        put_double(into, self.value_in_w);
    }
}

impl<'a> Decoder<'a> for ActivePowerDecoder {
    type Value = ActivePower<'a>;

    #[inline]
    fn decode(bytes: &'a [u8]) -> Result<ActivePower<'a>, Reject> {
        ActivePower::decode(bytes)
    }
}
