use super::cluster::print_json;
use crate::args::Load;
use crate::exit::{Done, Failure, Outcome};
use groma_bench::load::{LoadFile, LoadRequest};

/// Generates load and reports what was achieved.
pub(crate) fn run(arguments: Load) -> Outcome {
    let json = arguments.json.json;
    let report = groma_bench::load::run(&request(arguments)?)?;
    if json {
        return print_json(&report);
    }
    println!("{report}");
    Ok(Done::Fine)
}

fn request(arguments: Load) -> Result<LoadRequest, Failure> {
    let Load { file, rate, keys, duration, topic, partitions, cluster, json: _ } = arguments;
    let file = file.map(|path| LoadFile::read(&path)).transpose()?.unwrap_or_default();
    let duration = duration.or(file.duration).ok_or_else(|| missing("duration", "30s"))?;
    Ok(LoadRequest {
        topic: topic.or(file.topic).unwrap_or_else(|| "input".to_owned()),
        partitions: partitions.or(file.partitions).unwrap_or(12),
        rate: rate.or(file.rate).ok_or_else(|| missing("rate", "10000"))?,
        keys: keys.or(file.keys).ok_or_else(|| missing("keys", "1000"))?,
        duration_ms: duration.ms,
        bootstrap: cluster.bootstrap,
        client_config: cluster.client_config,
    })
}

fn missing(name: &str, example: &str) -> Failure {
    Failure::new(format!("--{name} is missing; give it here, as in --{name} {example}, or as `{name}:` in the file"))
}
