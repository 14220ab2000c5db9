use std::collections::BTreeMap;

use groma_wire::messages::ApiVersionsResponse;

use super::Api;

/// The versions a broker offers, by API key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Versions {
    offered: BTreeMap<i16, (i16, i16)>,
}

impl Versions {
    /// What an answer to ApiVersions offers.
    pub fn new(response: &ApiVersionsResponse) -> Self {
        Self { offered: response.api_keys.iter().map(|a| (a.api_key, (a.min_version, a.max_version))).collect() }
    }

    /// The highest version both sides speak.
    pub fn choose(&self, api: Api) -> Option<i16> {
        let (ours_min, ours_max) = api.versions();
        let (theirs_min, theirs_max) = self.offered.get(&(api.key().code())).copied()?;
        let version = ours_max.min(theirs_max);
        (version >= ours_min.max(theirs_min)).then_some(version)
    }
}
