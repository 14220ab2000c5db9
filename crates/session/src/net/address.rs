use std::fmt;

/// Where a broker listens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// A host name or IP address, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl Address {
    /// Reads `host:port`, `[v6]:port`, or a host alone with Kafka's port 9092.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, port.parse().ok()?),
            Some(_) => (text, DEFAULT_PORT),
            None => (text, DEFAULT_PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        (!host.is_empty() && !host.contains(['/', ' '])).then(|| Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

const DEFAULT_PORT: u16 = 9092;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_in_all_their_forms() {
        let read = |text| Address::parse(text).map(|a| (a.host, a.port));
        assert_eq!(read("kafka:9093"), Some(("kafka".to_owned(), 9093)));
        assert_eq!(read("kafka"), Some(("kafka".to_owned(), 9092)));
        assert_eq!(read("[::1]:9093"), Some(("::1".to_owned(), 9093)));
        assert_eq!(read("::1"), Some(("::1".to_owned(), 9092)));
        assert_eq!(read("kafka:port"), None);
        assert_eq!(read(":9092"), None);
        assert_eq!(read("http://kafka:9092"), None);
    }
}
