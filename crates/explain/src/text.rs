use std::collections::BTreeMap;
use std::fmt::Write;

use crate::{Basis, Gone, Known, Moved, Rebalance, Remarked, Round, Sharer, Source, Step, Timeline, plain};

/// A timeline as people read it, one block a rebalance; each line says how it is known.
pub fn text(timeline: &Timeline) -> String {
    let names = timeline.names();
    let mut out = heading(timeline);
    for rebalance in &timeline.rebalances {
        out.push('\n');
        for line in block(rebalance, &names) {
            let _ = writeln!(out, "{}", plain(line.trim_end()));
        }
    }
    out
}

fn heading(timeline: &Timeline) -> String {
    let count = timeline.rebalances.len();
    let mut out = format!("group {}: {}", plain(&timeline.group), counted(count as u64, "rebalance"));
    if timeline.to_ms > 0 {
        let _ =
            write!(out, " from {} {} to {} UTC", day(timeline.from_ms), clock(timeline.from_ms), clock(timeline.to_ms));
    }
    let seen: Vec<&str> = timeline.sources.iter().map(|source| source_words(*source)).collect();
    let _ = writeln!(out, "\nseen by: {}", if seen.is_empty() { "nobody".to_owned() } else { seen.join(", ") });
    out
}

/// A source in words.
pub(crate) const fn source_words(source: Source) -> &'static str {
    match source {
        Source::Member => "members' own traces",
        Source::Broker => "the coordinator",
        Source::Offsets => "records of __consumer_offsets",
        Source::Poll => "polling",
        Source::Log => "the partitions' records",
    }
}

fn block(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> Vec<String> {
    let began = rebalance.began_ms.value.map_or_else(|| "?".to_owned(), clock);
    let mut lines = vec![format!(
        "#{} {began}  {} [{}]",
        rebalance.number,
        trigger(rebalance, names),
        basis(rebalance.trigger.basis)
    )];
    if let Some(says) = &rebalance.trigger.says {
        lines.push(row("it says", says));
    }
    lines.push(row("took", &took(rebalance)));
    if !rebalance.arrived.is_empty() {
        lines.push(row("came", &listed(rebalance.arrived.iter().map(|member| named(names, member)))));
    }
    if !rebalance.gone.is_empty() {
        lines.push(row("gone", &listed(rebalance.gone.iter().map(|gone| departed(gone, names)))));
    }
    lines.extend(on_the_way(rebalance, names));
    lines.extend(moved(rebalance, names));
    lines.extend(remarks(rebalance, names));
    lines.extend(slow(rebalance, names));
    lines.extend(bill(rebalance));
    lines
}

/// What began it, in words.
pub fn trigger(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> String {
    let words = rebalance.trigger.trigger.words();
    match &rebalance.trigger.member {
        Some(member) => format!("{} {words}", named(names, member)),
        None => words.to_owned(),
    }
}

fn took(rebalance: &Rebalance) -> String {
    let (began, settled) = (&rebalance.began_ms, &rebalance.settled_ms);
    let length = match (began.value, settled.value) {
        (Some(_), None) if rebalance.unowned.is_empty() => "not over yet".to_owned(),
        (Some(_), None) => {
            let unowned: Vec<&str> = rebalance.unowned.iter().map(String::as_str).collect();
            format!("not over yet: {} without an owner", compact(&unowned))
        }
        (Some(from), Some(to)) if began.basis == Basis::Observed || to > from => {
            format!(
                "{} [{}]",
                span(u64::try_from(to.saturating_sub(from)).unwrap_or(0)),
                basis(began.basis.max(settled.basis))
            )
        }
        _ => format!("unknown [{}]", rebalance.began_ms.note.as_deref().unwrap_or("when it began nobody saw")),
    };
    let mut text = format!("{length}, {}", rounds(rebalance));
    if let Some(protocol) = rebalance.rounds.last().and_then(|round| round.protocol.as_ref()) {
        let _ = write!(text, ", `{protocol}`");
    }
    text
}

/// How many rounds or epochs a rebalance took, and which.
pub fn rounds(rebalance: &Rebalance) -> String {
    let numbers: Vec<String> = rebalance.rounds.iter().filter_map(|r| r.generation).map(|g| g.to_string()).collect();
    let numbers = numbers.join(", ");
    if rebalance.rounds.last().is_some_and(|round| round.by == Sharer::Coordinator) {
        return format!("epoch {numbers}, shared out by the coordinator");
    }
    let count = counted(rebalance.rounds.len() as u64, "round");
    if numbers.is_empty() { count } else { format!("{count}, generation {numbers}") }
}

/// Who does not have what it is to have, where the coordinator shares out and is not done.
fn on_the_way(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> Vec<String> {
    let Some(last) = rebalance.rounds.last().filter(|round| round.stable_ms.value.is_none()) else { return Vec::new() };
    let (Some(target), Some(current)) = (&last.target, &last.current) else { return Vec::new() };
    let (Some(targets), Some(has)) = (&target.value, &current.value) else {
        let why = target.note.as_ref().or(current.note.as_ref());
        return vec![row("target", &format!("unknown [{}]", why.map_or("", String::as_str)))];
    };
    let words = |(member, is_to_have): (&String, &Vec<String>)| {
        let has = has.get(member).filter(|has| *has != is_to_have)?;
        let list = |resources: &[String]| match resources {
            [] => "nothing".to_owned(),
            some => compact(&some.iter().map(String::as_str).collect::<Vec<_>>()),
        };
        Some(format!("{} is to have {}, and has {} [observed]", named(names, member), list(is_to_have), list(has)))
    };
    let heads = std::iter::once("target").chain(std::iter::repeat(""));
    heads.zip(targets.iter().filter_map(words)).map(|(head, words)| row(head, &words)).collect()
}

fn departed(gone: &Gone, names: &BTreeMap<String, String>) -> String {
    format!("{} ({})", named(names, &gone.member), gone.cause.words())
}

fn moved(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> Vec<String> {
    let of = rebalance
        .rounds
        .last()
        .and_then(Round::owners)
        .map(|owners| format!(" of {}", owners.len()))
        .unwrap_or_default();
    let count = match &rebalance.moved {
        Known { value: Some(moved), basis: Basis::Observed, .. } => format!("{moved}{of}"),
        moved => known(moved, |moved| format!("{moved}{of}")),
    };
    let ended = rebalance.moves.iter().filter(|moved| moved.to.is_none()).count() as u64;
    let count =
        if ended == 0 { count } else { format!("{count}, and {} without an owner now", counted(ended, "resource")) };
    let mut lines = vec![row("moved", &count)];
    let groups = alike(&rebalance.moves);
    let more = groups.len().saturating_sub(MOVES_SHOWN);
    for ((from, to, reason, known_by), resources) in groups.into_iter().take(MOVES_SHOWN) {
        let name = |member: Option<&String>| member.map_or_else(|| "nobody".to_owned(), |member| named(names, member));
        let (from, to) = (name(from), name(to));
        lines.push(row("", &format!("{} from {from} to {to}: {reason} [{}]", compact(&resources), basis(known_by))));
    }
    if more > 0 {
        lines.push(row("", &format!("and between {more} more pairs of members; --json tells all")));
    }
    lines.push(row("least", &known(&rebalance.least_moves, |least| format!("{least} had to move"))));
    lines
}

/// What moves that belong together have in common: from, to, why, and how that is known.
type Alike<'a> = (Option<&'a String>, Option<&'a String>, &'static str, Basis);

fn alike(moves: &[Moved]) -> BTreeMap<Alike<'_>, Vec<&str>> {
    let mut groups: BTreeMap<Alike<'_>, Vec<&str>> = BTreeMap::new();
    for moved in moves {
        let key = (moved.from.as_ref(), moved.to.as_ref(), moved.reason.words(), moved.basis);
        groups.entry(key).or_default().push(&moved.resource);
    }
    groups
}

/// Resources in few words: `t-0 t-1 t-2 t-5` as `t 0-2 5`.
pub fn compact(resources: &[&str]) -> String {
    let mut topics: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    let mut plain: Vec<&str> = Vec::new();
    for resource in resources {
        match resource.rsplit_once('-').and_then(|(topic, number)| Some((topic, number.parse().ok()?))) {
            Some((topic, number)) => topics.entry(topic).or_default().push(number),
            None => plain.push(resource),
        }
    }
    let mut parts: Vec<String> =
        topics.into_iter().map(|(topic, numbers)| format!("{topic} {}", runs(numbers))).collect();
    parts.extend(plain.into_iter().map(str::to_owned));
    parts.join("  ")
}

fn runs(mut numbers: Vec<i64>) -> String {
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b)).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(" ")
}

fn remarks(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> Vec<String> {
    let words = |one: &Remarked| format!("{} [{}]", one.remark.words(|member| named(names, member)), basis(one.basis));
    let heads = std::iter::once("noticed").chain(std::iter::repeat(""));
    heads.zip(&rebalance.remarks).map(|(head, one)| row(head, &words(one))).collect()
}

fn slow(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> Vec<String> {
    let Some(slowest) = rebalance.steps.first() else {
        return vec![row("steps", "unknown [no source here times the steps of a round]")];
    };
    let mut lines = vec![row("slowest", &step_words(slowest, names))];
    let short = slowest.took_ms.value.unwrap_or(0) / SHORT_SHARE;
    let others = rebalance.steps.iter().skip(1).filter(|step| step.took_ms.value.is_some_and(|ms| ms > short));
    let others = others.take(STEPS_SHOWN);
    lines.extend(others.map(|step| row("", &step_words(step, names))));
    lines
}

/// A step with its length, in words.
pub fn step_words(step: &Step, names: &BTreeMap<String, String>) -> String {
    let member = step.member.as_ref().map_or_else(|| "somebody".to_owned(), |member| named(names, member));
    let words = step.kind.words().replace("{}", &member);
    known(&step.took_ms, |took| format!("{} {words}", span(*took)))
}

fn bill(rebalance: &Rebalance) -> Vec<String> {
    let bill = &rebalance.bill;
    let records = |records: &u64| counted(*records, "record");
    let mut lines = vec![
        row(
            "bill",
            &format!("not running: {}", known(&bill.stopped_ms, |ms| format!("{} resource-seconds", seconds(*ms)))),
        ),
        row("", &format!("delayed: {}", known(&bill.delayed_records, records))),
        row("", &format!("processed twice: {}", known(&bill.repeated_records, records))),
    ];
    if let (None, Some(most)) = (bill.repeated_records.value, bill.repeated_records_at_most.value) {
        let note = bill.repeated_records_at_most.note.as_deref().unwrap_or_default();
        lines.push(row("", &format!("processed twice, at most: {} [inferred: {note}]", counted(most, "record"))));
    }
    lines
}

/// A value with how it is known.
fn known<T>(known: &Known<T>, words: impl Fn(&T) -> String) -> String {
    let note = known.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
    match &known.value {
        Some(value) => format!("{} [{}{note}]", words(value), basis(known.basis)),
        None => format!("unknown [{}]", known.note.as_deref().unwrap_or_default()),
    }
}

const fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Observed => "observed",
        Basis::Inferred => "inferred",
        Basis::Unknown => "unknown",
    }
}

fn row(head: &str, body: &str) -> String {
    format!("    {head:<8} {body}")
}

/// The first of them, and how many more.
fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let (shown, more) = items.split_at(items.len().min(NAMES_SHOWN));
    match more.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn named(names: &BTreeMap<String, String>, member: &str) -> String {
    names.get(member).cloned().unwrap_or_else(|| member.to_owned())
}

/// `1 round`, `2 rounds`.
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Milliseconds as `340 ms`, `3.4 s` or `2 min 5 s`.
pub fn span(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{} s", seconds(ms)),
        _ => format!("{} min {} s", ms / 60_000, ms / 1_000 % 60),
    }
}

fn seconds(ms: u64) -> String {
    match ms {
        0 => "0".to_owned(),
        1..100 => format!("{:.3}", ms as f64 / 1e3),
        100..10_000 => format!("{:.2}", ms as f64 / 1e3),
        _ => format!("{:.1}", ms as f64 / 1e3),
    }
}

/// The time of day in UTC: `11:23:10.320`.
pub fn clock(ms: i64) -> String {
    let of_day = ms.rem_euclid(DAY_MS);
    let (hours, minutes) = (of_day / 3_600_000, of_day / 60_000 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{:03}", of_day / 1_000 % 60, of_day % 1_000)
}

/// The date in UTC: `2026-11-30`. (Days to civil dates by Howard Hinnant's method.)
pub fn day(ms: i64) -> String {
    let days = ms.div_euclid(DAY_MS) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let date = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}")
}

const DAY_MS: i64 = 86_400_000;
/// Steps shorter than the slowest by this factor are not worth a line.
const SHORT_SHARE: u64 = 50;
const STEPS_SHOWN: usize = 4;
/// Lines of what moved between the same two members.
const MOVES_SHOWN: usize = 16;
/// Members in a list.
const NAMES_SHOWN: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_partitions_are_short() {
        assert_eq!(compact(&["t-0", "t-1", "t-2", "t-5", "u-v-3", "camera"]), "t 0-2 5  u-v 3  camera");
        assert_eq!(compact(&[]), "");
    }

    #[test]
    fn long_lists_end_with_how_many_more() {
        let members = |count: usize| (0..count).map(|number| format!("m{number}"));
        assert_eq!(listed(members(2)), "m0, m1");
        assert!(listed(members(40)).ends_with("m10, m11 and 28 more"));
    }

    #[test]
    fn times_read_well() {
        assert_eq!((day(0), clock(0)), ("1970-01-01".into(), "00:00:00.000".into()));
        assert_eq!((day(951_868_799_999), clock(951_868_799_999)), ("2000-02-29".into(), "23:59:59.999".into()));
        assert_eq!(day(1_796_000_000_000), "2026-11-30");
        assert_eq!([0, 999, 1_000, 12_340, 125_000].map(span), ["0 ms", "999 ms", "1.00 s", "12.3 s", "2 min 5 s"]);
        assert_eq!((counted(1, "round"), counted(2, "round")), ("1 round".into(), "2 rounds".into()));
    }
}
