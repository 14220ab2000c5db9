use groma_bench::report::style;
use maud::{Markup, PreEscaped, html};

use super::compare::Row;

/// What each scenario costs under each policy: a panel a scenario, a line a policy, a bar for each kind of cost. Bars of
/// one kind are to scale within their panel.
pub(super) fn picture(rows: &[Row]) -> String {
    let panels: Vec<&[Row]> = rows.chunk_by(|a, b| a.scenario == b.scenario).collect();
    let tops = panels.iter().scan(HEAD, |top, panel| {
        let here = *top;
        *top += TITLE + panel.len() as f64 * LINE + MARGIN;
        Some(here)
    });
    let tops: Vec<f64> = tops.collect();
    let width = MARGIN + LABEL + COSTS.len() as f64 * COLUMN + MARGIN;
    let height = HEAD + rows.len() as f64 * LINE + panels.len() as f64 * (TITLE + MARGIN);
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            role="img" aria-label="What each scenario costs under each policy" {
            style { (PreEscaped(style::PICTURE)) (PreEscaped(BARS)) }
            rect.paper width=(width) height=(height) rx="8" {}
            text.title x=(MARGIN) y="30" { "What a change of the group costs" }
            text.label x=(MARGIN) y="50" {
                "simulated; lost is time that resources did not run, summed over resources; stopped counts processes that stayed up"
            }
            @for (panel, top) in panels.iter().zip(tops) {
                g transform=(format!("translate({MARGIN} {top})")) { (lines(panel)) }
            }
        }
    };
    drawn.into_string()
}

/// A kind of cost.
struct Cost {
    head: &'static str,
    of: fn(&Row) -> u64,
    words: fn(u64) -> String,
}

const COSTS: [Cost; 5] = [
    Cost { head: "lost", of: |row| row.lost_ms, words: seconds },
    Cost { head: "stopped", of: |row| row.stopped, words: count },
    Cost { head: "moved", of: |row| row.moved, words: count },
    Cost { head: "rounds", of: |row| row.rounds, words: count },
    Cost { head: "balanced after", of: |row| row.balanced_after_ms, words: seconds },
];

fn lines(panel: &[Row]) -> Markup {
    html! {
        text.scenario x="0" y="14" { (panel.first().map_or("", |row| row.scenario)) }
        @for (place, row) in panel.iter().enumerate() {
            text.tick x=(LABEL - 12.0) y=(TITLE + place as f64 * LINE + 11.0) text-anchor="end" { (row.policy) }
        }
        @for (place, cost) in COSTS.iter().enumerate() {
            @let x = LABEL + place as f64 * COLUMN;
            text.head x=(x) y="14" { (cost.head) }
            (bars(panel, cost, x))
        }
    }
}

fn bars(panel: &[Row], cost: &Cost, x: f64) -> Markup {
    let most = panel.iter().map(cost.of).max().unwrap_or(0).max(1);
    html! {
        @for (place, row) in panel.iter().enumerate() {
            @let y = TITLE + place as f64 * LINE;
            @let value = (cost.of)(row);
            @let length = if value == 0 { 0.0 } else { (value as f64 / most as f64 * BAR).max(1.0) };
            rect.bar x=(x) y=(y) width=(format!("{length:.1}")) height=(LINE - 7.0) rx="2" {}
            text.tick x=(format!("{:.1}", x + length + 6.0)) y=(y + 11.0) { ((cost.words)(value)) }
        }
    }
}

fn count(value: u64) -> String {
    value.to_string()
}

fn seconds(ms: u64) -> String {
    if ms < 10_000 { format!("{:.1} s", ms as f64 / 1e3) } else { format!("{} s", ms / 1_000) }
}

const BARS: &str = ".bar { fill: var(--accent); } .scenario { fill: var(--ink); font-size: 14px; font-weight: 600; } .head { fill: var(--soft); font-size: 12.5px; }";
const LABEL: f64 = 180.0;
const COLUMN: f64 = 164.0;
const BAR: f64 = 96.0;
const LINE: f64 = 21.0;
const TITLE: f64 = 26.0;
const HEAD: f64 = 76.0;
const MARGIN: f64 = 22.0;
