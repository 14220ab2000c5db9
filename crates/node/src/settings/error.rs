use groma_model::nearest;

/// Why a setting was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this name.
    #[error("unknown setting {key}: {mend}")]
    UnknownKey {
        /// The name given.
        key: String,
        /// The known name closest to it, or all.
        mend: String,
    },
    /// The value is of another kind or out of range.
    #[error("{key}={value} cannot be used: give {wanted}")]
    BadValue {
        /// The setting's name.
        key: String,
        /// The value given.
        value: String,
        /// What would do.
        wanted: String,
    },
}

impl SettingError {
    /// Nothing in `known` is called `key`.
    pub(crate) fn unknown(key: &str, known: impl Iterator<Item = &'static str> + Clone) -> Self {
        let mend = match nearest(key, known.clone()) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => format!("leave it out, or use one of {}", known.collect::<Vec<_>>().join(", ")),
        };
        Self::UnknownKey { key: key.to_owned(), mend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_what_there_is() {
        let said = |key| SettingError::unknown(key, ["num.partitions", "broker.id"].into_iter()).to_string();
        assert_eq!(said("num.partition"), "unknown setting num.partition: did you mean num.partitions?");
        assert_eq!(said("colour"), "unknown setting colour: leave it out, or use one of num.partitions, broker.id");
    }
}
