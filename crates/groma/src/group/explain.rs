use std::path::{Path, PathBuf};

use groma_explain::{Fact, Source, Timeline, What, plain, read, text};

use super::answers::answers;
use super::collect::Collector;
use super::page;
use crate::args::GroupExplain;
use crate::command::{block_on, print_json};
use crate::exit::{Done, Failure, Outcome};

/// Tells what happened in a group.
pub(crate) fn explain(asked: &GroupExplain) -> Outcome {
    let facts = from_traces(&asked.traces)?;
    let whole = facts.iter().any(|fact| matches!(fact.what, What::Generation { .. } | What::Seen { .. }));
    let timeline = if whole {
        if !facts.iter().any(|fact| fact.group == asked.group) {
            return Err(unknown_in_trace(&asked.group, &facts));
        }
        Timeline::of(&facts, &asked.group)
    } else {
        from_cluster(asked, facts)?
    };
    if let Some(file) = &asked.html {
        std::fs::write(file, page::html(&timeline)).map_err(|error| unwritable(file, &error))?;
    }
    if asked.json.json {
        return print_json(&timeline);
    }
    print!("{}", text(&timeline));
    if let Some(file) = &asked.html {
        println!("\n{}", file.display());
    }
    Ok(Done::Fine)
}

fn from_traces(files: &[PathBuf]) -> Result<Vec<Fact>, Failure> {
    let mut facts = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| {
            Failure::new(format!("{}: {error}; give a trace that `groma group watch --trace` wrote", file.display()))
        })?;
        facts.extend(read(&text).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?);
    }
    Ok(facts)
}

/// Members' traces do not tell of the group as a whole, so the cluster is asked beside them.
fn from_cluster(asked: &GroupExplain, told: Vec<Fact>) -> Result<Timeline, Failure> {
    let mut timeline = None;
    block_on(async {
        let mut collector = Collector::open(&asked.cluster, &asked.group).await?;
        let mut facts = collector.history().await;
        facts.extend(told);
        collector.look(&mut facts).await?;
        let known = facts.iter().any(|fact| fact.source != Source::Poll);
        if !known && is_unknown(&facts) {
            return Err(asked.cluster.knows_no_group(&asked.group));
        }
        collector.missing.iter().for_each(|missing| eprintln!("{}", plain(missing)));
        let first = Timeline::of(&facts, &asked.group);
        facts.extend(answers(&collector.admin, &first).await?);
        timeline = Some(Timeline::of(&facts, &asked.group));
        Ok(Done::Fine)
    })?;
    timeline.ok_or_else(|| Failure::new("nothing was collected"))
}

fn is_unknown(facts: &[Fact]) -> bool {
    let dead = |fact: &Fact| matches!(&fact.what, What::Seen { state, .. } if state == "Dead");
    let commits = |fact: &Fact| matches!(&fact.what, What::Committed { offsets } if !offsets.is_empty());
    facts.iter().any(dead) && !facts.iter().any(commits)
}

fn unknown_in_trace(group: &str, facts: &[Fact]) -> Failure {
    let mut groups: Vec<&str> = facts.iter().map(|fact| fact.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    let there = if groups.is_empty() { "it is empty".to_owned() } else { format!("it tells of {}", groups.join(", ")) };
    Failure::new(format!("the trace does not tell of group `{group}`; {there}"))
}

/// A file that cannot be written.
pub(crate) fn unwritable(file: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write {} ({error}); choose a file in a folder that may be written to", file.display()))
}
