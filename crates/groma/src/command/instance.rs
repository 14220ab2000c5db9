use crate::args::Instance;
use crate::exit::{Done, Failure, Outcome};
use groma_streams::{Instance as Engine, InstanceConfig, Notice, UseCase};
use std::io::Write;

/// Runs one engine instance until it is asked to stop.
pub(crate) fn run(arguments: Instance) -> Outcome {
    let summary = Engine::foreground(config(arguments)?, tell)?;
    eprintln!(
        "stopped after {} records, {} late, {} left out, {} flushes",
        summary.records, summary.late, summary.rejected, summary.flushes
    );
    Ok(Done::Fine)
}

fn config(arguments: Instance) -> Result<InstanceConfig, Failure> {
    let Instance { usecase, group, settings, cluster } = arguments;
    let use_case: UseCase = usecase.parse().map_err(|sentence: String| Failure::new(sentence))?;
    let group = group.unwrap_or_else(|| format!("groma-{}", use_case.name()));
    let mut config = InstanceConfig::new(use_case, group, cluster.properties()?.client);
    for (key, value) in settings {
        config.set(&key, &value)?;
    }
    config.check()?;
    Ok(config)
}

fn tell(notice: Notice) {
    if matches!(notice, Notice::Ready) {
        println!("ready");
        let _ = std::io::stdout().flush();
    } else {
        eprintln!("{notice}");
    }
}
