use std::fmt;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

text_id! {
    /// The name of a group.
    GroupId
}
text_id! {
    /// A member's identity within its group, given by the coordinator.
    MemberId
}
text_id! {
    /// A stable identity of a member over restarts (KIP-345, `group.instance.id`).
    InstanceId
}

/// The number of a group's completed joins; it only grows while the group lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub i32);

impl Generation {
    /// The generation after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl GroupId {
    /// Which of `count` partitions of `__consumer_offsets` tells of this group: Java's hash of its name without its sign,
    /// part of Kafka's format (`Utils.abs` of `kafka-clients`, which takes the least number to 0; partitions of keys
    /// drop the sign bit instead). None of no partitions.
    pub fn offsets_partition(&self, count: i32) -> Option<i32> {
        (count > 0).then(|| java_hash(&self.0).checked_abs().unwrap_or(0) % count)
    }
}

fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hash_as_in_java() {
        assert_eq!(java_hash(""), 0);
        assert_eq!(java_hash("hello"), 99_162_322);
        assert_eq!(java_hash("polygenelubricants"), i32::MIN);
    }

    #[test]
    fn groups_lie_where_kafka_puts_them() {
        let of_fifty = [
            ("hello", 22),
            ("polygenelubricants", 0),
            ("g", 3),
            ("orders", 31),
            ("orders-7", 5),
            ("my-group", 12),
            ("explained-java-63a712fc", 33),
            ("explained-librdkafka-4350126e", 37),
        ];
        for (group, partition) in of_fifty {
            assert_eq!(GroupId(group.to_owned()).offsets_partition(50), Some(partition), "{group}");
        }
        assert_eq!(GroupId("g".to_owned()).offsets_partition(0), None);
    }
}
