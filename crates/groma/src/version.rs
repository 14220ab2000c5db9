//! What this program is, and what it was made with.

use std::collections::BTreeMap;

/// Version and commit.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("GROMA_COMMIT"), ")");

/// Name and version of what results depend on.
pub(crate) fn versions() -> BTreeMap<String, String> {
    [("groma", VERSION), ("rustc", env!("GROMA_RUSTC"))]
        .map(|(name, version)| (name.to_owned(), version.to_owned()))
        .into()
}
