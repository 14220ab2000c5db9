use groma_bench::report::style;
use maud::{Markup, PreEscaped, html};

use super::compare::Row;

/// What each policy loses in each scenario: a panel a scenario, a bar a policy.
pub(super) fn picture(rows: &[Row]) -> String {
    let panels: Vec<&[Row]> = rows.chunk_by(|a, b| a.scenario == b.scenario).collect();
    let tallest = panels.iter().map(|panel| panel.len()).max().unwrap_or(0) as f64 * BAR + TITLE;
    let lines = panels.len().div_ceil(COLUMNS) as f64;
    let width = COLUMNS as f64 * (PANEL + MARGIN) + MARGIN;
    let height = HEAD + lines * (tallest + MARGIN) + MARGIN;
    let scale = Scale::of(rows);
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            role="img" aria-label="Resource-seconds lost in each scenario under each policy" {
            style { (PreEscaped(style::PICTURE)) (PreEscaped(BARS)) }
            rect.paper width=(width) height=(height) rx="8" {}
            text.title x=(MARGIN) y="30" { "What a change of the group costs" }
            text.label x=(MARGIN) y="50" {
                "time that resources did not run, summed over resources; logarithmic; simulated"
            }
            @for (place, panel) in panels.iter().enumerate() {
                @let x = MARGIN + (place % COLUMNS) as f64 * (PANEL + MARGIN);
                @let y = HEAD + (place / COLUMNS) as f64 * (tallest + MARGIN);
                g transform=(format!("translate({x} {y})")) { (bars(panel, &scale)) }
            }
        }
    };
    drawn.into_string()
}

fn bars(panel: &[Row], scale: &Scale) -> Markup {
    html! {
        text.scenario x="0" y="14" { (panel.first().map_or("", |row| row.scenario)) }
        @for (place, row) in panel.iter().enumerate() {
            @let y = TITLE + place as f64 * BAR;
            @let length = scale.length(row.lost_ms);
            text.tick x=(LABEL - 8.0) y=(y + 11.0) text-anchor="end" { (row.policy) }
            rect.bar x=(LABEL) y=(y) width=(format!("{length:.1}")) height=(BAR - 7.0) rx="2" {}
            text.tick x=(format!("{:.1}", LABEL + length + 6.0)) y=(y + 11.0) { (seconds(row.lost_ms)) }
        }
    }
}

/// Maps milliseconds onto the length of a bar, by their logarithm.
struct Scale {
    most: f64,
}

impl Scale {
    fn of(rows: &[Row]) -> Self {
        let most = rows.iter().map(|row| row.lost_ms).max().unwrap_or(0);
        Self { most: decades(most).max(1.0) }
    }

    fn length(&self, lost_ms: u64) -> f64 {
        decades(lost_ms) / self.most * (PANEL - LABEL - VALUE)
    }
}

/// Decades above the least that is told apart from nothing.
fn decades(lost_ms: u64) -> f64 {
    (lost_ms as f64 / LEAST_MS).max(1.0).log10()
}

fn seconds(ms: u64) -> String {
    if ms < 10_000 { format!("{:.1} s", ms as f64 / 1e3) } else { format!("{} s", ms / 1_000) }
}

const BARS: &str = ".bar { fill: var(--accent); } .scenario { fill: var(--ink); font-size: 14px; font-weight: 600; }";
const LEAST_MS: f64 = 10.0;
const COLUMNS: usize = 2;
const PANEL: f64 = 500.0;
const LABEL: f64 = 160.0;
const VALUE: f64 = 70.0;
const BAR: f64 = 22.0;
const TITLE: f64 = 26.0;
const HEAD: f64 = 76.0;
const MARGIN: f64 = 20.0;
