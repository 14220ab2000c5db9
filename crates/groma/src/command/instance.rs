use super::cluster::on_this_thread;
use crate::args::Instance;
use crate::exit::{Done, Failure, Outcome};
use crate::group::InstanceTrace;
use groma_bench::{Asked, Interrupt};
use groma_streams::{Instance as Engine, InstanceConfig, InstanceError, Notice, UseCase};
use std::fmt::Arguments;
use std::io::Write;

/// Runs one engine instance until it is asked to stop. Ctrl-C interrupts it; by SIGTERM or SIGHUP whoever started it ends
/// it in the ordinary way.
pub(crate) fn run(arguments: Instance) -> Outcome {
    let trace_file = arguments.trace.clone();
    let config = config(arguments)?;
    let mut trace = trace_file.map(|file| InstanceTrace::open(&file, &config.group, &config.input)).transpose()?;
    let interrupt = Interrupt::listen()?;
    let notify = |notice: Notice| {
        trace.iter_mut().for_each(|trace| trace.note(&notice));
        tell(&notice);
    };
    let ended = on_this_thread(Engine::run(config, interrupt.wait(), notify))?;
    match (ended, interrupt.asked()) {
        (Err(error @ InstanceError::Unfinished { .. }), Some(Asked::CtrlC)) => {
            say(format_args!("groma: {error}"));
            Ok(Done::Interrupted)
        }
        (Err(error), _) => Err(error.into()),
        (Ok(summary), asked) => {
            trace.iter_mut().for_each(InstanceTrace::left);
            say(format_args!(
                "stopped after {} records, {} late, {} left out, {} flushes",
                summary.records, summary.late, summary.rejected, summary.flushes
            ));
            Ok(if asked == Some(Asked::CtrlC) { Done::Interrupted } else { Done::Fine })
        }
    }
}

fn config(arguments: Instance) -> Result<InstanceConfig, Failure> {
    let Instance { usecase, group, settings, cluster, trace: _ } = arguments;
    let use_case: UseCase = usecase.parse().map_err(|sentence: String| Failure::new(sentence))?;
    let properties = cluster.properties()?;
    let named = properties.group.as_ref().map(|membership| membership.group.as_str().to_owned());
    let group = group.or(named).unwrap_or_else(|| format!("groma-{}", use_case.name()));
    let mut config = InstanceConfig::new(use_case, group, properties.client.clone());
    config.adopt(&properties)?;
    for (key, value) in settings {
        config.set(&key, &value)?;
    }
    config.check()?;
    Ok(config)
}

fn tell(notice: &Notice) {
    match notice {
        Notice::Ready => {
            println!("ready");
            let _ = std::io::stdout().flush();
        }
        Notice::Step(_) | Notice::Reached(_) | Notice::Revoking(_) => {}
        notice => say(format_args!("{notice}")),
    }
}

/// Nobody may be there to read it: the terminal may be gone while there is still something to flush.
fn say(text: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
