use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::{ApiKey, Form, Item, Reader, WireError, Writer};

/// A request or response of Kafka's protocol.
pub trait Message: Item {
    /// The name in Kafka's definitions.
    const NAME: &'static str;
    /// The API it belongs to.
    const KEY: ApiKey;
    /// The versions that Kafka serves.
    const VERSIONS: RangeInclusive<i16>;
    /// The first flexible version (KIP-482), `i16::MAX` if there is none.
    const FLEXIBLE_SINCE: i16;

    /// Reads the body of a message; what follows is left to the caller, see [`Reader::finish`].
    ///
    /// # Errors
    /// When there is no such version, or the bytes are not such a message.
    fn decode(r: &mut Reader, version: i16) -> Result<Self, WireError> {
        check(Self::NAME, &Self::VERSIONS, version)?;
        Self::read(r, Form::of(version, Self::FLEXIBLE_SINCE), version)
    }

    /// Writes the body of a message.
    ///
    /// # Errors
    /// When there is no such version, or it cannot carry what is set.
    fn encode(&self, w: &mut Writer, version: i16) -> Result<(), WireError> {
        check(Self::NAME, &Self::VERSIONS, version)?;
        self.write(w, Form::of(version, Self::FLEXIBLE_SINCE), version)
    }
}

/// A request, and what answers it.
pub trait Request: Message {
    /// The answer, in the same version.
    type Response: Message;
}

/// A definition outside of requests and responses: embedded in their byte fields, or stored as a record.
pub trait Data: Item {
    /// The name in Kafka's definitions.
    const NAME: &'static str;
    /// The versions known.
    const VERSIONS: RangeInclusive<i16>;
    /// The first flexible version (KIP-482), `i16::MAX` if there is none.
    const FLEXIBLE_SINCE: i16;

    /// Reads a value whose version is known from elsewhere.
    ///
    /// # Errors
    /// When there is no such version, or the bytes are not such a value.
    fn decode(r: &mut Reader, version: i16) -> Result<Self, WireError> {
        check(Self::NAME, &Self::VERSIONS, version)?;
        Self::read(r, Form::of(version, Self::FLEXIBLE_SINCE), version)
    }

    /// Writes a value without its version.
    ///
    /// # Errors
    /// When there is no such version, or it cannot carry what is set.
    fn encode(&self, w: &mut Writer, version: i16) -> Result<(), WireError> {
        check(Self::NAME, &Self::VERSIONS, version)?;
        self.write(w, Form::of(version, Self::FLEXIBLE_SINCE), version)
    }

    /// Reads the two bytes of the version, the value, and nothing more.
    ///
    /// # Errors
    /// As [`Data::decode`], and when bytes follow.
    fn from_bytes(bytes: Bytes) -> Result<Self, WireError> {
        let mut r = Reader::new(bytes);
        let version = r.i16()?;
        let value = Self::decode(&mut r, version)?;
        r.finish()?;
        Ok(value)
    }

    /// The two bytes of the version and the value.
    ///
    /// # Errors
    /// As [`Data::encode`].
    fn to_bytes(&self, version: i16) -> Result<Bytes, WireError> {
        let mut w = Writer::new();
        w.i16(version);
        self.encode(&mut w, version)?;
        w.into_bytes()
    }
}

fn check(name: &'static str, versions: &RangeInclusive<i16>, version: i16) -> Result<(), WireError> {
    if versions.contains(&version) { Ok(()) } else { Err(WireError::UnknownVersion { name, version }) }
}
