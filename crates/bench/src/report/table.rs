use std::fmt::Write;

use groma_scalability::{Instances, Load, Threshold};

use super::number::{grouped, percent, span};
use crate::results::{DemandRow, Document, Run, VerdictName};

/// The demand table of each run, for a terminal.
pub fn text(document: &Document) -> String {
    document.runs.iter().map(run_text).collect::<Vec<_>>().join("\n")
}

fn run_text(run: &Run) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} on {}: {}", run.benchmark.to_uppercase(), run.sut, terms(run));
    let _ = write!(text, "{:>14} {:>9}  ", run.unit, "demand");
    for count in &run.resources {
        let _ = write!(text, "{:>6}", format!("x{count}"));
    }
    text.push('\n');
    for row in &run.demand {
        let _ = write!(text, "{:>14} {:>9}  ", grouped(row.load.per_second()), demand_text(row, run));
        for &count in &run.resources {
            let _ = write!(text, "{:>6}", square(run, row.load, count));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}", footing(run));
    text
}

fn terms(run: &Run) -> String {
    let threshold = match run.threshold {
        Threshold::Relative(share) => format!("{} of the load", percent(share)),
        Threshold::Absolute(slope) => format!("{} records/s", grouped(slope)),
    };
    let quota = run.quota_cores.map_or_else(|| "no limit".to_owned(), |q| format!("{q} core per instance"));
    let capacity = run.calibrated_per_s.map(|c| format!(", one instance drains {} records/s", grouped(c)));
    format!("instances needed so that lag grows by less than {threshold} ({quota}{})", capacity.unwrap_or_default())
}

fn demand_text(row: &DemandRow, run: &Run) -> String {
    let most = run.resources.iter().map(|r| r.0).max().unwrap_or(0);
    let name = |count: Option<Instances>| count.map_or_else(|| format!(">{most}"), |c| c.to_string());
    if row.low == row.high { name(row.resources) } else { format!("{}..{}", name(row.low), name(row.high)) }
}

fn square(run: &Run, load: Load, resources: Instances) -> &'static str {
    let tested = run.cells.iter().rfind(|c| c.load == load && c.resources == resources).map(|c| c.verdict);
    let implied = run.implied.iter().find(|c| c.load == load && c.resources == resources).map(|c| c.verdict);
    match (tested, implied) {
        (Some(VerdictName::Pass), _) => "pass",
        (Some(VerdictName::Fail), _) => "FAIL",
        (Some(VerdictName::Undecided), _) => "open",
        (Some(VerdictName::Invalid), _) => "inval",
        (None, Some(VerdictName::Pass)) => "(p)",
        (None, Some(VerdictName::Fail)) => "(F)",
        (None, _) => "-",
    }
}

fn footing(run: &Run) -> String {
    let decided = run.cells.iter().filter(|c| matches!(c.verdict, VerdictName::Pass | VerdictName::Fail)).count();
    let mut text = format!(
        "{decided} of {} cells decided, {} implied (in brackets), {}",
        run.cells.len(),
        run.implied.len(),
        span(run.elapsed_ms / 1000 * 1000)
    );
    for cell in &run.cells {
        let doubts = cell.cause.iter().chain(&cell.warnings);
        for doubt in doubts {
            let _ = write!(text, "\n  note: {} on {}: {doubt}", grouped(cell.load.per_second()), cell.resources);
        }
    }
    text
}
