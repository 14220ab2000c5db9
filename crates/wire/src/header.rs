use crate::{ApiKey, Form, Reader, WireError, Writer};

/// What stands in front of each request.
///
/// The key and version are as the peer sent them: they may name an API or a version that is not known here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestHeader {
    /// The API asked for, see [`ApiKey::from_i16`].
    pub api_key: i16,
    /// The version of the request, and of the response wanted.
    pub api_version: i16,
    /// Comes back in the response.
    pub correlation_id: i32,
    /// What the client calls itself.
    pub client_id: Option<String>,
}

/// What stands in front of each response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponseHeader {
    /// As in the request.
    pub correlation_id: i32,
}

impl RequestHeader {
    /// Reads header version 2 for flexible requests, else version 1. The client id has a 16-bit length in both.
    ///
    /// # Errors
    /// When the bytes are not a header.
    pub fn decode(r: &mut Reader) -> Result<Self, WireError> {
        let (api_key, api_version, correlation_id) = (r.i16()?, r.i16()?, r.i32()?);
        let client_id = r.nullable_string(Form::Fixed)?;
        r.skip_tags(request_form(api_key, api_version))?;
        Ok(Self { api_key, api_version, correlation_id, client_id })
    }

    /// Writes header version 2 for flexible requests, else version 1.
    ///
    /// # Errors
    /// When the client id is longer than 32,767 bytes.
    pub fn encode(&self, w: &mut Writer) -> Result<(), WireError> {
        w.i16(self.api_key);
        w.i16(self.api_version);
        w.i32(self.correlation_id);
        w.nullable_string(Form::Fixed, self.client_id.as_deref())?;
        w.no_tags(request_form(self.api_key, self.api_version));
        Ok(())
    }
}

impl ResponseHeader {
    /// Reads header version 1 for flexible responses, else version 0.
    ///
    /// # Errors
    /// When the bytes are not a header.
    pub fn decode(r: &mut Reader, key: ApiKey, version: i16) -> Result<Self, WireError> {
        let correlation_id = r.i32()?;
        r.skip_tags(response_form(key, version))?;
        Ok(Self { correlation_id })
    }

    /// Writes header version 1 for flexible responses, else version 0.
    pub fn encode(self, w: &mut Writer, key: ApiKey, version: i16) {
        w.i32(self.correlation_id);
        w.no_tags(response_form(key, version));
    }

    /// The correlation id of a frame whose API is not yet known.
    ///
    /// # Errors
    /// When there are fewer than four bytes.
    pub fn correlation_id(frame: &[u8]) -> Result<i32, WireError> {
        let id = frame.first_chunk().ok_or(WireError::Truncated { at: 0, needed: 4, left: frame.len() })?;
        Ok(i32::from_be_bytes(*id))
    }
}

fn request_form(api_key: i16, version: i16) -> Form {
    let since = ApiKey::from_i16(api_key).map_or(i16::MAX, ApiKey::flexible_since);
    Form::of(version, since)
}

/// A client that does not know the broker's version yet must be able to read the answer to ApiVersions: its header is
/// always version 0 (KIP-511).
fn response_form(key: ApiKey, version: i16) -> Form {
    match key {
        ApiKey::ApiVersions => Form::Fixed,
        key => Form::of(version, key.flexible_since()),
    }
}
