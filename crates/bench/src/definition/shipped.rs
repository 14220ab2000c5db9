use serde::Serialize;

use super::read::parse;

/// A shipped benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Shipped {
    /// The name for `bench run`.
    pub name: &'static str,
    /// What it measures, in one line.
    pub about: String,
}

/// The shipped benchmarks.
pub fn list() -> Vec<Shipped> {
    let entries = NAMES.iter();
    entries
        .map(|(name, text)| Shipped { name, about: parse(text, None).map(|b| b.about).unwrap_or_default() })
        .collect()
}

pub(super) fn text(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}

pub(super) const NAMES: [(&str, &str); 3] = [
    ("uc1", include_str!("../../benchmarks/uc1.yaml")),
    ("uc2", include_str!("../../benchmarks/uc2.yaml")),
    ("known_answer", include_str!("../../benchmarks/known_answer.yaml")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_benchmark_is_sound_and_says_what_it_measures() {
        for (name, text) in NAMES {
            let benchmark = parse(text, None).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(benchmark.name, name);
            assert!(!benchmark.about.is_empty(), "{name}");
        }
    }
}
