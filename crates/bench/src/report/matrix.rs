use groma_scalability::{Instances, Load};
use maud::{Markup, html};

use super::number::{short, signed_percent};
use crate::results::{CellRow, Run, VerdictName};

/// Loads across, instances upwards: the verdict of each cell and how it is known.
pub(super) fn matrix(run: &Run) -> Markup {
    let resources: Vec<Instances> = run.resources.iter().rev().copied().collect();
    html! {
        table.matrix {
            tbody {
                @for (row, &count) in resources.iter().enumerate() {
                    tr {
                        th scope="row" { (count) @if row == 0 { span.unit { " inst." } } }
                        @for &load in &run.loads { (square(run, load, count)) }
                    }
                }
            }
            tfoot {
                tr {
                    th {}
                    @for load in &run.loads { th scope="col" { (short(load.per_second())) } }
                }
            }
        }
    }
}

/// What the colours and signs of the matrix mean.
pub(super) fn legend() -> Markup {
    html! {
        p.legend {
            span { span.key.pass { "\u{2713}" } " keeps up" }
            span { span.key.fail { "\u{2715}" } " falls behind" }
            span { span.key.implied { "\u{2713}" } " implied, not run" }
            span { span.key.undecided { "?" } " undecided" }
            span { span.key.invalid { "!" } " invalid" }
        }
    }
}

/// The anchor of a cell's lag chart.
pub(super) fn anchor(run: &str, load: Load, resources: Instances, repetition: u32) -> String {
    format!("{run}-{load}-{resources}-{repetition}")
}

/// The class and sign of a verdict.
pub(super) const fn sign(verdict: VerdictName) -> (&'static str, &'static str) {
    match verdict {
        VerdictName::Pass => ("pass", "\u{2713}"),
        VerdictName::Fail => ("fail", "\u{2715}"),
        VerdictName::Undecided => ("undecided", "?"),
        VerdictName::Invalid => ("invalid", "!"),
    }
}

fn square(run: &Run, load: Load, resources: Instances) -> Markup {
    let tested = run.cells.iter().rfind(|c| c.load == load && c.resources == resources);
    let implied = run.implied.iter().find(|c| c.load == load && c.resources == resources);
    match (tested, implied) {
        (Some(cell), _) => tested_square(run, cell),
        (None, Some(cell)) => {
            let (class, sign) = sign(cell.verdict);
            html! { td title="implied by the cells around it" { span class=(format!("square implied {class}")) { (sign) } } }
        }
        (None, None) => html! { td title="not run" { span.square.unknown { "\u{b7}" } } },
    }
}

fn tested_square(run: &Run, cell: &CellRow) -> Markup {
    let (class, sign) = sign(cell.verdict);
    let slope = cell.slope_per_s.map(|s| signed_percent(s / cell.load.per_second().max(1.0)));
    html! {
        td {
            a class=(format!("square {class}")) href=(format!("#{}", anchor(&run.run, cell.load, cell.resources, cell.repetition))) {
                b { (sign) }
                @if let Some(slope) = slope { small { (slope) } }
            }
        }
    }
}
