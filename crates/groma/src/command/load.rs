use super::cluster::print_json;
use crate::args::Load;
use crate::exit::{Done, Failure, Outcome};
use groma_bench::load::{Generated, LoadFile, LoadRequest};
use groma_bench::{BenchError, Screen};

/// Generates load and reports what was achieved.
pub(crate) fn run(arguments: Load, screen: Screen) -> Outcome {
    let json = arguments.json.json;
    let request = request(arguments)?;
    let address = &request.bootstrap;
    let Generated { report, is_interrupted } = match groma_bench::load::run(&request, screen) {
        Err(BenchError::Interrupted) => return Ok(Done::Interrupted),
        generated => generated?,
    };
    if json {
        print_json(&report)?;
    } else {
        println!("{report}");
    }
    let missing = report.asked_records.saturating_sub(report.achieved_records);
    if missing > 0 && !is_interrupted {
        eprintln!(
            "groma: {missing} of {} records were not written to {address} in time: look at the Kafka, or ask for a lower \
             --rate",
            report.asked_records
        );
        return Ok(Done::Short);
    }
    Ok(if is_interrupted { Done::Interrupted } else { Done::Fine })
}

fn request(arguments: Load) -> Result<LoadRequest, Failure> {
    let Load { file, rate, keys, duration, topic, partitions, skew, cluster, json: _ } = arguments;
    let file = file.map(|path| LoadFile::read(&path)).transpose()?.unwrap_or_default();
    let duration = duration.or(file.duration).ok_or_else(|| missing("duration", "30s"))?;
    Ok(LoadRequest {
        topic: topic.or(file.topic).unwrap_or_else(|| "input".to_owned()),
        partitions: partitions.or(file.partitions).unwrap_or(12),
        rate: rate.or(file.rate).ok_or_else(|| missing("rate", "10000"))?,
        keys: keys.or(file.keys).ok_or_else(|| missing("keys", "1000"))?,
        duration_ms: duration.ms,
        skew_percent: skew.or(file.skew).unwrap_or(0),
        bootstrap: cluster.addresses()?,
        client_config: cluster.client_config,
    })
}

fn missing(name: &str, example: &str) -> Failure {
    Failure::new(format!("--{name} is missing; give it here, as in --{name} {example}, or as `{name}:` in the file"))
}
