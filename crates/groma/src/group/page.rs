use std::collections::BTreeMap;

use groma_bench::report::style::SHEET;
use groma_explain::{
    Basis, Known, Moved, Rebalance, Timeline, clock, counted, day, plain, rounds, span, step_words, trigger,
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::lanes::{self, Window};

/// Names of members as people read them.
pub(super) type Names = BTreeMap<String, String>;

/// What is told of single moves and steps; the rest is counted.
const ROWS_SHOWN: usize = 24;
/// Rebalances that have a chart of their own, the newest.
const CHARTS_SHOWN: usize = 40;

/// The page for a timeline: one file that needs no other.
pub(crate) fn html(timeline: &Timeline) -> String {
    let names = timeline.names();
    let colours = lanes::colours(timeline, &names);
    let skipped = timeline.rebalances.len().saturating_sub(CHARTS_SHOWN);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (timeline.group) " · rebalances" }
                style { (PreEscaped(SHEET)) (PreEscaped(include_str!("page.css"))) (PreEscaped(lanes::palette(&colours))) }
            }
            body {
                main {
                    (opening(timeline))
                    section {
                        header {
                            h2 { "Who ran what" }
                            p { "One lane a resource, one colour a member. Hatched stretches are gaps: nobody ran the resource; short ones are drawn wider than they were. Where dots end, a gap ended that began nobody knows when. A line marks each rebalance." }
                        }
                        div.card.scroll {
                            (lanes::chart(timeline, &Window::whole(timeline), (&names, &colours)))
                            (lanes::legend(timeline, &names, &colours))
                        }
                    }
                    @if skipped > 0 { p.note { (counted(skipped as u64, "earlier rebalance")) " not shown one by one." } }
                    @for rebalance in timeline.rebalances.iter().rev().take(CHARTS_SHOWN) {
                        (section(timeline, rebalance, (&names, &colours)))
                    }
                    (reading(timeline))
                    footer { "Made by groma from what " (sources(timeline)) " told." }
                }
            }
        }
    };
    let lines: Vec<_> = page.0.lines().map(plain).collect();
    lines.join("\n")
}

fn opening(timeline: &Timeline) -> Markup {
    let bills = || timeline.rebalances.iter().map(|rebalance| &rebalance.bill);
    let moves = total(timeline.rebalances.iter().map(|rebalance| &rebalance.moved));
    let least = total(timeline.rebalances.iter().map(|rebalance| &rebalance.least_moves));
    let stopped = total(bills().map(|bill| &bill.stopped_ms));
    let delayed = total(bills().map(|bill| &bill.delayed_records));
    html! {
        header {
            p.eyebrow { "Groma group report" }
            h1 { "What happened in group " (timeline.group) }
            p.lead { (day(timeline.from_ms)) ", " (clock(timeline.from_ms)) " to " (clock(timeline.to_ms)) " UTC. " (worst(timeline)) }
            dl.figures {
                div { dt { "rebalances" } dd { (timeline.rebalances.len()) } }
                div { dt { "resources moved" } dd { (figure(&moves, |moves| moves.to_string())) @if let Some(had_to) = least.0 { small { ", " (had_to) " had to" (mark(least.1)) } } } }
                div { dt { "resource-seconds not running" } dd { (figure(&stopped, |ms| format!("{:.1}", ms as f64 / 1e3))) } }
                div { dt { "records delayed" } dd { (figure(&delayed, |records| records.to_string())) } }
            }
            @if [&moves, &least, &stopped, &delayed].iter().any(|(value, missing)| *missing > 0 && value.is_some_and(|value| value > 0)) {
                p.soft.small { "* At least: of some rebalances it is not known; each one's own bill says why." }
            }
        }
    }
}

/// The sum of what is known, and how many are not.
fn total<'a>(values: impl Iterator<Item = &'a Known<u64>>) -> (Option<u64>, usize) {
    let values: Vec<Option<u64>> = values.map(|known| known.value).collect();
    let missing = values.iter().filter(|value| value.is_none()).count();
    (values.into_iter().flatten().reduce(u64::saturating_add), missing)
}

fn mark(missing: usize) -> Markup {
    html! { @if missing > 0 { span.soft title=(format!("{} not known", counted(missing as u64, "rebalance"))) { " *" } } }
}

fn figure((value, missing): &(Option<u64>, usize), words: impl Fn(u64) -> String) -> Markup {
    html! {
        @match value {
            Some(0) if *missing > 0 => { small { "not known" } },
            Some(value) => { (words(*value)) (mark(*missing)) },
            None => { small { "not known" } },
        }
    }
}

/// The dearest rebalance in one sentence.
fn worst(timeline: &Timeline) -> Markup {
    let names = timeline.names();
    let dearest = timeline.rebalances.iter().max_by_key(|rebalance| rebalance.bill.stopped_ms.value);
    html! {
        @if let Some((rebalance, ms)) = dearest.and_then(|r| Some((r, r.bill.stopped_ms.value?))).filter(|(_, ms)| *ms > 0) {
            "The dearest rebalance was "
            a href=(format!("#r{}", rebalance.number)) { "#" (rebalance.number) }
            ": " b { (trigger(rebalance, &names)) }
            ", and resources did not run for " b { (format!("{:.1}", ms as f64 / 1e3)) " resource-seconds" } "."
        }
    }
}

fn section(timeline: &Timeline, rebalance: &Rebalance, (names, colours): (&Names, &lanes::Colours)) -> Markup {
    let charts = timeline.rebalances.len().min(CHARTS_SHOWN);
    html! {
        section id=(format!("r{}", rebalance.number)) {
            header {
                h2 { span.number { "#" (rebalance.number) } " " (trigger(rebalance, names)) " " (tag(rebalance.trigger.basis)) }
                p { (summary(rebalance)) }
            }
            div.card.scroll { (lanes::chart(timeline, &Window::around(timeline, rebalance, charts), (names, colours))) }
            div.pair.under {
                div.card { h3 { "Where the time went" } (steps(rebalance, names)) }
                div.card { h3 { "The bill" } (bill(rebalance)) }
            }
            @if !rebalance.remarks.is_empty() { div.card.under { h3 { "Noticed" } (remarks(rebalance, names)) } }
            @if !rebalance.moves.is_empty() { div.card.under.scroll { h3 { "What moved" } (moves(rebalance, names)) } }
        }
    }
}

fn summary(rebalance: &Rebalance) -> Markup {
    let began = rebalance.began_ms.value;
    let took =
        began.zip(rebalance.settled_ms.value).map(|(from, to)| u64::try_from(to.saturating_sub(from)).unwrap_or(0));
    let protocol = rebalance.rounds.last().and_then(|round| round.protocol.as_ref());
    html! {
        @if let Some(began) = began { (day(began)) " " (clock(began)) " UTC, " }
        @match took {
            Some(took) if took > 0 => { "settled after " b { (span(took)) } " " (tag(rebalance.began_ms.basis.max(rebalance.settled_ms.basis))) },
            Some(_) => { "how long it took nobody saw" },
            None => { "not over yet" },
        }
        ", " (rounds(rebalance))
        @if let Some(protocol) = protocol { ", " code { (protocol) } }
        "."
        @if let Some(says) = &rebalance.trigger.says { " The member says: \u{201c}" (says) "\u{201d}." }
    }
}

fn steps(rebalance: &Rebalance, names: &Names) -> Markup {
    let longest = rebalance.steps.iter().filter_map(|step| step.took_ms.value).max().unwrap_or(1).max(1);
    html! {
        @if rebalance.steps.is_empty() { p.soft { "No source times the steps of a round here: our own broker does, and members' traces." } }
        ol.steps {
            @for step in rebalance.steps.iter().take(8) {
                @let share = step.took_ms.value.unwrap_or(0) as f64 / longest as f64 * 100.0;
                li {
                    span.words { (without_basis(&step_words(step, names))) " " (tag(step.took_ms.basis)) }
                    span.meter.wide { i style=(format!("width:{share:.1}%")) {} }
                }
            }
        }
    }
}

/// Words end with how they are known in brackets; here a tag says that.
fn without_basis(words: &str) -> &str {
    words.rsplit_once(" [").map_or(words, |(words, _)| words)
}

fn bill(rebalance: &Rebalance) -> Markup {
    let bill = &rebalance.bill;
    html! {
        dl.list {
            dt { "not running" } dd { (value(&bill.stopped_ms, |ms| format!("{:.2} resource-seconds", ms as f64 / 1e3))) }
            dt { "delayed" } dd { (value(&bill.delayed_records, |n| counted(n, "record"))) }
            dt { "processed twice" } dd { (value(&bill.repeated_records, |n| counted(n, "record"))) }
            @if bill.repeated_records.value.is_none() && bill.repeated_records_at_most.value.is_some() {
                dt { "at most" } dd { (value(&bill.repeated_records_at_most, |n| counted(n, "record"))) }
            }
            dt { "moved" } dd { (value(&rebalance.moved, |n| counted(n, "resource"))) }
            dt { "least possible" } dd { (value(&rebalance.least_moves, |n| counted(n, "resource"))) }
        }
    }
}

fn moves(rebalance: &Rebalance, names: &Names) -> Markup {
    let name = |member: &Option<String>| member.as_ref().map_or_else(|| "nobody".to_owned(), |m| named(names, m));
    let gap =
        |resource: &str| rebalance.gaps.iter().find(|gap| gap.resource == resource).and_then(|gap| gap.length_ms());
    let mut moved: Vec<&Moved> = rebalance.moves.iter().collect();
    moved.sort_by_cached_key(|moved| lanes::key(&moved.resource));
    html! {
        table.rows {
            thead { tr { th.left { "resource" } th.left { "from" } th.left { "to" } th.left { "why" } th { "did not run for" } } }
            tbody {
                @for moved in moved.into_iter().take(ROWS_SHOWN) {
                    tr {
                        td.left.strong { (moved.resource) }
                        td.left { (name(&moved.from)) }
                        td.left { (name(&moved.to)) }
                        td.left { (moved.reason.words()) " " (tag(moved.basis)) }
                        td { @match gap(&moved.resource) { Some(ms) => (span(ms)), None => "not known" } }
                    }
                }
            }
        }
        @if rebalance.moves.len() > ROWS_SHOWN { p.soft { "and " (rebalance.moves.len() - ROWS_SHOWN) " more" } }
    }
}

fn remarks(rebalance: &Rebalance, names: &Names) -> Markup {
    html! {
        ul {
            @for one in rebalance.remarks.iter().take(ROWS_SHOWN) {
                li { (one.remark.words(|member| named(names, member))) " " (tag(one.basis)) }
            }
        }
        @if rebalance.remarks.len() > ROWS_SHOWN { p.soft { "and " (rebalance.remarks.len() - ROWS_SHOWN) " more" } }
    }
}

fn value(known: &Known<u64>, words: impl Fn(u64) -> String) -> Markup {
    let note = known.note.as_deref().unwrap_or_default();
    html! {
        @match known.value {
            Some(value) => { (words(value)) " " (tag(known.basis)) },
            None => { "not known" },
        }
        @if !note.is_empty() { div.soft.small { (note) } }
    }
}

fn tag(basis: Basis) -> Markup {
    let (class, word) = match basis {
        Basis::Observed => ("observed", "observed"),
        Basis::Inferred => ("inferred", "inferred"),
        Basis::Unknown => ("unknown", "unknown"),
    };
    html! { span class=(format!("basis {class}")) { (word) } }
}

fn reading(timeline: &Timeline) -> Markup {
    html! {
        section {
            header { h2 { "How to read this" } }
            div.how {
                div { h3 { "Observed, inferred, unknown" } p { "Observed: somebody saw it. Inferred: it follows from what was seen by the rule given beside it. Unknown: nothing seen tells, and nothing is guessed." } }
                div { h3 { "Rebalance" } p { "From an event to the next time everything has an owner: one round, or several under a cooperative protocol." } }
                div { h3 { "Least possible" } p { "The fewest resources that had to get another owner for shares as even as they came out." } }
                div { h3 { "Sources" } p { "This page rests on " (sources(timeline)) ". Instances started with --trace, and groma group watch --trace, record more." } }
            }
        }
    }
}

fn sources(timeline: &Timeline) -> String {
    use groma_explain::Source;
    let words = |source: &Source| match source {
        Source::Member => "members' own traces",
        Source::Broker => "the coordinator",
        Source::Offsets => "the records of __consumer_offsets",
        Source::Poll => "polling",
        Source::Log => "the partitions' records",
    };
    timeline.sources.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn named(names: &Names, member: &str) -> String {
    names.get(member).cloned().unwrap_or_else(|| member.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_explain::{Fact, Seat, Source, What};

    /// Every resource goes on to the next member, twice.
    fn moving(resources: usize, members: usize) -> Timeline {
        let generation = |turn: usize| {
            let seat = |member: usize| Seat {
                member: format!("m{member}"),
                assigned: Some(
                    (0..resources).filter(|r| (r + turn) % members == member).map(|r| format!("t-{r}")).collect(),
                ),
                topics: Some(vec!["t".into()]),
                ..Seat::default()
            };
            let (protocol_type, protocol) = ("consumer".into(), Some("range".into()));
            let (generation, members) = (turn as i32 + 1, (0..members).map(seat).collect());
            let what = What::Generation { generation, protocol_type, protocol, leader: None, members };
            Fact {
                time_ms: 60_000 * turn as i64,
                group: "g\u{202e}".into(),
                source: Source::Offsets,
                member: None,
                what,
            }
        };
        Timeline::of(&[generation(0), generation(1), generation(2)], "g\u{202e}")
    }

    #[test]
    fn every_resource_has_its_lane_and_every_member_its_colour_and_name() {
        let page = html(&moving(500, 50));
        let (whole, _) = page.split_once("</svg>").unwrap();
        for resource in 0..500 {
            assert!(whole.contains(&format!("<title>t-{resource}: m")), "t-{resource}");
        }
        for member in 0..50 {
            assert!(whole.contains(&format!(">m{member}</text>")), "m{member} is not named");
            assert!(whole.contains(&format!("class=\"m{member}\"")), "m{member} shares a colour");
            assert_eq!(page.contains(&format!(".m{member} {{ fill: hsl(")), member >= 10);
        }
        assert!(!page.contains("resources are shown"), "all are");
    }

    #[test]
    fn what_is_left_out_is_told() {
        let page = html(&moving(2_000, 7));
        assert!(page.contains("1000 of 2000 resources are shown: those that stood still longest."));
        assert!(page.len() < 4 << 20, "{} bytes", page.len());
    }

    #[test]
    fn names_do_not_turn_the_page_round() {
        assert!(!html(&moving(1, 1)).contains('\u{202e}'));
    }
}
