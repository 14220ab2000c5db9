use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use groma_scalability::{Restriction, Strategy};
use schemars::{JsonSchema, schema_for};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::{Dimension, Duration, Preset, Size, UseCase};

/// A benchmark file. Everything but the name may be left out; the preset fills it in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkFile {
    /// Its name: letters, digits, `.`, `_`; cell files begin with it.
    pub name: String,
    /// What it measures, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Where settings come from that are not in the file; `--preset` replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// The system under test, or a list of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sut: Option<OneOrMany<SutFile>>,
    /// The program that the instances run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usecase: Option<UseCase>,
    /// What grows with the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<Dimension>,
    /// Loads in records per second, or `auto`: one between what each two counts handle, which is measured first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loads: Option<LoadsFile>,
    /// Numbers of instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = 1, max = 1000)))]
    pub instances: Option<Vec<u32>>,
    /// Partitions of the input; best a multiple of every number of instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub partitions: Option<u32>,
    /// Number of keys (sensors) where the load does not set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub keys: Option<u32>,
    /// So many of a hundred records go to partition 0 beside its even share; 0 gives every partition the same rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub skew: Option<u32>,
    /// What one instance may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsFile>,
    /// How long a cell takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<DurationFile>,
    /// How often each cell is run; the median slope counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub repetitions: Option<u32>,
    /// Which cells are run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchFile>,
    /// When a cell passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slo: Option<SloFile>,
}

/// A system under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SutFile {
    /// What the instances are.
    pub engine: EngineFile,
    /// The name in results, where several systems share an engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// For `groma`: settings of an instance, handed on as `--set key=value`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// For `command`: program and arguments of one instance; `{bootstrap}`, `{group}`, `{input}`, `{output}`,
    /// `{instance}` and `{progress}`, the topic that our own instances report on, are filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// For `command`: the line on stdout that says that an instance is ready; without it, it is ready once started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
    /// For `synthetic`: records per second that an instance handles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20_000_000))]
    pub rate: Option<u64>,
}

impl SutFile {
    /// What is measured where the file names no engine.
    pub(super) const fn own() -> Self {
        Self {
            engine: EngineFile::Groma,
            name: None,
            settings: BTreeMap::new(),
            command: None,
            ready: None,
            rate: None,
        }
    }
}

/// The engines a benchmark file can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EngineFile {
    /// This binary's own stream engine.
    Groma,
    /// An instance that handles exactly `rate` records per second.
    Synthetic,
    /// Kafka Streams.
    KafkaStreams,
    /// Apache Flink.
    Flink,
    /// Any command.
    Command,
}

/// What one instance may use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsFile {
    /// Cores, such as 0.05.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// The period over which the quota is shared out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Duration>,
    /// Memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
}

/// How long a cell takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DurationFile {
    /// Time before the measured window; never part of the fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup: Option<Duration>,
    /// The longest measured window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<Duration>,
    /// Times in the window at which a cell may be decided; the window's end is always one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<Vec<Duration>>,
}

/// Which cells are run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchFile {
    /// `full`, `linear` or `binary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<StrategyName>")]
    pub strategy: Option<Strategy>,
    /// `lower-bound` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<RestrictionName>")]
    pub restriction: Option<Restriction>,
}

/// When a cell passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SloFile {
    /// Lag must grow by less than this.
    pub lag_trend: LagTrendFile,
}

/// A threshold for the slope of lag: exactly one of the two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LagTrendFile {
    /// As a share of the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// In records per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<f64>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
#[expect(dead_code, reason = "names the strategies for the JSON Schema only")]
enum StrategyName {
    Full,
    Linear,
    Binary,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "names the restrictions for the JSON Schema only")]
enum RestrictionName {
    None,
    LowerBound,
}

/// One value, or a list of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    /// One.
    One(Box<T>),
    /// Several.
    Many(Vec<T>),
}

/// Loads as a list, or `auto`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LoadsFile {
    /// One between what each two numbers of instances handle.
    Auto(AutoName),
    /// As given.
    List(Vec<u64>),
}

/// The word `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AutoName {
    /// `auto`
    Auto,
}

/// The JSON Schema of benchmark files.
pub fn schema() -> String {
    let schema = serde_json::to_string_pretty(&schema_for!(BenchmarkFile));
    schema.map(|text| text + "\n").unwrap_or_default()
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Either<T> {
            type Value = OneOrMany<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one entry or a list of entries")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|one| OneOrMany::One(Box::new(one)))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrMany::Many)
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl<'de> Deserialize<'de> for LoadsFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = LoadsFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of loads or the word auto")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<LoadsFile, E> {
                match text {
                    "auto" => Ok(LoadsFile::Auto(AutoName::Auto)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<LoadsFile, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(LoadsFile::List)
            }
        }
        deserializer.deserialize_any(Either)
    }
}
