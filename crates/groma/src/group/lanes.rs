use std::collections::BTreeMap;

use groma_bench::report::{Scale, ticks};
use groma_explain::{Basis, Rebalance, Stay, Timeline, clock};
use maud::{Markup, html};

use super::page::Names;

/// The colour of each member, by number.
pub(super) type Colours = BTreeMap<String, usize>;

/// The stretch of time that a chart shows, and which lanes.
pub(super) struct Window {
    from_ms: i64,
    to_ms: i64,
    /// Lanes shown first, and with the whole of them not fitting, alone.
    chosen: Vec<String>,
}

/// Colours that can be told apart; further members begin anew.
const COLOURS: usize = 10;
/// Lanes of one chart.
const LANES_MAX: usize = 120;
const WIDTH: f64 = 1040.0;
const LABELS: f64 = 130.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 28.0;
/// Stretches narrower than this are drawn as wide as this: a gap must be seen.
const NARROWEST: f64 = 2.0;
/// A piece wider than this carries its member's name.
const NAMED: f64 = 84.0;

impl Window {
    /// All that is known.
    pub(super) fn whole(timeline: &Timeline) -> Self {
        let first = timeline.lanes.values().flatten().map(|stay| stay.from_ms).min();
        let first = first.into_iter().chain(timeline.rebalances.first().and_then(|r| r.began_ms.value)).min();
        let from_ms = first.unwrap_or(timeline.from_ms);
        let margin = (timeline.to_ms - from_ms).max(1_000) / 50;
        Self { from_ms: from_ms - margin, to_ms: timeline.to_ms.max(from_ms + 1_000), chosen: Vec::new() }
    }

    /// One rebalance with its gaps, and a little of the calm on both sides.
    pub(super) fn around(timeline: &Timeline, rebalance: &Rebalance) -> Self {
        let gaps = rebalance.gaps.iter();
        let ends = gaps.flat_map(|gap| [gap.from_ms.value, gap.to_ms.value]);
        let times = ends.chain([rebalance.began_ms.value, rebalance.settled_ms.value]).flatten();
        let (from, to) = times.fold((i64::MAX, i64::MIN), |(from, to), at| (from.min(at), to.max(at)));
        let (from, to) = if from > to { (timeline.from_ms, timeline.to_ms) } else { (from, to) };
        let margin = ((to - from) / 6).max(50);
        let mut chosen: Vec<String> = rebalance.gaps.iter().map(|gap| gap.resource.clone()).collect();
        chosen.extend(rebalance.moves.iter().map(|moved| moved.resource.clone()));
        Self { from_ms: from - margin, to_ms: to + margin, chosen }
    }

    fn lanes<'a>(&self, timeline: &'a Timeline) -> Vec<(&'a String, &'a Vec<Stay>)> {
        let mut lanes: Vec<_> = timeline.lanes.iter().collect();
        lanes.sort_by_key(|(resource, _)| key(resource));
        if lanes.len() > LANES_MAX && !self.chosen.is_empty() {
            lanes.retain(|(resource, _)| self.chosen.contains(resource));
        }
        lanes.truncate(LANES_MAX);
        lanes
    }
}

/// A colour for each member, in order of appearance.
pub(super) fn colours(timeline: &Timeline) -> Colours {
    let mut stays: Vec<&Stay> = timeline.lanes.values().flatten().collect();
    stays.sort_by_key(|stay| (stay.from_ms, stay.member.clone()));
    let mut colours = Colours::new();
    for stay in stays {
        let next = colours.len() % COLOURS;
        colours.entry(stay.member.clone()).or_insert(next);
    }
    colours
}

/// The names of the colours.
pub(super) fn legend(names: &Names, colours: &Colours) -> Markup {
    html! {
        p.legend {
            @for (member, colour) in colours {
                span { span class=(format!("key m{colour}")) {} (names.get(member).unwrap_or(member)) }
            }
            span { span.key.gap {} "nobody" }
        }
    }
}

/// Lanes over time.
pub(super) fn chart(timeline: &Timeline, window: Window, (names, colours): (&Names, &Colours)) -> Markup {
    let lanes = window.lanes(timeline);
    let height = (900.0 / lanes.len().max(1) as f64).clamp(7.0, 22.0);
    let bottom = TOP + height * lanes.len() as f64;
    let scale = Scale::new((window.from_ms as f64, window.to_ms as f64), (LABELS, WIDTH - 8.0));
    let at = |ms: i64| scale.at(scale.clamp(ms as f64));
    let marks = timeline.rebalances.iter().filter_map(|r| Some((r.number, r.began_ms.value?)));
    let marks: Vec<(usize, i64)> = marks.filter(|(_, at)| (window.from_ms..=window.to_ms).contains(at)).collect();
    html! {
        svg.chart.lanes viewBox=(format!("0 0 {WIDTH} {:.0}", bottom + BOTTOM)) role="img" aria-label="Who ran each resource over time" {
            (hatching())
            @for (row, (resource, stays)) in lanes.iter().enumerate() {
                @let y = TOP + height * row as f64;
                @if height >= 11.0 {
                    text.tick x=(format!("{:.0}", LABELS - 10.0)) y=(format!("{:.1}", y + height / 2.0 + 4.0)) text-anchor="end" { (shortened(resource)) }
                }
                @for (from, to) in gaps(stays, &window) {
                    (piece((at(from), at(to)), (y, height), ("gap", &format!("{resource}: nobody, {} ms", to - from), "")))
                }
                @for stay in stays.iter().filter(|stay| shows(stay, &window)) {
                    @let name = names.get(&stay.member).unwrap_or(&stay.member);
                    @let until = stay.to_ms.unwrap_or(window.to_ms);
                    @let class = format!("m{}", colours.get(&stay.member).copied().unwrap_or(0));
                    @let title = format!("{resource}: {name} from {}{}", clock(stay.from_ms), how(stay.basis));
                    (piece((at(stay.from_ms), at(until)), (y, height), (&class, &title, name)))
                }
            }
            @for (number, began) in &marks {
                @let x = format!("{:.1}", at(*began));
                line.mark x1=(x) x2=(x) y1=(format!("{:.0}", TOP - 6.0)) y2=(format!("{bottom:.0}")) {}
                @if spaced(&marks, *number, &at) { text.number x=(x) y=(format!("{:.0}", TOP - 10.0)) text-anchor="middle" { "#" (number) } }
            }
            (axis(&window, &scale, bottom))
        }
    }
}

fn hatching() -> Markup {
    html! {
        defs {
            pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                rect.hatched width="6" height="6" {}
                line.hatch x1="0" y1="0" x2="0" y2="6" {}
            }
        }
    }
}

fn piece((from, to): (f64, f64), (y, height): (f64, f64), (class, title, name): (&str, &str, &str)) -> Markup {
    let width = (to - from).max(NARROWEST);
    let inner = (height - 2.0).max(4.0);
    html! {
        rect class=(class) x=(format!("{from:.1}")) y=(format!("{:.1}", y + 1.0)) width=(format!("{width:.1}")) height=(format!("{inner:.1}")) rx="2" {
            title { (title) }
        }
        @if width > NAMED && height >= 15.0 && !name.is_empty() {
            text.inside x=(format!("{:.1}", from + 7.0)) y=(format!("{:.1}", y + height / 2.0 + 4.0)) { (name) }
        }
    }
}

/// Times between two stays, as far as they show.
fn gaps(stays: &[Stay], window: &Window) -> Vec<(i64, i64)> {
    let mut gaps: Vec<(i64, i64)> =
        stays.windows(2).filter_map(|pair| Some((pair.first()?.to_ms?, pair.last()?.from_ms))).collect();
    gaps.extend(stays.last().and_then(|last| last.to_ms).map(|end| (end, window.to_ms)));
    gaps.retain(|(from, to)| to > from && *to > window.from_ms && *from < window.to_ms);
    gaps
}

fn shows(stay: &Stay, window: &Window) -> bool {
    stay.from_ms < window.to_ms && stay.to_ms.unwrap_or(window.to_ms) > window.from_ms
}

const fn how(basis: Basis) -> &'static str {
    match basis {
        Basis::Observed => "",
        Basis::Inferred | Basis::Unknown => " (inferred)",
    }
}

/// Whether the mark before is far enough for both numbers to be read.
fn spaced(marks: &[(usize, i64)], number: usize, at: &impl Fn(i64) -> f64) -> bool {
    let here = marks.iter().position(|(other, _)| *other == number);
    let pair = here.and_then(|here| Some((marks.get(here.checked_sub(1)?)?, marks.get(here)?)));
    pair.is_none_or(|(before, this)| at(this.1) - at(before.1) > 26.0)
}

fn axis(window: &Window, scale: &Scale, bottom: f64) -> Markup {
    let seconds = (window.to_ms - window.from_ms) as f64 / 1e3;
    let minute = window.from_ms - window.from_ms.rem_euclid(60_000);
    let first = (window.from_ms - minute) as f64 / 1e3;
    html! {
        line.axis x1=(format!("{LABELS:.0}")) x2=(format!("{:.0}", WIDTH - 8.0)) y1=(format!("{bottom:.0}")) y2=(format!("{bottom:.0}")) {}
        @for tick in ticks(first, first + seconds, 8) {
            @let at = minute + (tick * 1e3).round() as i64;
            @let x = format!("{:.1}", scale.at(at as f64));
            line.axis x1=(x) x2=(x) y1=(format!("{bottom:.0}")) y2=(format!("{:.0}", bottom + 4.0)) {}
            text.tick x=(x) y=(format!("{:.0}", bottom + 18.0)) text-anchor="middle" { (label(at, seconds)) }
        }
    }
}

fn label(at: i64, seconds: f64) -> String {
    let text = clock(at);
    let length = if seconds < 10.0 { 12 } else { 8 };
    text.chars().take(length).collect()
}

/// Numbers of partitions in their order, not in that of the alphabet.
fn key(resource: &str) -> (String, i64) {
    match resource.rsplit_once('-').and_then(|(topic, number)| Some((topic, number.parse().ok()?))) {
        Some((topic, number)) => (topic.to_owned(), number),
        None => (resource.to_owned(), -1),
    }
}

/// The end of a long name tells more than its beginning.
fn shortened(resource: &str) -> String {
    let length = resource.chars().count();
    if length <= 18 {
        resource.to_owned()
    } else {
        format!("\u{2026}{}", resource.chars().skip(length - 17).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_lies_between_stays() {
        let stay = |from_ms, to_ms| Stay { member: "m".into(), from_ms, to_ms, basis: Basis::Observed };
        let window = Window { from_ms: 0, to_ms: 100, chosen: Vec::new() };
        assert_eq!(gaps(&[stay(0, Some(10)), stay(30, Some(40)), stay(40, None)], &window), [(10, 30)]);
        assert_eq!(gaps(&[stay(0, Some(90))], &window), [(90, 100)], "it never ran again");
    }

    #[test]
    fn lanes_are_in_the_order_of_partitions() {
        let mut names = ["t-10", "t-2", "a-1"];
        names.sort_by_key(|name| key(name));
        assert_eq!(names, ["a-1", "t-2", "t-10"]);
    }
}
