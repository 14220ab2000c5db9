//! What the values of a benchmark file may be, and why not more.

use std::ops::RangeInclusive;

use crate::yaml::Hint;

/// A generator process sends a million records per second; more than twenty of them is nothing for one machine.
pub(crate) const LOADS: RangeInclusive<u64> = 1..=20_000_000;
/// Each instance is a process.
pub(super) const INSTANCES: RangeInclusive<u32> = 1..=1000;
/// The ends of all partitions are asked for ten times a second.
pub(crate) const PARTITIONS: RangeInclusive<u32> = 1..=10_000;
/// Each generator process keeps no more than a number per key, but keys are numbered in 32 bits.
pub(crate) const KEYS: RangeInclusive<u32> = 1..=1_000_000_000;
/// Records of a hundred.
pub(crate) const SKEW: RangeInclusive<u32> = 0..=100;
/// Every repetition is a cell of its own.
pub(super) const REPETITIONS: RangeInclusive<u32> = 1..=100;
/// More cores than any machine has.
pub(super) const CORES: f64 = 1024.0;
/// The kernel shares out no shorter and no longer periods.
pub(super) const PERIOD_MS: RangeInclusive<u64> = 1..=1000;
/// A process needs a few MiB to start at all; no machine has more than a TiB to give to one.
pub(super) const MEMORY: RangeInclusive<u64> = 16 << 20..=1 << 40;
/// No cell is worth more than a day.
pub(crate) const LONGEST_MS: u64 = 24 * 3_600_000;
/// The earliest look that ten samples a second can serve: 40 samples.
pub(super) const FIRST_LOOK_MS: u64 = 4000;
/// So often a cell is measured at most; each time has its share of the error that is allowed.
pub(crate) const TRIES: u32 = 3;
/// A slope in records per second.
pub(super) const SLOPE: f64 = 1e9;
/// Names are parts of the names of files and topics.
pub(super) const NAME_LETTERS: usize = 60;

/// What each key of a benchmark file takes.
pub(crate) fn hint(place: &str) -> Option<Hint> {
    let (wanted, example) = match place {
        "name" => (NAME.to_owned(), "name: uc2_fast"),
        "about" => ("a line of text".to_owned(), "about: averages of 10,000 sensors"),
        "preset" => ("default, quick or paper".to_owned(), "preset: quick"),
        "usecase" => ("uc1 or uc2".to_owned(), "usecase: uc2"),
        "dimension" => ("message-frequency or keys".to_owned(), "dimension: message-frequency"),
        "loads" => (
            format!("a rising list of records per second, each {}, or the word auto", whole(LOADS)),
            "loads: [1000, 2000, 4000]",
        ),
        "instances" => {
            (format!("a rising list of numbers of instances, each {}", whole(INSTANCES)), "instances: [1, 2, 4]")
        }
        "partitions" => (whole(PARTITIONS), "partitions: 12"),
        "keys" => (whole(KEYS), "keys: 10000"),
        "skew" => (format!("{}, records of a hundred", whole(SKEW)), "skew: 20"),
        "repetitions" => (whole(REPETITIONS), "repetitions: 3"),
        _ => return hint_below(place),
    };
    Some(Hint { wanted, example })
}

fn hint_below(place: &str) -> Option<Hint> {
    let (wanted, example) = match place {
        "sut" => ("an engine or a list of them".to_owned(), "sut: {engine: groma}"),
        "sut.engine" => ("groma, synthetic or command".to_owned(), "engine: groma"),
        "sut.name" => (NAME.to_owned(), "name: small_window"),
        "sut.rate" => (format!("the records per second of one instance, {}", whole(LOADS)), "rate: 2000"),
        "sut.command" => ("a list of program and arguments".to_owned(), "command: [my-engine, \"{bootstrap}\"]"),
        "sut.ready" => ("the line by which an instance says that it is ready".to_owned(), "ready: started"),
        "sut.settings" => ("settings of an instance by their names".to_owned(), "settings: {window: 5s}"),
        "limits" => ("cpu, period or memory".to_owned(), "limits: {cpu: 0.05, period: 20ms}"),
        "limits.cpu" => (format!("a number of cores above 0 and at most {CORES}"), "cpu: 0.05"),
        "limits.period" => ("a duration from 1ms to 1s".to_owned(), "period: 20ms"),
        "limits.memory" => ("a size from 16MiB to 1024GiB".to_owned(), "memory: 512MiB"),
        "duration" => ("warmup, measure or looks".to_owned(), "duration: {warmup: 3s, measure: 10s}"),
        "duration.warmup" => ("a duration from 0s to 24h".to_owned(), "warmup: 3s"),
        "duration.measure" => ("a duration from 4s (40 samples) to 24h".to_owned(), "measure: 10s"),
        "duration.looks" => {
            ("a rising list of durations from 4s (40 samples) to 24h".to_owned(), "looks: [4s, 6s, 8s, 10s]")
        }
        "search" => ("strategy or restriction".to_owned(), "search: {strategy: linear, restriction: lower-bound}"),
        "search.strategy" => ("full, linear or binary".to_owned(), "strategy: linear"),
        "search.restriction" => ("lower-bound or none".to_owned(), "restriction: lower-bound"),
        "slo" => ("lag_trend".to_owned(), "slo: {lag_trend: {relative: 0.01}}"),
        "slo.lag_trend" => ("either relative or absolute".to_owned(), "lag_trend: {relative: 0.01}"),
        "slo.lag_trend.relative" => ("a share of the load above 0 and at most 1".to_owned(), "relative: 0.01"),
        "slo.lag_trend.absolute" => {
            ("records per second above 0 and at most 1,000,000,000".to_owned(), "absolute: 2000")
        }
        _ if place.starts_with("sut.settings.") => ("a word or a number".to_owned(), "window: 5s"),
        _ => return None,
    };
    Some(Hint { wanted, example })
}

/// A range for people.
pub fn whole<T: Into<u64> + Copy>(range: RangeInclusive<T>) -> String {
    let number = |end: &T| crate::tables::grouped((*end).into());
    format!("a whole number from {} to {}", number(range.start()), number(range.end()))
}

const NAME: &str = "letters, digits, `.` and `_`, the first a letter or digit, at most 60";
