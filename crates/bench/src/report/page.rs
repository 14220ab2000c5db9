use std::collections::BTreeMap;

use groma_scalability::Threshold;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::number::{bytes, grouped, percent, short, span};
use super::{demand, lag, matrix, style};
use crate::results::{CellRecord, CellRow, DemandRow, Document, Run, VerdictName};

/// The page for `document`; `cells` holds the cells of each run by the run's name.
pub fn html(document: &Document, cells: &BTreeMap<String, Vec<CellRecord>>) -> String {
    let none = Vec::new();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title(document)) }
                style { (PreEscaped(style::SHEET)) }
            }
            body {
                main {
                    (opening(document))
                    @for run in &document.runs { (section(run, cells.get(&run.run).unwrap_or(&none))) }
                    (reading(document))
                    (setting(document))
                    footer { "Made by groma " (document.versions.get("groma").map_or("", String::as_str)) " from results.json and the cell files beside it." }
                }
            }
        }
    };
    page.into_string()
}

/// The demand curves alone, as an SVG file of its own.
pub fn picture(document: &Document) -> String {
    demand::picture(&document.runs)
}

fn title(document: &Document) -> String {
    let names: Vec<String> = document.runs.iter().map(|r| r.benchmark.to_uppercase()).collect();
    format!("{} · scalability", names.join(", "))
}

fn opening(document: &Document) -> Markup {
    html! {
        header {
            p.eyebrow { (emblem()) "Groma scalability report" }
            h1 { "How many instances does each load need?" }
            @for run in &document.runs { p.lead { (finding(run)) } }
            dl.figures {
                div { dt { "cells decided" } dd { (decided(document)) small { " of " (tested(document)) } } }
                div { dt { "cells implied" } dd { (document.runs.iter().map(|r| r.implied.len()).sum::<usize>()) } }
                div { dt { "records per second, highest load" } dd { (highest(document)) } }
                div { dt { "time measured" } dd { (span(document.runs.iter().map(|r| r.elapsed_ms).sum::<u64>() / 1000 * 1000)) } }
            }
        }
    }
}

fn emblem() -> Markup {
    html! {
        svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true" {
            path d="M12 22V5M3 5h18M3 5v9M21 5v9" {}
            circle cx="3" cy="16" r="1.6" fill="currentColor" stroke="none" {}
            circle cx="21" cy="16" r="1.6" fill="currentColor" stroke="none" {}
            circle cx="12" cy="5" r="1.8" fill="currentColor" stroke="none" {}
        }
    }
}

/// One sentence for a run: where its demand begins and ends.
fn finding(run: &Run) -> Markup {
    let known: Vec<&DemandRow> = run.demand.iter().filter(|row| row.resources.is_some()).collect();
    let name = run.benchmark.to_uppercase();
    html! {
        b { (name) } " on " (run.sut) ": "
        @if let (Some(first), Some(last)) = (known.first(), known.last()) {
            @if first.load == last.load {
                (short(first.load.per_second())) " " (run.unit) " need " b { (count(first)) } "."
            } @else {
                "from " (short(first.load.per_second())) " to " (short(last.load.per_second())) " " (run.unit)
                ", demand goes from " b { (count(first)) " to " (count(last)) " instances" } "."
            }
        } @else if run.demand.iter().any(|row| row.low.is_some()) {
            "no demand is decided: its cells are invalid or undecided."
        } @else { "no load had a demand within the counts tested." }
        @if let Some(capacity) = run.calibrated_per_s {
            " One instance"
            @if let Some(quota) = run.quota_cores { " of " (quota) " core" }
            " handles about " b { (short(capacity)) } " " (run.unit) "."
        }
    }
}

fn count(row: &DemandRow) -> String {
    row.resources.map(|r| r.to_string()).unwrap_or_default()
}

fn tested(document: &Document) -> usize {
    document.runs.iter().map(|r| r.cells.len()).sum()
}

fn decided(document: &Document) -> usize {
    let cells = document.runs.iter().flat_map(|r| &r.cells);
    cells.filter(|c| matches!(c.verdict, VerdictName::Pass | VerdictName::Fail)).count()
}

fn highest(document: &Document) -> String {
    let loads = document.runs.iter().flat_map(|r| &r.loads).map(|l| l.per_second());
    short(loads.fold(0.0, f64::max))
}

fn section(run: &Run, cells: &[CellRecord]) -> Markup {
    html! {
        section id=(run.run) {
            header {
                h2 { (run.benchmark.to_uppercase()) span style="color:var(--soft);font-weight:400" { " on " (run.sut) } }
                p { (conditions(run)) }
            }
            div.pair {
                div.card {
                    h3 { "Demand" }
                    (demand::curve(run))
                }
                div.card {
                    h3 { "Cells" }
                    p { "Loads across, instances upwards. Small figures: growth of lag as a share of the load." }
                    (matrix::matrix(run))
                    (matrix::legend())
                }
            }
            div.card.under.scroll { h3 { "What was measured" } (rows(run)) }
            @if !cells.is_empty() {
                div.under.lags { @for cell in cells { (lag::figure(cell)) } }
            }
        }
    }
}

fn conditions(run: &Run) -> Markup {
    html! {
        "A cell passes when its lag grows by less than " b { (threshold(run.threshold)) } ". "
        "Warm-up " (span(run.warmup_ms)) ", then up to " (span(run.duration_ms)) " measured. "
        @match run.quota_cores {
            Some(quota) => { "Each instance has " b { (quota) " core" } " (" (run.limit) ")." },
            None => { "Instances run without a limit." },
        }
    }
}

fn threshold(threshold: Threshold) -> String {
    match threshold {
        Threshold::Relative(share) => format!("{} of the load", percent(share)),
        Threshold::Absolute(slope) => format!("{} records/s", grouped(slope)),
    }
}

fn rows(run: &Run) -> Markup {
    html! {
        table.rows {
            thead {
                tr {
                    th { "load, " (run.unit) }
                    th { "instances" }
                    th.left { "verdict" }
                    th { "lag grows by, records/s" }
                    th { "interval" }
                    th { "load reached" }
                    th { "instances busy" }
                    th { "generator core" }
                    th { "samples" }
                }
            }
            tbody { @for cell in &run.cells { (row(cell)) } }
        }
    }
}

fn row(cell: &CellRow) -> Markup {
    let (class, sign) = matrix::sign(cell.verdict);
    html! {
        tr {
            td.strong { (grouped(cell.load.per_second())) }
            td { (cell.resources) }
            td.left title=(cell.cause.as_deref().unwrap_or_default()) { span class=(format!("badge {class}")) { (sign) } " " (class) }
            td { (cell.slope_per_s.map(grouped).unwrap_or_default()) }
            td { @if let (Some(low), Some(high)) = (cell.slope_low, cell.slope_high) { (grouped(low)) " to " (grouped(high)) } }
            td { @if let Some(achieved) = cell.achieved_load { (percent(achieved / cell.load.per_second().max(1.0))) } }
            td { @if let Some(busy) = cell.sut_busy { (metered(busy)) } }
            td { @if let Some(busy) = cell.generator_busy { (metered(busy)) } }
            td { (cell.samples) }
        }
    }
}

fn metered(share: f64) -> Markup {
    let width = (share * 100.0).clamp(0.0, 100.0);
    html! { (percent(share)) span.meter { i style=(format!("width:{width:.0}%")) {} } }
}

fn reading(document: &Document) -> Markup {
    let committed = document.runs.iter().flat_map(|r| &r.cells).any(|c| c.basis == crate::results::Basis::Committed);
    html! {
        section {
            header { h2 { "How to read this" } }
            div.how {
                div { h3 { "Demand" } p { "The smallest number of instances that keeps up with a load and above which no tested number falls behind. The dotted line is that many times what one instance handled when it was overloaded beforehand." } }
                div { h3 { "Lag" } p { "Records produced and not yet " @if committed { "committed" } @else { "processed" } ", ten times a second. The line is least squares over the window after the grey warm-up; the blue fan is the interval of its slope, which allows for autocorrelation; the dashed line rises at the threshold." } }
                div { h3 { "Verdict" } p { "A cell passes when the whole fan rises less than the threshold, and fails when all of it rises more. It is looked at at planned times that share the allowed error, so stopping early stays honest." } }
                div { h3 { "Invalid" } p { "When the generator fell short, the machine was busy or robbed of time, an instance ended or the probe was silent, a cell says nothing about the instances and is not counted as a failure. " (again(document)) } }
            }
        }
    }
}

/// Which cells were measured more than once.
fn again(document: &Document) -> String {
    let cells = document.runs.iter().flat_map(|run| run.cells.iter().map(move |cell| (run, cell)));
    let repeated = cells.filter(|(_, cell)| cell.attempts > 1);
    let names: Vec<String> = repeated
        .map(|(run, cell)| {
            format!(
                "{} at {} on {} ({} times)",
                run.run,
                grouped(cell.load.per_second()),
                cell.resources,
                cell.attempts
            )
        })
        .collect();
    let said = if names.is_empty() { "none was".to_owned() } else { names.join(", ") };
    format!(
        "Invalid and undecided cells are measured again, at most twice, each time with its share of the allowed error; here: {said}."
    )
}

fn setting(document: &Document) -> Markup {
    let machine = &document.machine;
    html! {
        section {
            header { h2 { "Machine, limits and versions" } }
            div.columns {
                div.card {
                    h3 { "Machine" }
                    dl.list {
                        dt { "processor" } dd { (machine.processor) }
                        dt { "cores" } dd { (machine.cores) }
                        dt { "memory" } dd { (bytes(machine.memory_bytes)) }
                        dt { "system" } dd { (machine.system) }
                        dt { "kernel" } dd { (machine.kernel) }
                        @for (name, version) in document.versions.iter().filter(|(name, _)| *name != "kernel") { dt { (name) } dd { (version) } }
                    }
                }
                @for run in &document.runs {
                    div.card {
                        h3 { (run.benchmark.to_uppercase()) " on " (run.sut) }
                        dl.list {
                            dt { "limit" } dd { (run.limit) }
                            @for (name, value) in &run.configuration { dt { (name) } dd { (value) } }
                        }
                    }
                }
            }
        }
    }
}
