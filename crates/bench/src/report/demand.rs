use maud::{Markup, PreEscaped, html};

use super::chart::{Scale, coordinate, path, ticks};
use super::number::{grouped, short};
use super::style;
use crate::results::{DemandRow, Run};

/// The scalability graph: instances needed over load.
pub(super) fn curve(run: &Run) -> Markup {
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
            aria-label=(format!("Instances needed by load for {} on {}", run.benchmark, run.sut)) {
            (drawing(run))
        }
    }
}

/// The graphs of all runs side by side, as an SVG file of its own.
pub(super) fn picture(runs: &[Run]) -> String {
    let width = WIDTH * runs.len() as f64 + GAP * (runs.len() as f64 - 1.0).max(0.0) + 2.0 * MARGIN;
    let height = HEIGHT + TITLE + 2.0 * MARGIN;
    let names: Vec<String> = runs.iter().map(title).collect();
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            role="img" aria-label=(format!("Instances needed by load: {}", names.join("; "))) {
            style { (PreEscaped(style::PICTURE)) }
            rect.paper width=(width) height=(height) rx="8" {}
            @for (index, run) in runs.iter().enumerate() {
                g transform=(format!("translate({} {})", MARGIN + index as f64 * (WIDTH + GAP), MARGIN + TITLE)) {
                    text.title x="10" y="-6" { (title(run)) }
                    (drawing(run))
                }
            }
        }
    };
    picture.into_string()
}

fn title(run: &Run) -> String {
    let quota = run.quota_cores.map(|cores| format!(", {cores} core an instance"));
    format!("{} on {}{}", run.benchmark.to_uppercase(), run.sut, quota.unwrap_or_default())
}

fn drawing(run: &Run) -> Markup {
    let frame = Frame::of(run);
    html! {
        (frame.grid())
        @if let Some(capacity) = run.calibrated_per_s { (frame.guide(capacity)) }
        (frame.line(&run.demand))
        @for row in &run.demand { (frame.mark(row)) }
    }
}

struct Frame {
    x: Scale,
    y: Scale,
    load_max: f64,
    resources_max: u32,
    unit: String,
}

impl Frame {
    fn of(run: &Run) -> Self {
        let load_max = run.loads.iter().map(|l| l.per_second()).fold(1.0, f64::max) * 1.08;
        let resources_max = run.resources.iter().map(|r| r.0).max().unwrap_or(1);
        Self {
            x: Scale::new((0.0, load_max), (LEFT, WIDTH - RIGHT)),
            y: Scale::new((0.0, f64::from(resources_max) + 0.75), (HEIGHT - BOTTOM, TOP)),
            load_max,
            resources_max,
            unit: run.unit.clone(),
        }
    }

    fn grid(&self) -> Markup {
        let base = self.y.at(0.0);
        html! {
            @for count in 0..=self.resources_max {
                @let y = coordinate(self.y.at(f64::from(count)));
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y) y2=(y) {}
                text.tick x=(LEFT - 10.0) y=(y) dy="0.34em" text-anchor="end" { (count) }
            }
            @for load in ticks(0.0, self.load_max, 5) {
                @let x = coordinate(self.x.at(load));
                line.axis x1=(x) x2=(x) y1=(base) y2=(base + 5.0) {}
                text.tick x=(x) y=(base + 20.0) text-anchor="middle" { (short(load)) }
            }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(base) y2=(base) {}
            text.label x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" { "load, " (self.unit) }
            text.label x=(LEFT - 10.0 - 14.0) y=(TOP - 10.0) { "instances needed" }
        }
    }

    /// What one instance handled when it was overloaded beforehand, as a straight line from the origin.
    fn guide(&self, capacity: f64) -> Markup {
        let last = self.load_max.min((f64::from(self.resources_max) + 0.7) * capacity);
        let end = (self.x.at(last), self.y.at(last / capacity));
        html! {
            path.guide d=(path([(self.x.at(0.0), self.y.at(0.0)), end].into_iter())) {
                title { "one instance handled " (grouped(capacity)) " " (self.unit) " under a load too much for it" }
            }
        }
    }

    fn line(&self, rows: &[DemandRow]) -> Markup {
        let known = rows.iter().filter_map(|row| Some((row.load.per_second(), f64::from(row.resources?.0))));
        html! { path.curve d=(path(known.map(|(load, count)| (self.x.at(load), self.y.at(count))))) {} }
    }

    fn mark(&self, row: &DemandRow) -> Markup {
        let x = self.x.at(row.load.per_second());
        let top = self.y.at(f64::from(self.resources_max) + 0.45);
        let low = row.low.map_or(top, |r| self.y.at(f64::from(r.0)));
        let high = row.high.map_or(top, |r| self.y.at(f64::from(r.0)));
        html! {
            @if row.low != row.high {
                line.open x1=(coordinate(x)) x2=(coordinate(x)) y1=(coordinate(low)) y2=(coordinate(high)) {}
            }
            @if let Some(resources) = row.resources {
                @let y = self.y.at(f64::from(resources.0));
                circle.dot cx=(coordinate(x)) cy=(coordinate(y)) r="6" {
                    title { (grouped(row.load.per_second())) " " (self.unit) ": " (resources) " needed" }
                }
            } @else if row.low.is_some() {
                text.note x=(coordinate(x)) y=(coordinate(low - 10.0)) text-anchor="middle" {
                    title { (grouped(row.load.per_second())) " " (self.unit) ": not decided" }
                    "?"
                }
            } @else {
                path.beyond d=(format!("M{} {}l-6 10h12z", coordinate(x), coordinate(top - 6.0))) {
                    title { (grouped(row.load.per_second())) " " (self.unit) ": more than " (self.resources_max) }
                }
                text.note x=(coordinate(x)) y=(coordinate(top + 20.0)) text-anchor="middle" {
                    "> " (self.resources_max)
                }
            }
        }
    }
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 48.0;
/// Room around a picture and between its graphs.
const MARGIN: f64 = 18.0;
const GAP: f64 = 28.0;
const TITLE: f64 = 22.0;
