use maud::{Markup, html};

use super::chart::{Scale, coordinate, path, ticks};
use super::matrix::{anchor, sign};
use super::number::{grouped, percent, short, signed_percent};
use crate::results::{CellRecord, Lag, Line};

/// Lag over time of one cell, with the fitted line and the interval of its slope.
pub(super) fn figure(cell: &CellRecord) -> Markup {
    let (class, sign) = sign(cell.verdict);
    let plural = if cell.resources.0 == 1 { "instance" } else { "instances" };
    html! {
        figure.lag id=(anchor(&cell.run, cell.load, cell.resources, cell.repetition)) {
            figcaption {
                span class=(format!("badge {class}")) { (sign) }
                span.title { (short(cell.load.per_second())) "/s" span.soft { " on " (cell.resources) " " (plural) } }
                span.slope { (slope_text(cell)) }
            }
            (drawing(cell))
            p.facts { (facts(cell)) }
        }
    }
}

fn slope_text(cell: &CellRecord) -> String {
    let share = |slope: f64| signed_percent(slope / cell.load.per_second().max(1.0));
    cell.trend.map_or_else(|| "no trend".to_owned(), |t| format!("{} of load", share(t.slope_per_s)))
}

fn facts(cell: &CellRecord) -> Markup {
    html! {
        @if let Some(cause) = &cell.cause { span.cause { (cause) } }
        @if let Some(seen) = &cell.conditions {
            span { "load reached " b { (percent(seen.achieved_per_s / seen.asked.per_second().max(1.0))) } }
            span { "instances busy " b { (percent(seen.cpu.instances)) } }
            span { "generator core " b { (percent(seen.cpu.generator_core)) } }
        }
        @for warning in &cell.warnings { span.cause { (warning) } }
    }
}

fn drawing(cell: &CellRecord) -> Markup {
    let lag = cell.judged();
    let frame = Frame::of(cell, lag);
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
            aria-label=(format!("Lag at {} per second on {} instances", cell.load, cell.resources)) {
            (frame.ground())
            @if let Some(line) = cell.trend { (frame.fan(line, cell.threshold_per_s, lag)) }
            @for (&at, &lag) in lag.at_ms.iter().zip(&lag.lag) {
                circle.sample cx=(coordinate(frame.x.at(at))) cy=(coordinate(frame.y.at(lag))) r="1.6" {}
            }
            @if let Some(line) = cell.trend { (frame.line(line)) }
        }
    }
}

struct Frame {
    x: Scale,
    y: Scale,
    from_ms: f64,
    to_ms: f64,
    top: f64,
}

impl Frame {
    fn of(cell: &CellRecord, lag: &Lag) -> Self {
        let from_ms = lag.at_ms.first().copied().unwrap_or(0.0).min(0.0);
        let to_ms = (cell.window_ms as f64).max(lag.at_ms.last().copied().unwrap_or(1.0));
        let highest = lag.lag.iter().copied().fold(1.0, f64::max);
        let tenth_of_a_second = cell.load.per_second() / 10.0;
        let top = highest.max(tenth_of_a_second) * 1.12;
        Self {
            x: Scale::new((from_ms, to_ms), (LEFT, WIDTH - RIGHT)),
            y: Scale::new((0.0, top), (HEIGHT - BOTTOM, TOP)),
            from_ms,
            to_ms,
            top,
        }
    }

    fn ground(&self) -> Markup {
        let (base, start) = (self.y.at(0.0), self.x.at(0.0));
        html! {
            @if self.from_ms < 0.0 {
                rect.warmup x=(LEFT) y=(TOP) width=(coordinate(start - LEFT)) height=(coordinate(base - TOP)) {
                    title { "warm-up, not part of the fit" }
                }
            }
            @for lag in ticks(0.0, self.top, 3) {
                @let y = coordinate(self.y.at(lag));
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y) y2=(y) {}
                text.tick x=(LEFT - 6.0) y=(y) dy="0.34em" text-anchor="end" { (short(lag)) }
            }
            @for at in ticks(self.from_ms / 1000.0, self.to_ms / 1000.0, 6) {
                text.tick x=(coordinate(self.x.at(at * 1000.0))) y=(base + 15.0) text-anchor="middle" {
                    (grouped(at))
                }
            }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(coordinate(base)) y2=(coordinate(base)) {}
            text.label x=(WIDTH - RIGHT) y=(HEIGHT - 3.0) text-anchor="end" { "seconds" }
        }
    }

    /// The interval as a fan around the middle of the fitted line, and the threshold through the same point.
    fn fan(&self, line: Line, threshold: f64, lag: &Lag) -> Markup {
        let window = lag.window();
        let middle = window.iter().map(|s| s.at_ms).sum::<f64>() / (window.len().max(1) as f64);
        let height = line.intercept + line.slope_per_s * middle / 1000.0;
        let place = |slope: f64, at: f64| {
            let lag = self.y.clamp(height + slope * (at - middle) / 1000.0);
            (self.x.at(at), self.y.at(lag))
        };
        let ray = |slope: f64| STEPS.map(|s| place(slope, self.to_ms * s));
        let back = ray(line.slope_high).into_iter().rev();
        let outline = path(ray(line.slope_low).into_iter().chain(back));
        html! {
            path.fan d=(format!("{outline}Z")) {
                title { "slope between " (grouped(line.slope_low)) " and " (grouped(line.slope_high)) " records/s" }
            }
            path.threshold d=(path(ray(threshold).into_iter())) {
                title { "threshold: " (grouped(threshold)) " records/s" }
            }
        }
    }

    fn line(&self, line: Line) -> Markup {
        let ends = [0.0, self.to_ms]
            .map(|at| (self.x.at(at), self.y.at(self.y.clamp(line.intercept + line.slope_per_s * at / 1000.0))));
        html! { path.fit d=(path(ends.into_iter())) {} }
    }
}

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 176.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 32.0;
const STEPS: [f64; 9] = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];
