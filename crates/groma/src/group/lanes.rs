use std::cmp::Reverse;
use std::collections::BTreeMap;

use groma_bench::report::{Scale, ticks};
use groma_explain::{Basis, Rebalance, Stay, Timeline, clock, span};
use maud::{Markup, html};

use super::page::Names;

/// The colour of each member, by number.
pub(super) type Colours = BTreeMap<String, usize>;

/// A resource and who had it when.
type Lane<'a> = (&'a String, &'a Vec<Stay>);

/// The stretch of time that a chart shows, and which lanes.
pub(super) struct Window<'a> {
    from_ms: i64,
    to_ms: i64,
    /// What stopped or moved, and for how long it stood still, in milliseconds.
    ranks: BTreeMap<&'a str, u64>,
    scope: Scope,
    /// The most lanes.
    lanes_max: usize,
}

/// What a chart is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Everything,
    /// Where there are many lanes: those that a rebalance stopped or moved.
    Rebalance,
}

/// The lanes of a chart, in order.
struct Shown<'a> {
    lanes: Vec<Lane<'a>>,
    /// Members' shares at the beginning, with the first row of each; none where each lane has room for its own name.
    blocks: Option<Vec<(&'a str, usize)>>,
    /// What is said of lanes that are not shown.
    note: Option<String>,
}

/// Colours; further members begin anew.
const COLOURS: usize = 60;
/// Colours that the sheet names.
const COLOURS_NAMED: usize = 10;
/// Members that the legend names.
const NAMES_MAX: usize = COLOURS;
/// Lanes of the chart of everything.
const LANES_MAX: usize = 1_000;
/// Lanes of the charts of single rebalances, all together: a page must stay one that browsers like.
const LANES_OF_ALL_CHARTS: usize = 12_000;
/// The fewest that each of them may have.
const LANES_LEAST: usize = 120;
/// How narrow a gap may be drawn.
const GAP_NARROWEST: f64 = 3.0;
/// How wide the end of a gap is drawn that began nobody knows when.
const UNSEEN: f64 = 14.0;
const WIDTH: f64 = 1040.0;
const LABELS: f64 = 130.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 28.0;
/// Lanes lower than this have no room for their own name.
const LABELLED: f64 = 11.0;
/// A chart as high as this is readable at a glance; one with more lanes may be as high as the other.
const HEIGHTS: (f64, f64) = (900.0, 1_500.0);
/// Stretches narrower than this are drawn as wide as this: a gap must be seen.
const NARROWEST: f64 = 2.0;
/// A piece wider than this carries its member's name.
const NAMED: f64 = 84.0;

impl<'a> Window<'a> {
    /// All that is known.
    pub(super) fn whole(timeline: &'a Timeline) -> Self {
        let first = timeline.lanes.values().flatten().map(|stay| stay.from_ms).min();
        let first = first.into_iter().chain(timeline.rebalances.first().and_then(|r| r.began_ms.value)).min();
        let from_ms = first.unwrap_or(timeline.from_ms);
        let margin = (timeline.to_ms - from_ms).max(1_000) / 50;
        let (from_ms, to_ms) = (from_ms - margin, timeline.to_ms.max(from_ms + 1_000));
        Self { from_ms, to_ms, ranks: ranks(&timeline.rebalances), scope: Scope::Everything, lanes_max: LANES_MAX }
    }

    /// One rebalance with its gaps, and a little of the calm on both sides; one of so many charts.
    pub(super) fn around(timeline: &Timeline, rebalance: &'a Rebalance, charts: usize) -> Self {
        let gaps = rebalance.gaps.iter();
        let ends = gaps.flat_map(|gap| [gap.from_ms.value, gap.to_ms.value]);
        let times = ends.chain([rebalance.began_ms.value, rebalance.settled_ms.value]).flatten();
        let (from, to) = times.fold((i64::MAX, i64::MIN), |(from, to), at| (from.min(at), to.max(at)));
        let (from, to) = if from > to { (timeline.from_ms, timeline.to_ms) } else { (from, to) };
        let margin = ((to - from) / 6).max(50);
        let lanes_max = (LANES_OF_ALL_CHARTS / charts.max(1)).clamp(LANES_LEAST, LANES_MAX);
        let ranks = ranks(std::slice::from_ref(rebalance));
        Self { from_ms: from - margin, to_ms: to + margin, ranks, scope: Scope::Rebalance, lanes_max }
    }

    /// Lanes in the order of their resources; where these have no room for names, in that of their first owners.
    fn shown(&self, timeline: &'a Timeline, names: &'a Names) -> Shown<'a> {
        let mut lanes: Vec<Lane<'a>> = timeline.lanes.iter().collect();
        let all = lanes.len();
        if height(all) < LABELLED && self.scope == Scope::Rebalance && !self.ranks.is_empty() {
            lanes.retain(|(resource, _)| self.ranks.contains_key(resource.as_str()));
        }
        let wanted = lanes.len();
        if wanted > self.lanes_max {
            let rank = |resource: &str| Reverse(self.ranks.get(resource).map_or(0, |ms| ms.saturating_add(1)));
            lanes.sort_by_cached_key(|(resource, _)| (rank(resource), key(resource)));
            lanes.truncate(self.lanes_max);
        }
        lanes.sort_by_cached_key(|(resource, _)| key(resource));
        let note = (lanes.len() < all).then(|| self.told(lanes.len(), wanted, all));
        if height(lanes.len()) >= LABELLED {
            return Shown { lanes, blocks: None, note };
        }
        let name = |stays: &'a [Stay]| {
            owner(stays, self.from_ms).map(|member| names.get(member).map_or(member, String::as_str))
        };
        lanes.sort_by_cached_key(|(_, stays)| name(stays).map(key));
        let mut blocks: Vec<(&str, usize)> = Vec::new();
        for (row, (_, stays)) in lanes.iter().enumerate() {
            let name = name(stays).unwrap_or("nobody");
            if blocks.last().is_none_or(|(before, _)| *before != name) {
                blocks.push((name, row));
            }
        }
        Shown { lanes, blocks: Some(blocks), note }
    }

    fn told(&self, shown: usize, wanted: usize, all: usize) -> String {
        let which = match self.scope {
            Scope::Everything => "those that stood still longest",
            Scope::Rebalance if shown < wanted => "of those that stopped or moved the ones that stood still longest",
            Scope::Rebalance => "those that stopped or moved",
        };
        format!("{shown} of {all} resources are shown: {which}.")
    }
}

/// What these rebalances stopped or moved, and for how long it stood still.
fn ranks(rebalances: &[Rebalance]) -> BTreeMap<&str, u64> {
    let mut ranks: BTreeMap<&str, u64> = BTreeMap::new();
    for rebalance in rebalances {
        for moved in &rebalance.moves {
            ranks.entry(&moved.resource).or_default();
        }
        for gap in &rebalance.gaps {
            let stood = ranks.entry(&gap.resource).or_default();
            *stood = stood.saturating_add(gap.length_ms().unwrap_or(0));
        }
    }
    ranks
}

/// Who had it at a time, or else first.
fn owner(stays: &[Stay], at: i64) -> Option<&str> {
    let then = stays.iter().rev().find(|stay| stay.from_ms <= at);
    then.or_else(|| stays.first()).map(|stay| stay.member.as_str())
}

fn height(lanes: usize) -> f64 {
    let each = |whole: f64| whole / lanes.max(1) as f64;
    each(HEIGHTS.0).max(each(HEIGHTS.1).min(LABELLED)).clamp(2.0, 22.0)
}

/// A colour for each member, in order of appearance.
pub(super) fn colours(timeline: &Timeline, names: &Names) -> Colours {
    let mut first: BTreeMap<&str, i64> = BTreeMap::new();
    for stay in timeline.lanes.values().flatten() {
        let since = first.entry(&stay.member).or_insert(stay.from_ms);
        *since = stay.from_ms.min(*since);
    }
    let mut members: Vec<(&str, i64)> = first.into_iter().collect();
    members.sort_by_cached_key(|(member, since)| (*since, key(names.get(*member).map_or(member, String::as_str))));
    members.into_iter().enumerate().map(|(number, (member, _))| (member.to_owned(), number % COLOURS)).collect()
}

/// The looks of colours that the sheet does not name: neighbours far apart on the wheel, each second one lighter.
pub(super) fn palette(colours: &Colours) -> String {
    let last = colours.values().max().map_or(0, |last| last + 1);
    let class = |number: usize| {
        let hue = (number * 137_508 / 1_000) % 360;
        let colour = format!("hsl({hue} 46% var(--tone{}))", number % 2);
        format!(".m{number} {{ fill: {colour}; background: {colour}; }}\n")
    };
    (COLOURS_NAMED..last).map(class).collect()
}

/// The names of the colours.
pub(super) fn legend(timeline: &Timeline, names: &Names, colours: &Colours) -> Markup {
    let mut members: Vec<(&str, usize)> =
        colours.iter().map(|(member, colour)| (names.get(member).unwrap_or(member).as_str(), *colour)).collect();
    members.sort_by_cached_key(|(name, _)| key(name));
    html! {
        p.legend {
            @for (name, colour) in members.iter().take(NAMES_MAX) {
                span { span class=(format!("key m{colour}")) {} (name) }
            }
            @if let Some(more) = members.len().checked_sub(NAMES_MAX).filter(|more| *more > 0) {
                span { "and " (more) " more, whose colours begin anew; point at a lane for its member" }
            }
            span { span.key.gap {} "nobody" }
            @if unseen(timeline).values().any(|ends| !ends.is_empty()) { span { span.key.unseen {} "nobody, since when is not known" } }
        }
    }
}

/// Lanes over time.
pub(super) fn chart(timeline: &Timeline, window: &Window<'_>, (names, colours): (&Names, &Colours)) -> Markup {
    let Shown { lanes, blocks, note } = window.shown(timeline, names);
    let unseen = unseen(timeline);
    let height = height(lanes.len());
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
                @if blocks.is_none() { (label((y, height), resource)) }
                @for stay in stays.iter().filter(|stay| shows(stay, window)) {
                    @let name = names.get(&stay.member).unwrap_or(&stay.member);
                    @let until = stay.to_ms.unwrap_or(window.to_ms);
                    @let class = format!("m{}", colours.get(&stay.member).copied().unwrap_or(0));
                    @let title = format!("{resource}: {name} from {}{}", clock(stay.from_ms), how(stay.basis));
                    (piece((at(stay.from_ms), at(until)), (y, height), (&class, &title, name)))
                }
                @for (from, to) in gaps(stays, window) {
                    @let (from_x, to_x) = widened((at(from), at(to)));
                    (piece((from_x, to_x), (y, height), ("gap", &format!("{resource}: nobody, {}", span(to.abs_diff(from))), "")))
                }
                @for to in unseen.get(resource.as_str()).into_iter().flatten().filter(|to| (window.from_ms..=window.to_ms).contains(*to)) {
                    @let title = format!("{resource}: when it stopped before {} nobody saw", clock(*to));
                    (piece((at(*to) - UNSEEN, at(*to)), (y, height), ("unseen", &title, "")))
                }
            }
            @for (y, block, name) in labels(blocks.as_deref().unwrap_or_default(), (height, lanes.len())) {
                line.axis x1=(LABELS - 7.0) x2=(LABELS) y1=(format!("{y:.1}")) y2=(format!("{y:.1}")) {}
                (label((y, block), name))
            }
            @for (number, began) in &marks {
                @let x = format!("{:.1}", at(*began));
                line.mark x1=(x) x2=(x) y1=(format!("{:.0}", TOP - 6.0)) y2=(format!("{bottom:.0}")) {}
                @if spaced(&marks, *number, &at) { text.number x=(x) y=(format!("{:.0}", TOP - 10.0)) text-anchor="middle" { "#" (number) } }
            }
            (axis(window, &scale, bottom))
        }
        @if blocks.is_some() {
            p.soft.small { "Lanes stand together by the member that had them first, whose name is at the left; point at one for its resource." }
        }
        @if let Some(note) = note { p.soft.small { (note) } }
    }
}

fn label((y, height): (f64, f64), name: &str) -> Markup {
    html! {
        text.tick x=(format!("{:.0}", LABELS - 10.0)) y=(format!("{:.1}", y + height / 2.0 + 4.0)) text-anchor="end" { (shortened(name)) }
    }
}

/// Where each block begins, its height, and its name; those too near to the one before go without.
fn labels<'a>(blocks: &[(&'a str, usize)], (height, rows): (f64, usize)) -> Vec<(f64, f64, &'a str)> {
    let ends = blocks.iter().skip(1).map(|(_, row)| *row).chain([rows]);
    let mut labels: Vec<(f64, f64, &str)> = Vec::new();
    let mut free = TOP;
    for ((name, first), end) in blocks.iter().zip(ends) {
        let (y, block) = (TOP + height * *first as f64, height * end.saturating_sub(*first) as f64);
        let middle = y + block / 2.0;
        if middle >= free {
            labels.push((y, block, *name));
            free = middle + LABELLED + 1.0;
        }
    }
    labels
}

fn hatching() -> Markup {
    html! {
        defs {
            pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                rect.hatched width="6" height="6" {}
                line.hatch x1="0" y1="0" x2="0" y2="6" {}
            }
            pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse" {
                rect.unseen-ground width="5" height="5" {}
                circle.unseen-dot cx="2.5" cy="2.5" r="1.3" {}
            }
        }
    }
}

fn piece((from, to): (f64, f64), (y, height): (f64, f64), (class, title, name): (&str, &str, &str)) -> Markup {
    let width = (to - from).max(NARROWEST);
    let (margin, round) = if height >= 7.0 { (1.0, Some("2")) } else { (0.0, None) };
    let inner = height - 2.0 * margin;
    html! {
        rect class=(class) x=(format!("{from:.1}")) y=(format!("{:.1}", y + margin)) width=(format!("{width:.1}")) height=(format!("{inner:.1}")) rx=[round] {
            title { (title) }
        }
        @if width > NAMED && height >= 15.0 && !name.is_empty() {
            text.inside x=(format!("{:.1}", from + 7.0)) y=(format!("{:.1}", y + height / 2.0 + 4.0)) { (name) }
        }
    }
}

/// Ends of gaps that began nobody knows when, by resource.
fn unseen(timeline: &Timeline) -> BTreeMap<&str, Vec<i64>> {
    let mut unseen: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for gap in timeline.rebalances.iter().flat_map(|rebalance| &rebalance.gaps) {
        let to_ms = gap.to_ms.value.filter(|_| gap.from_ms.value.is_none());
        unseen.entry(&gap.resource).or_default().extend(to_ms);
    }
    unseen
}

/// A gap that a long time makes narrow still shows.
fn widened((from, to): (f64, f64)) -> (f64, f64) {
    (from.min(to - GAP_NARROWEST), to)
}

/// Times between two stays, as far as they show.
fn gaps(stays: &[Stay], window: &Window<'_>) -> Vec<(i64, i64)> {
    let mut gaps: Vec<(i64, i64)> =
        stays.windows(2).filter_map(|pair| Some((pair.first()?.to_ms?, pair.last()?.from_ms))).collect();
    gaps.extend(stays.last().and_then(|last| last.to_ms).map(|end| (end, window.to_ms)));
    gaps.retain(|(from, to)| to > from && *to > window.from_ms && *from < window.to_ms);
    gaps
}

fn shows(stay: &Stay, window: &Window<'_>) -> bool {
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

fn axis(window: &Window<'_>, scale: &Scale, bottom: f64) -> Markup {
    let seconds = (window.to_ms - window.from_ms) as f64 / 1e3;
    let minute = window.from_ms - window.from_ms.rem_euclid(60_000);
    let first = (window.from_ms - minute) as f64 / 1e3;
    html! {
        line.axis x1=(format!("{LABELS:.0}")) x2=(format!("{:.0}", WIDTH - 8.0)) y1=(format!("{bottom:.0}")) y2=(format!("{bottom:.0}")) {}
        @for tick in ticks(first, first + seconds, 8) {
            @let at = minute + (tick * 1e3).round() as i64;
            @let x = format!("{:.1}", scale.at(at as f64));
            line.axis x1=(x) x2=(x) y1=(format!("{bottom:.0}")) y2=(format!("{:.0}", bottom + 4.0)) {}
            text.tick x=(x) y=(format!("{:.0}", bottom + 18.0)) text-anchor="middle" { (time(at, seconds)) }
        }
    }
}

fn time(at: i64, seconds: f64) -> String {
    let text = clock(at);
    let length = if seconds < 10.0 { 12 } else { 8 };
    text.chars().take(length).collect()
}

/// Names that end in numbers in the order of these, not in that of the alphabet.
pub(super) fn key(name: &str) -> (&str, Option<u64>) {
    let before = name.trim_end_matches(|one: char| one.is_ascii_digit());
    let number = name.strip_prefix(before).and_then(|digits| digits.parse().ok());
    if number.is_some() { (before, number) } else { (name, None) }
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
        let (ranks, scope) = (BTreeMap::new(), Scope::Everything);
        let window = Window { from_ms: 0, to_ms: 100, ranks, scope, lanes_max: 1 };
        assert_eq!(gaps(&[stay(0, Some(10)), stay(30, Some(40)), stay(40, None)], &window), [(10, 30)]);
        assert_eq!(gaps(&[stay(0, Some(90))], &window), [(90, 100)], "it never ran again");
    }

    #[test]
    fn a_gap_shows_however_long_the_chart() {
        assert_eq!(widened((100.0, 100.4)), (97.4, 100.4));
        assert_eq!(widened((100.0, 140.0)), (100.0, 140.0));
    }

    #[test]
    fn lanes_are_in_the_order_of_partitions() {
        let mut names = ["t-10", "t-2", "a-1", "m10", "m9", "t"];
        names.sort_by_key(|name| key(name));
        assert_eq!(names, ["a-1", "m9", "m10", "t", "t-2", "t-10"]);
    }

    #[test]
    fn labels_stand_apart() {
        let blocks = [("a", 0), ("b", 10), ("c", 11), ("d", 12), ("e", 20)];
        let named: Vec<&str> = labels(&blocks, (3.0, 30)).into_iter().map(|(.., name)| name).collect();
        assert_eq!(named, ["a", "b", "d", "e"]);
    }
}
