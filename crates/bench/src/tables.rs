//! What measuring commands print for people.

use std::fmt::Write;

use groma_scalability::Instances;

use crate::Plan;
use crate::definition::{Benchmark, Loads, Sut, SutKind};
use crate::results::{DemandRow, Document, Run, VALIDITY, VerdictName};

/// Known answers, compared.
pub(crate) struct Compared {
    pub(crate) text: String,
    pub(crate) wrong: usize,
}

/// The demand tables of all runs.
pub(crate) fn demand(document: &Document) -> String {
    document.runs.iter().map(demand_of).collect::<Vec<_>>().join("\n")
}

/// Whether each run found the demand that follows from the rate of one instance.
pub(crate) fn known_answer(document: &Document, sut: &Sut) -> Compared {
    let rate = match sut.kind {
        SutKind::Synthetic { rate } => rate,
        SutKind::Groma | SutKind::Command(_) => 1,
    };
    let mut compared = Compared { text: String::new(), wrong: 0 };
    for run in &document.runs {
        let wrong: Vec<String> = run.demand.iter().filter_map(|row| mistake(row, rate)).collect();
        let loads = run.demand.len();
        let verdict = if wrong.is_empty() { "all right".to_owned() } else { wrong.join("; ") };
        let _ = writeln!(compared.text, "{}: {} of {loads} demands right, {verdict}", run.run, loads - wrong.len());
        compared.wrong += wrong.len();
    }
    compared
}

/// What `bench plan` says.
pub(crate) fn plan(benchmark: &Benchmark, plan: &Plan) -> String {
    let loads = match &benchmark.loads {
        Loads::Auto => "one between what each two numbers of instances handle, which is measured first".to_owned(),
        Loads::List(loads) => format!("{} records/s", joined(loads)),
    };
    let warnings: String = plan.warnings.iter().map(|warning| format!("warning    {warning}\n")).collect();
    format!(
        "{}: {}\nloads      {loads}\ninstances  {}\ncells      {} to {}, {} repetition(s) each\ntime       {} to {}\n{warnings}",
        benchmark.name,
        benchmark.about,
        joined(&benchmark.instances),
        plan.cells_min,
        plan.cells_max,
        benchmark.repetitions,
        time(plan.elapsed_min_ms),
        time(plan.elapsed_max_ms)
    )
}

fn demand_of(run: &Run) -> String {
    let doubt = run.configuration.get(VALIDITY).map(|doubt| format!("; {doubt}")).unwrap_or_default();
    let mut text = format!("{} on {}, {}{doubt}\n", run.benchmark, run.sut, run.limit);
    let _ = writeln!(text, "{:>14}  {:>9}  cells (instances: verdict)", run.unit, "instances");
    let most = run.resources.last().copied().unwrap_or(Instances(0));
    for row in &run.demand {
        let cells: Vec<String> = run
            .cells
            .iter()
            .filter(|cell| cell.load == row.load)
            .map(|cell| format!("{}: {}", cell.resources, verdict(cell.verdict)))
            .collect();
        let _ = writeln!(text, "{:>14}  {:>9}  {}", grouped(row.load.0), needed(most, row), cells.join(", "));
    }
    text
}

fn needed(most: Instances, row: &DemandRow) -> String {
    match (row.resources, row.high) {
        (Some(resources), Some(high)) if high != resources => format!("{resources} to {high}"),
        (Some(resources), _) => resources.to_string(),
        (None, Some(high)) => format!("up to {high}"),
        (None, None) => row.low.map_or_else(|| format!("over {most}"), |low| format!("{low} or more")),
    }
}

fn mistake(row: &DemandRow, rate: u64) -> Option<String> {
    let right = u32::try_from(row.load.0.div_ceil(rate)).unwrap_or(u32::MAX);
    (row.resources != Some(Instances(right))).then(|| {
        let found = row.resources.map_or_else(|| "none".to_owned(), |found| found.to_string());
        format!("{} records/s need {right}, found {found}", row.load)
    })
}

const fn verdict(name: VerdictName) -> &'static str {
    match name {
        VerdictName::Pass => "pass",
        VerdictName::Fail => "fail",
        VerdictName::Undecided => "undecided",
        VerdictName::Invalid => "invalid",
    }
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn time(ms: u64) -> String {
    match ms / 1000 {
        s if s < 120 => format!("{s} s"),
        s if s < 7200 => format!("{} min", s.div_ceil(60)),
        s => format!("{:.1} h", s as f64 / 3600.0),
    }
}

pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_scalability::Load;

    #[test]
    fn a_wrong_demand_is_named_with_the_right_one() {
        let row = |resources| DemandRow { load: Load(2800), resources, low: resources, high: resources };
        assert_eq!(mistake(&row(Some(Instances(2))), 2000), None);
        assert_eq!(mistake(&row(Some(Instances(1))), 2000).as_deref(), Some("2800 records/s need 2, found 1"));
        assert_eq!(mistake(&row(None), 2000).as_deref(), Some("2800 records/s need 2, found none"));
    }

    #[test]
    fn an_open_demand_is_not_told_as_too_much() {
        let most = Instances(4);
        let row = |low, high| DemandRow { load: Load(1), resources: None, low, high };
        assert_eq!(needed(most, &row(None, None)), "over 4");
        assert_eq!(needed(most, &row(Some(Instances(2)), None)), "2 or more");
        assert_eq!(needed(most, &row(Some(Instances(2)), Some(Instances(3)))), "up to 3");
    }

    #[test]
    fn numbers_and_times_are_written_for_people() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(time(90_000), "90 s");
        assert_eq!(time(42_120_000), "11.7 h");
    }
}
