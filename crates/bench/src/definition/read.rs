use std::collections::BTreeMap;
use std::path::Path;

use groma_scalability::{Instances, Load, Looks, Threshold};

use super::benchmark::{Benchmark, CommandSut, Dimension, Limits, Loads, Sut, SutKind, UseCase};
use super::file::{BenchmarkFile, DurationFile, EngineFile, LagTrendFile, LimitsFile, LoadsFile, OneOrMany, SutFile};
use super::preset::{CPU, ERROR_ONCE, ERROR_SHARED, INSTANCES, KEYS, PARTITIONS, PERIOD_US, Preset, Times};
use super::shipped;
use crate::BenchError;

/// Reads a shipped benchmark by its name, else a benchmark file by its path; `preset` replaces the file's own.
///
/// # Errors
/// One sentence with the line where the text is wrong.
pub fn read(name_or_path: &str, preset: Option<Preset>) -> Result<Benchmark, BenchError> {
    let text = match shipped::text(name_or_path) {
        Some(text) => text.to_owned(),
        None => std::fs::read_to_string(name_or_path).map_err(|e| missing(name_or_path, &e))?,
    };
    parse(&text, preset).map_err(|reason| BenchError::Definition { file: name_or_path.to_owned(), reason })
}

fn missing(name_or_path: &str, e: &std::io::Error) -> BenchError {
    let names: Vec<&str> = shipped::NAMES.iter().map(|(name, _)| *name).collect();
    let reason = if Path::new(name_or_path).extension().is_some() {
        format!("cannot be read ({e})")
    } else {
        format!("is neither a shipped benchmark ({}) nor a file that can be read ({e})", names.join(", "))
    };
    BenchError::Definition { file: name_or_path.to_owned(), reason }
}

/// What is wrong with a YAML text and where, with the line itself in the place of an excerpt that says it again.
pub(crate) fn sentence(error: &serde_saphyr::Error, text: &str) -> String {
    let whole = error.to_string();
    let first = whole.lines().next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let number = error.location().and_then(|location| usize::try_from(location.line()).ok()).unwrap_or(0);
    match number.checked_sub(1).and_then(|index| text.lines().nth(index)) {
        Some(line) if !line.trim().is_empty() => format!("{first}, in `{}`", line.trim()),
        _ => first.to_owned(),
    }
}

pub(super) fn parse(text: &str, preset: Option<Preset>) -> Result<Benchmark, String> {
    if text.trim().is_empty() {
        return Err("is empty; a benchmark has at least a `name`".to_owned());
    }
    let file: BenchmarkFile = serde_saphyr::from_str(text).map_err(|e| sentence(&e, text))?;
    let times = preset.or(file.preset).unwrap_or_default().times();
    let suts = suts(&file, &times)?;
    let (warmup_ms, looks) = durations(file.duration.unwrap_or_default(), &times)?;
    let search = file.search.unwrap_or_default();
    let benchmark = Benchmark {
        about: file.about.unwrap_or_default(),
        suts,
        usecase: file.usecase.unwrap_or(UseCase::Uc2),
        dimension: file.dimension.unwrap_or(Dimension::MessageFrequency),
        loads: loads(file.loads),
        instances: instances(file.instances),
        partitions: positive("partitions", file.partitions.unwrap_or(PARTITIONS))?,
        keys: positive("keys", file.keys.unwrap_or(KEYS))?,
        skew_percent: skew(file.skew.unwrap_or(0))?,
        limits: limits(&file.limits.unwrap_or_default())?,
        warmup_ms,
        looks,
        repetitions: file.repetitions.unwrap_or(1),
        strategy: search.strategy.unwrap_or_default(),
        restriction: search.restriction.unwrap_or_default(),
        threshold: file.slo.map_or(Ok(times.threshold), |slo| threshold(&slo.lag_trend))?,
        name: plain_name("name", file.name)?,
    };
    check_grid(&benchmark)?;
    Ok(benchmark)
}

fn suts(file: &BenchmarkFile, times: &Times) -> Result<Vec<Sut>, String> {
    let own = SutFile {
        engine: EngineFile::Groma,
        name: None,
        settings: BTreeMap::new(),
        command: Vec::new(),
        ready: None,
        rate: None,
    };
    let listed = match &file.sut {
        None => vec![&own],
        Some(OneOrMany::One(one)) => vec![&**one],
        Some(OneOrMany::Many(many)) => many.iter().collect(),
    };
    let suts: Vec<Sut> = listed.into_iter().map(|sut| self::sut(sut, times)).collect::<Result<_, _>>()?;
    let mut names: Vec<&str> = suts.iter().map(|s| s.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        _ if suts.is_empty() => Err("sut: the list is empty; name at least one engine".to_owned()),
        Some(pair) => Err(format!("sut: two systems are called {}; give one of them another `name`", pair[0])),
        None => Ok(suts),
    }
}

fn sut(file: &SutFile, times: &Times) -> Result<Sut, String> {
    let (kind, engine) = match file.engine {
        EngineFile::Groma => (SutKind::Groma, "groma"),
        EngineFile::Synthetic => {
            let rate = file
                .rate
                .filter(|r| *r > 0)
                .ok_or("sut: engine synthetic needs `rate`, the records per second of one instance")?;
            (SutKind::Synthetic { rate }, "synthetic")
        }
        EngineFile::Command if file.command.is_empty() => {
            return Err("sut: engine command needs `command`, a list of program and arguments".to_owned());
        }
        EngineFile::Command => {
            let command = CommandSut { command: file.command.clone(), ready: file.ready.clone() };
            (SutKind::Command(command), "command")
        }
        EngineFile::KafkaStreams | EngineFile::Flink => {
            return Err("sut: this engine is not built in; start it with engine: command".to_owned());
        }
    };
    let mut settings = file.settings.clone();
    if kind == SutKind::Groma {
        for (key, value) in times.window_and_commit {
            settings.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        }
    }
    let name = plain_name("sut name", file.name.clone().unwrap_or_else(|| engine.to_owned()))?;
    Ok(Sut { name, kind, settings })
}

fn skew(percent: u32) -> Result<u32, String> {
    if percent <= 100 { Ok(percent) } else { Err(format!("skew: {percent} is no share of a hundred; use 0 to 100")) }
}

fn durations(file: DurationFile, times: &Times) -> Result<(u64, Looks), String> {
    let warmup_ms = file.warmup.map_or(times.warmup_ms, |d| d.ms);
    let mut looks_ms = match (file.looks, &file.measure) {
        (Some(looks), _) => looks.iter().map(|d| d.ms).collect(),
        (None, Some(measure)) => shares(&times.looks_ms, measure.ms),
        (None, None) => times.looks_ms.clone(),
    };
    if let Some(measure) = file.measure {
        match looks_ms.last() {
            Some(last) if *last > measure.ms => {
                return Err(format!("duration: a look at {last} ms lies after `measure` ({measure})"));
            }
            Some(last) if *last == measure.ms => {}
            _ => looks_ms.push(measure.ms),
        }
    }
    let error = if looks_ms.len() > 1 { ERROR_SHARED } else { ERROR_ONCE };
    if let Some(first) = looks_ms.first().filter(|first| **first < SHORTEST_MS) {
        return Err(format!("duration: a first look at {first} ms is too early for 40 samples; use 4s or more"));
    }
    Looks::sharing(error, looks_ms).map(|looks| (warmup_ms, looks)).map_err(|e| format!("duration: {e}"))
}

/// The looks of a preset, stretched or shrunk to end at `end_ms`; those too early for a trend fall away.
fn shares(looks_ms: &[u64], end_ms: u64) -> Vec<u64> {
    let last = looks_ms.last().copied().unwrap_or(1).max(1);
    let scaled = looks_ms.iter().map(|look| look * end_ms / last);
    scaled.filter(|look| *look >= SHORTEST_MS || *look == end_ms).collect()
}

fn loads(file: Option<LoadsFile>) -> Loads {
    match file {
        None | Some(LoadsFile::Auto(_)) => Loads::Auto,
        Some(LoadsFile::List(list)) => Loads::List(list.into_iter().map(Load).collect()),
    }
}

fn instances(file: Option<Vec<u32>>) -> Vec<Instances> {
    let mut counts: Vec<u32> = file.unwrap_or_else(|| (1..=INSTANCES).collect());
    counts.sort_unstable();
    counts.dedup();
    counts.into_iter().map(Instances).collect()
}

fn limits(file: &LimitsFile) -> Result<Limits, String> {
    let cpu = file.cpu.unwrap_or(CPU);
    let period_us = file.period.map_or(PERIOD_US, |d| d.ms * 1000);
    if !(cpu > 0.0 && cpu <= 1024.0) {
        return Err(format!("limits: cpu must be a number of cores above 0, not {cpu}"));
    }
    if !(1000..=1_000_000).contains(&period_us) {
        return Err("limits: period must be between 1ms and 1s".to_owned());
    }
    if cpu * (period_us as f64) < 1000.0 {
        return Err(format!(
            "limits: {cpu} core over {} ms is less than the 1 ms that the kernel can share out; lengthen `period`",
            period_us / 1000
        ));
    }
    Ok(Limits { cpu: Some(cpu), period_us, memory_bytes: file.memory.map(|m| m.bytes) })
}

fn threshold(file: &LagTrendFile) -> Result<Threshold, String> {
    let threshold = match (file.relative, file.absolute) {
        (Some(share), None) => Threshold::Relative(share),
        (None, Some(slope)) => Threshold::Absolute(slope),
        _ => return Err("slo: lag_trend needs either `relative` or `absolute`".to_owned()),
    };
    let (Threshold::Relative(value) | Threshold::Absolute(value)) = threshold;
    if value > 0.0 && value.is_finite() { Ok(threshold) } else { Err("slo: lag_trend must be above 0".to_owned()) }
}

fn positive(name: &str, value: u32) -> Result<u32, String> {
    if value == 0 { Err(format!("{name} must be above 0")) } else { Ok(value) }
}

fn plain_name(what: &str, name: String) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    if !name.is_empty() && name.len() <= 60 && name.chars().all(plain) {
        Ok(name)
    } else {
        Err(format!("{what} `{name}` may hold only letters, digits, `.` and `_`, at most 60"))
    }
}

fn check_grid(benchmark: &Benchmark) -> Result<(), String> {
    let loads = match &benchmark.loads {
        Loads::Auto => vec![Load(1)],
        Loads::List(loads) => loads.clone(),
    };
    benchmark.grid(loads).map(|_| ()).map_err(|e| e.to_string())
}

/// The earliest look that ten samples a second can serve.
const SHORTEST_MS: u64 = 4000;

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse(text, None).expect_err(text)
    }

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
    fn an_unknown_key_is_refused_with_its_line() {
        let message = refused("name: a\nusecase: uc2\nwarmpu: 3s\n");
        assert!(message.contains("warmpu") && message.contains('3'), "{message}");
    }

    #[test]
    fn contradictions_are_refused_in_words() {
        let cases = [
            ("name: a b\n", "may hold only letters"),
            ("name: a\nsut: {engine: synthetic}\n", "needs `rate`"),
            ("name: a\nsut: {engine: command}\n", "needs `command`"),
            ("name: a\nsut: {engine: flink}\n", "engine: command"),
            ("name: a\nsut: []\n", "the list is empty"),
            ("name: a\nsut: [{engine: groma}, {engine: groma}]\n", "another `name`"),
            ("name: a\nloads: []\n", "at least one load"),
            ("name: a\nloads: most\n", "auto"),
            ("name: a\ninstances: [0]\n", "above 0"),
            ("name: a\npartitions: 0\n", "partitions must be above 0"),
            ("name: a\nlimits: {cpu: 0.01}\n", "lengthen `period`"),
            ("name: a\nslo: {lag_trend: {}}\n", "either `relative` or `absolute`"),
            ("name: a\nduration: {measure: 3s}\n", "too early"),
            ("name: a\nduration: {measure: 5}\n", "duration"),
        ];
        for (text, part) in cases {
            let message = refused(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn several_systems_share_a_benchmark() {
        let text = "name: a\nsut: [{engine: groma}, {engine: synthetic, rate: 1000}]\nloads: [100, 200]\n";
        let benchmark = parse(text, None).unwrap();
        assert_eq!(benchmark.suts.len(), 2);
        assert_eq!(benchmark.loads, Loads::List(vec![Load(100), Load(200)]));
    }
}
