use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use groma_client::{ClientConfig, read_text_file};
use groma_scalability::{Instances, Load, Looks, Threshold};
use groma_streams::InstanceConfig;

use super::benchmark::{Benchmark, CommandSut, Dimension, Limits, Loads, Sut, SutKind, UseCase};
use super::bounds::{self, FIRST_LOOK_MS, LONGEST_MS, TRIES, hint};
use super::file::{BenchmarkFile, DurationFile, EngineFile, LagTrendFile, LimitsFile, LoadsFile, OneOrMany, SutFile};
use super::preset::{CPU, ERROR_ONCE, ERROR_SHARED, INSTANCES, KEYS, PARTITIONS, PERIOD_US, Preset, Times};
use super::{Duration, Size, shipped};
use crate::BenchError;
use crate::yaml::{Tree, Wrong};

/// Reads a shipped benchmark by its name, else a benchmark file by its path; `preset` replaces the file's own.
///
/// # Errors
/// One sentence with the line and the key where the text is wrong.
pub fn read(name_or_path: &str, preset: Option<Preset>) -> Result<Benchmark, BenchError> {
    let wrong = |reason| BenchError::Definition { file: name_or_path.to_owned(), reason };
    let text = match shipped::text(name_or_path) {
        Some(text) => text.to_owned(),
        None => text_of(name_or_path).map_err(|cause| BenchError::Usage(format!("{name_or_path} {cause}")))?,
    };
    parse(&text, preset).map_err(wrong)
}

fn text_of(path: &str) -> Result<String, String> {
    read_text_file(Path::new(path), FILE_BYTES_MAX).map_err(|cause| match Path::new(path).try_exists() {
        Ok(true) => cause.to_string(),
        _ => {
            let names: Vec<&str> = shipped::NAMES.iter().map(|(name, _)| *name).collect();
            format!("is neither a shipped benchmark ({}) nor a file that is there; check the path", names.join(", "))
        }
    })
}

pub(super) fn parse(text: &str, preset: Option<Preset>) -> Result<Benchmark, String> {
    if text.trim().is_empty() {
        return Err("the file is empty; a benchmark has at least a name, such as `name: uc2_fast`".to_owned());
    }
    let tree = Tree::parse(text)?;
    let file = tree.read(hint)?;
    filled(file, preset).map_err(|wrong| tree.sentence(wrong, hint))
}

fn filled(file: BenchmarkFile, preset: Option<Preset>) -> Result<Benchmark, Wrong> {
    let times = preset.or(file.preset).unwrap_or_default().times();
    let usecase = file.usecase.unwrap_or(UseCase::Uc2);
    let (warmup_ms, looks) = durations(file.duration.unwrap_or_default(), &times)?;
    let limits = limits(&file.limits.unwrap_or_default())?;
    let frame = Frame { usecase, times: &times, limits, window_ms: looks.window_ms() };
    let search = file.search.unwrap_or_default();
    let partitions = within("partitions", file.partitions.unwrap_or(PARTITIONS), &bounds::PARTITIONS)?;
    Ok(Benchmark {
        name: plain_name("name", file.name)?,
        about: file.about.unwrap_or_default(),
        suts: suts(file.sut, &frame)?,
        usecase,
        dimension: file.dimension.unwrap_or(Dimension::MessageFrequency),
        loads: loads(file.loads)?,
        instances: instances(file.instances, partitions)?,
        partitions,
        keys: within("keys", file.keys.unwrap_or(KEYS), &bounds::KEYS)?,
        skew_percent: within("skew", file.skew.unwrap_or(0), &bounds::SKEW)?,
        limits,
        warmup_ms,
        looks,
        repetitions: within("repetitions", file.repetitions.unwrap_or(1), &bounds::REPETITIONS)?,
        strategy: search.strategy.unwrap_or_default(),
        restriction: search.restriction.unwrap_or_default(),
        threshold: file.slo.map_or(Ok(times.threshold), |slo| threshold(&slo.lag_trend))?,
    })
}

/// What the settings of a system under test have to fit.
struct Frame<'a> {
    usecase: UseCase,
    times: &'a Times,
    limits: Limits,
    window_ms: u64,
}

fn suts(file: Option<OneOrMany<SutFile>>, frame: &Frame<'_>) -> Result<Vec<Sut>, Wrong> {
    let suts: Vec<Sut> = match file {
        None => vec![sut("sut", SutFile::own(), frame)?],
        Some(OneOrMany::One(one)) => vec![sut("sut", *one, frame)?],
        Some(OneOrMany::Many(many)) => {
            let listed = many.into_iter().enumerate();
            listed.map(|(index, one)| sut(&format!("sut[{index}]"), one, frame)).collect::<Result<_, _>>()?
        }
    };
    let twice =
        suts.iter().enumerate().find(|(index, sut)| suts[..*index].iter().any(|before| before.name == sut.name));
    match twice {
        _ if suts.is_empty() => Err(Wrong::unfit("sut")),
        Some((index, sut)) => {
            let sentence = format!("two systems are called {}; give one of them another `name`", sut.name);
            Err(Wrong::because(format!("sut[{index}]"), sentence))
        }
        None => Ok(suts),
    }
}

fn sut(place: &str, file: SutFile, frame: &Frame<'_>) -> Result<Sut, Wrong> {
    let at = |key: &str| format!("{place}.{key}");
    let needs = |key: &str, sentence: &str| Err(Wrong::because(at(key), sentence));
    let no = |key: &str, is_there: bool, engine: &str| match is_there {
        true => Err(Wrong::because(at(key), format!("means nothing for engine {engine}; leave it out"))),
        false => Ok(()),
    };
    let mut settings = file.settings;
    let (kind, engine) = match file.engine {
        EngineFile::Groma => {
            no("rate", file.rate.is_some(), "groma")?;
            no("command", file.command.is_some(), "groma")?;
            no("ready", file.ready.is_some(), "groma")?;
            for (key, value) in frame.times.settings(frame.usecase) {
                settings.entry(key.to_owned()).or_insert_with(|| value.to_owned());
            }
            check_settings(&at("settings"), &settings, frame)?;
            (SutKind::Groma, "groma")
        }
        EngineFile::Synthetic => {
            no("command", file.command.is_some(), "synthetic")?;
            no("ready", file.ready.is_some(), "synthetic")?;
            no("settings", !settings.is_empty(), "synthetic")?;
            let Some(rate) = file.rate else {
                return needs(
                    "rate",
                    "engine synthetic needs the records per second of one instance, such as `rate: 2000`",
                );
            };
            (SutKind::Synthetic { rate: within(at("rate"), rate, &bounds::LOADS)? }, "synthetic")
        }
        EngineFile::Command => {
            no("rate", file.rate.is_some(), "command")?;
            no("settings", !settings.is_empty(), "command")?;
            let command = file.command.unwrap_or_default();
            if command.first().is_none_or(|program| program.trim().is_empty()) {
                return needs(
                    "command",
                    "engine command needs a list of program and arguments, such as \
                     `command: [my-engine, \"{bootstrap}\"]`",
                );
            }
            if file.ready.as_ref().is_some_and(|ready| ready.trim().is_empty()) {
                return Err(Wrong::unfit(at("ready")));
            }
            (SutKind::Command(CommandSut { command, ready: file.ready }), "command")
        }
        EngineFile::KafkaStreams | EngineFile::Flink => {
            return needs("engine", "this engine is not built in; start it with `engine: command`");
        }
    };
    let name = plain_name(&at("name"), file.name.unwrap_or_else(|| engine.to_owned()))?;
    Ok(Sut { name, kind, settings })
}

/// Settings of our own instances, by the code that they themselves read them with.
fn check_settings(place: &str, settings: &BTreeMap<String, String>, frame: &Frame<'_>) -> Result<(), Wrong> {
    let usecase = frame.usecase.name().parse().map_err(|sentence: String| Wrong::because("usecase", sentence))?;
    let mut config = InstanceConfig::new(usecase, "benchmark", ClientConfig::new("127.0.0.1:9092"));
    for (key, value) in settings {
        let wrong = |sentence: String| Wrong::because(format!("{place}.{key}"), sentence);
        if FIXED.contains(&key.as_str()) {
            return Err(wrong("the benchmark sets this itself for each cell; leave it out".to_owned()));
        }
        config.set(key, value).map_err(|error| wrong(error.to_string()))?;
    }
    config.check().map_err(|error| Wrong::because(place, error.to_string()))?;
    check_memory(&config, frame.limits)?;
    let longest = std::time::Duration::from_millis(frame.window_ms);
    if config.commit > longest {
        let measured = Duration::from_ms(frame.window_ms);
        let sentence = format!(
            "{} is longer than the {measured} that are measured, so no commit would be; give a shorter `commit` or a \
             longer `duration: measure`",
            settings.get("commit").map_or("the commit interval", String::as_str)
        );
        return Err(Wrong::because(format!("{place}.commit"), sentence));
    }
    Ok(())
}

/// An instance that is allowed less memory than it touches at its start is killed there.
fn check_memory(config: &InstanceConfig, limits: Limits) -> Result<(), Wrong> {
    let Some(limit) = limits.memory_bytes else { return Ok(()) };
    let touched = config.pretouch_bytes as u64;
    if limit >= touched.saturating_add(BESIDE) {
        return Ok(());
    }
    let sentence = format!(
        "an instance touches {} at its start and needs {} beside, which is more than `limits: memory` ({}); give more \
         memory, or a smaller `memory.pretouch`",
        Size { bytes: touched },
        Size { bytes: BESIDE },
        Size { bytes: limit }
    );
    Err(Wrong::because("limits.memory", sentence))
}

fn durations(file: DurationFile, times: &Times) -> Result<(u64, Looks), Wrong> {
    let warmup_ms = file.warmup.map_or(times.warmup_ms, |d| d.ms);
    within("duration.warmup", warmup_ms, &(0..=LONGEST_MS))?;
    if let Some(measure) = file.measure {
        within("duration.measure", measure.ms, &(FIRST_LOOK_MS..=LONGEST_MS))?;
    }
    let looks_ms = match (&file.looks, file.measure) {
        (Some(looks), measure) => given_looks(looks, measure)?,
        (None, Some(measure)) => shares(&times.looks_ms, measure.ms),
        (None, None) => times.looks_ms.clone(),
    };
    let error = if looks_ms.len() > 1 { ERROR_SHARED } else { ERROR_ONCE };
    let looks = Looks::sharing(error / f64::from(TRIES), looks_ms);
    looks.map(|looks| (warmup_ms, looks)).map_err(|e| Wrong::because("duration.looks", e.to_string()))
}

fn given_looks(looks: &[Duration], measure: Option<Duration>) -> Result<Vec<u64>, Wrong> {
    let place = |index: usize| format!("duration.looks[{index}]");
    if looks.is_empty() {
        return Err(Wrong::unfit("duration.looks"));
    }
    for (index, look) in looks.iter().enumerate() {
        within(place(index), look.ms, &(FIRST_LOOK_MS..=LONGEST_MS))?;
        if let Some(measure) = measure.filter(|measure| look > measure) {
            let sentence = format!("a look at {look} lies after `measure` ({measure}); leave it out or measure longer");
            return Err(Wrong::because(place(index), sentence));
        }
    }
    rising("duration.looks", looks)?;
    let end = measure.filter(|measure| looks.last() != Some(measure));
    Ok(looks.iter().copied().chain(end).map(|look| look.ms).collect())
}

/// The looks of a preset, stretched or shrunk to end at `end_ms`; those too early for a trend fall away.
fn shares(looks_ms: &[u64], end_ms: u64) -> Vec<u64> {
    let last = looks_ms.last().copied().unwrap_or(1).max(1);
    let scaled = looks_ms.iter().map(|look| look * end_ms / last);
    scaled.filter(|look| *look >= FIRST_LOOK_MS || *look == end_ms).collect()
}

fn loads(file: Option<LoadsFile>) -> Result<Loads, Wrong> {
    let list = match file {
        None | Some(LoadsFile::Auto(_)) => return Ok(Loads::Auto),
        Some(LoadsFile::List(list)) => list,
    };
    if list.is_empty() {
        return Err(Wrong::unfit("loads"));
    }
    for (index, load) in list.iter().enumerate() {
        within(format!("loads[{index}]"), *load, &bounds::LOADS)?;
    }
    rising("loads", &list)?;
    Ok(Loads::List(list.into_iter().map(Load).collect()))
}

fn instances(file: Option<Vec<u32>>, partitions: u32) -> Result<Vec<Instances>, Wrong> {
    let counts = match file {
        Some(counts) => counts,
        None => (1..=INSTANCES.min(partitions)).collect(),
    };
    let Some(fewest) = counts.first() else { return Err(Wrong::unfit("instances")) };
    for (index, count) in counts.iter().enumerate() {
        within(format!("instances[{index}]"), *count, &bounds::INSTANCES)?;
    }
    rising("instances", &counts)?;
    if *fewest > partitions {
        let sentence = format!(
            "{fewest} or more instances are too many, as each needs a partition of its own and there are \
             {partitions}; give fewer instances or more `partitions`"
        );
        return Err(Wrong::because("instances", sentence));
    }
    Ok(counts.into_iter().map(Instances).collect())
}

fn limits(file: &LimitsFile) -> Result<Limits, Wrong> {
    let cpu = file.cpu.unwrap_or(CPU);
    let period_ms = file.period.map_or(PERIOD_US / 1000, |d| d.ms);
    within("limits.period", period_ms, &bounds::PERIOD_MS)?;
    if !(cpu > 0.0 && cpu <= bounds::CORES) {
        return Err(Wrong::unfit("limits.cpu"));
    }
    if cpu * (period_ms as f64) < 1.0 {
        let sentence = format!(
            "{cpu} core over {period_ms} ms is less than the 1 ms that the kernel can share out; give more `cpu` or a \
             longer `period`"
        );
        return Err(Wrong::because(if file.cpu.is_some() { "limits.cpu" } else { "limits.period" }, sentence));
    }
    if let Some(memory) = file.memory {
        within("limits.memory", memory.bytes, &bounds::MEMORY)?;
    }
    Ok(Limits { cpu: Some(cpu), period_us: period_ms * 1000, memory_bytes: file.memory.map(|m| m.bytes) })
}

fn threshold(file: &LagTrendFile) -> Result<Threshold, Wrong> {
    let (threshold, value, most, key) = match (file.relative, file.absolute) {
        (Some(share), None) => (Threshold::Relative(share), share, 1.0, "relative"),
        (None, Some(slope)) => (Threshold::Absolute(slope), slope, bounds::SLOPE, "absolute"),
        (Some(_), Some(_)) => {
            let sentence = "`relative` and `absolute` contradict each other; keep one of the two";
            return Err(Wrong::because("slo.lag_trend", sentence));
        }
        (None, None) => return Err(Wrong::unfit("slo.lag_trend")),
    };
    if value > 0.0 && value <= most { Ok(threshold) } else { Err(Wrong::unfit(format!("slo.lag_trend.{key}"))) }
}

fn within<T: PartialOrd>(place: impl Into<String>, value: T, range: &RangeInclusive<T>) -> Result<T, Wrong> {
    if range.contains(&value) { Ok(value) } else { Err(Wrong::unfit(place)) }
}

fn rising<T: PartialOrd + std::fmt::Display>(place: &str, values: &[T]) -> Result<(), Wrong> {
    let Some(at) = values.windows(2).position(|pair| pair[0] >= pair[1]) else { return Ok(()) };
    let (earlier, later) = (&values[at], &values[at + 1]);
    let sentence = if earlier == later {
        format!("{later} is given twice; keep one of the two")
    } else {
        format!("{later} comes after {earlier}; list them in rising order")
    };
    Err(Wrong::because(format!("{place}[{}]", at + 1), sentence))
}

fn plain_name(place: &str, name: String) -> Result<String, Wrong> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins_well && name.len() <= bounds::NAME_LETTERS && name.chars().all(plain) {
        Ok(name)
    } else {
        Err(Wrong::unfit(place))
    }
}

/// Memory of an instance beside what it touches at its start.
const BESIDE: u64 = 32 << 20;
/// Settings that a benchmark gives to each instance itself.
const FIXED: [&str; 4] = ["input", "output", "progress", "instance.id"];
/// Nobody writes more than that by hand.
const FILE_BYTES_MAX: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_enough() {
        let benchmark = parse("name: small\n", Some(Preset::Quick)).unwrap();
        assert_eq!(benchmark.warmup_ms, 3000);
        assert_eq!(benchmark.looks.window_ms(), 10_000);
        assert_eq!(benchmark.threshold, Threshold::Relative(0.03));
        assert_eq!(benchmark.suts[0].settings["window"], "5s");
    }

    #[test]
    fn what_the_file_says_wins_over_the_preset() {
        let text = "name: a\npreset: quick\nduration: {warmup: 1s, measure: 20s}\nslo: {lag_trend: {absolute: 2000}}\n\
                    sut: {engine: groma, settings: {window: 10s}}\nsearch: {strategy: full, restriction: none}\n";
        let benchmark = parse(text, Some(Preset::Paper)).unwrap();
        assert_eq!((benchmark.warmup_ms, benchmark.looks.window_ms()), (1000, 20_000));
        assert_eq!(benchmark.threshold, Threshold::Absolute(2000.0));
        assert_eq!(benchmark.suts[0].settings["window"], "10s");
    }

    #[test]
    fn counts_that_partitions_do_not_suit_are_told_before_anything_runs() {
        let warnings = |text: &str| parse(text, None).unwrap().warnings();
        assert_eq!(warnings("name: a\n"), Vec::<String>::new());
        assert_eq!(
            warnings("name: a\ninstances: [2, 5, 13]\n"),
            [
                "cells with 13 instances will be invalid: 12 partitions leave some without any; raise `partitions`",
                "12 partitions are no multiple of 5 instances: the fullest instance sets what all handle; choose \
                 `partitions` that every count divides",
            ]
        );
        assert_eq!(parse("name: a\npartitions: 3\n", None).unwrap().instances.len(), 3, "no more than there are");
    }

    #[test]
    fn several_systems_share_a_benchmark() {
        let text = "name: a\nsut: [{engine: groma}, {engine: synthetic, rate: 1000}]\nloads: [100, 200]\n";
        let benchmark = parse(text, None).unwrap();
        assert_eq!(benchmark.suts.len(), 2);
        assert_eq!(benchmark.loads, Loads::List(vec![Load(100), Load(200)]));
    }
}
