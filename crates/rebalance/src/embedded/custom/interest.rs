use std::collections::BTreeSet;

/// What a member asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interest {
    /// Resources of every kind.
    #[default]
    Everything,
    /// Resources of these kinds.
    Kinds(BTreeSet<String>),
}

/// How "resources of every kind" is written; kinds are written behind a `=`.
const EVERYTHING: &str = "*";

impl Interest {
    /// Resources of these kinds.
    pub fn kinds<K: Into<String>>(kinds: impl IntoIterator<Item = K>) -> Self {
        Self::Kinds(kinds.into_iter().map(Into::into).collect())
    }

    /// Whether resources of this kind are asked for.
    pub fn covers(&self, kind: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Kinds(kinds) => kinds.contains(kind),
        }
    }

    /// As names on the wire.
    pub(super) fn write(&self) -> BTreeSet<String> {
        match self {
            Self::Everything => BTreeSet::from([EVERYTHING.to_owned()]),
            Self::Kinds(kinds) => kinds.iter().map(|kind| format!("={kind}")).collect(),
        }
    }

    /// Whether this is a name on the wire; no topic of Kafka's is called like that.
    pub(super) fn is_written(name: &str) -> bool {
        name == EVERYTHING || name.starts_with('=')
    }

    /// From names on the wire; what later versions may ask for is not asked for here.
    pub(super) fn read<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut kinds = BTreeSet::new();
        for name in names {
            if name == EVERYTHING {
                return Self::Everything;
            }
            kinds.extend(name.strip_prefix('=').map(str::to_owned));
        }
        Self::Kinds(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interest_is_read_as_it_was_written() {
        let nothing = Interest::Kinds(BTreeSet::new());
        for interest in [Interest::Everything, nothing, Interest::kinds(["", "*", "=", "outdoor"])] {
            assert_eq!(Interest::read(interest.write().iter().map(String::as_str)), interest);
        }
        assert_eq!(Interest::read(["=a", "?b"]), Interest::kinds(["a"]));
    }
}
