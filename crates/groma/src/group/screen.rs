use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

use groma_explain::{Awaited, Now, Rebalance, Remark, Timeline, clock, compact, counted, plain, span, trigger};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Where a picture is drawn: the terminal's other screen, given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Terminal {
    paint: Paint,
}

/// Whether colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Colour,
    Plain,
}

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Bold,
    Dim,
    Good,
    Warn,
}

/// A line of a picture.
pub(crate) type Line = Vec<(Look, String)>;

/// What is to be seen at once; where not everything fits, it is the members that go without.
#[derive(Debug)]
pub(crate) struct Picture {
    above: Vec<Line>,
    members: Vec<Line>,
    below: Vec<Line>,
}

/// Lines below the members that are no rebalances: a blank and a heading, and a blank and the keys.
const BELOW_FIXED: usize = 4;
/// Rebalances shown below the members.
const REBALANCES_SHOWN: usize = 8;
/// What a line ends in that goes on beyond the terminal's edge.
const CUT: &str = "\u{2026}";
/// Breaches of the rules shown below a rebalance.
const BREACHES_SHOWN: usize = 3;

impl Terminal {
    /// The terminal's other screen, if stdout is a terminal.
    pub(crate) fn open() -> Option<Self> {
        let mut out = io::stdout();
        out.is_terminal().then(|| {
            let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let _ = write!(out, "\x1b[?1049h\x1b[?25l");
            let _ = out.flush();
            Self { paint: if plain { Paint::Plain } else { Paint::Colour } }
        })
    }

    /// Draws a picture, as far as it fits.
    ///
    /// # Errors
    /// The terminal is gone.
    pub(crate) fn draw(&self, picture: &Picture) -> io::Result<()> {
        let (columns, rows) = size();
        let mut text = String::from("\x1b[H");
        for line in picture.fitted(rows.saturating_sub(1)) {
            text.push_str(&painted(&line, columns, self.paint));
            text.push_str("\x1b[K\r\n");
        }
        text.push_str("\x1b[J");
        let mut out = io::stdout();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let mut out = io::stdout();
        let _ = write!(out, "\x1b[?25h\x1b[?1049l");
        let _ = out.flush();
    }
}

fn size() -> (usize, usize) {
    rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .filter(|size| size.ws_col > 0 && size.ws_row > 0)
        .map_or((80, 24), |size| (usize::from(size.ws_col), usize::from(size.ws_row)))
}

fn painted(line: &Line, columns: usize, paint: Paint) -> String {
    let mut text = String::new();
    let mut left = columns;
    let is_cut = line.iter().map(|(_, piece)| plain(piece).width()).sum::<usize>() > columns;
    for (look, piece) in line {
        let piece = plain(piece);
        let room = if is_cut { left.saturating_sub(CUT.width()) } else { left };
        let mut shown = cut(&piece, room);
        if is_cut && left > 0 && shown.len() < piece.len() {
            shown.push_str(CUT);
            left = 0;
        }
        left = left.saturating_sub(shown.width());
        let code = match (paint, look) {
            (Paint::Plain, _) | (_, Look::Plain) => "",
            (_, Look::Bold) => "\x1b[1m",
            (_, Look::Dim) => "\x1b[2m",
            (_, Look::Good) => "\x1b[32m",
            (_, Look::Warn) => "\x1b[33m",
        };
        text.push_str(code);
        text.push_str(&shown);
        if !code.is_empty() {
            text.push_str("\x1b[0m");
        }
    }
    text
}

/// The picture of a group: its state, its members, its last rebalances.
pub(crate) fn picture(now: &Now, timeline: &Timeline, troubles: &[&str]) -> Picture {
    let names = timeline.names();
    let mut above: Vec<Line> = troubles.iter().map(|trouble| vec![(Look::Warn, (*trouble).to_owned())]).collect();
    above.extend([title(now, timeline), round(now, &names)]);
    above.extend(now.waits.iter().map(|awaited| waits(awaited, now.time_ms, &names)));
    above.push(Vec::new());
    let mut lines = vec![Vec::new()];
    let count = timeline.rebalances.len();
    lines.push(vec![(Look::Bold, counted(count as u64, "rebalance")), (Look::Dim, "  newest first".to_owned())]);
    let newest = timeline.rebalances.iter().rev().take(REBALANCES_SHOWN);
    for rebalance in newest {
        lines.push(vec![(Look::Plain, told(rebalance, &names))]);
        lines.extend(breaches(rebalance, &names).into_iter().map(|breach| vec![(Look::Warn, breach)]));
    }
    lines.push(Vec::new());
    lines.push(vec![(Look::Dim, format!("{} UTC  Ctrl-C ends", clock(now.time_ms)))]);
    Picture { above, members: members(now, &names), below: lines }
}

impl Picture {
    /// The lines that fit into so many rows: of members and rebalances fewer, of the rest everything.
    fn fitted(&self, rows: usize) -> Vec<Line> {
        let Self { above, members, below } = self;
        let fixed = above.len() + BELOW_FIXED;
        let rebalances = below.len().saturating_sub(BELOW_FIXED);
        let room = rows.saturating_sub(fixed);
        let told = rebalances.min((room / 3).max(room.saturating_sub(members.len())));
        let mut lines = above.clone();
        lines.extend(shortened(members, room - told));
        let (head, rest) = below.split_at(below.len().min(2));
        let (list, end) = rest.split_at(rebalances);
        lines.extend(head.iter().chain(&list[..told]).chain(end).cloned());
        lines.truncate(rows);
        lines
    }
}

/// The first lines, and how many more there are.
fn shortened(lines: &[Line], rows: usize) -> Vec<Line> {
    if lines.len() <= rows {
        return lines.to_vec();
    }
    let mut shown: Vec<Line> = lines.iter().take(rows.saturating_sub(1)).cloned().collect();
    let more = lines.len() - shown.len();
    shown.push(vec![(Look::Dim, format!("and {more} more; `groma group describe` lists all"))]);
    shown
}

/// As much of the text as fits into so many cells; letters of some scripts take two.
fn cut(text: &str, cells: usize) -> String {
    let mut left = cells;
    let fits = |one: &char| {
        let width = one.width().unwrap_or(0);
        let fits = width <= left;
        left = if fits { left - width } else { 0 };
        fits
    };
    text.chars().take_while(fits).collect()
}

/// The text with as many blanks as fill so many cells.
fn padded(text: &str, cells: usize) -> String {
    format!("{text}{}", " ".repeat(cells.saturating_sub(text.width())))
}

fn title(now: &Now, timeline: &Timeline) -> Line {
    let state = if now.state.is_empty() { "unknown" } else { &now.state };
    let look = if state == "Stable" { Look::Good } else { Look::Warn };
    let mut facts = vec![counted(now.members.len() as u64, "member"), format!("lag {}", now.lag())];
    let number = if now.is_reconciled() { "epoch" } else { "generation" };
    facts.extend(now.generation.map(|generation| format!("{number} {generation}")));
    facts.extend(now.protocol.clone());
    vec![
        (Look::Bold, timeline.group.clone()),
        (Look::Plain, "  ".to_owned()),
        (look, state.to_owned()),
        (Look::Plain, format!("  {}", facts.join("  "))),
    ]
}

fn waits(awaited: &Awaited, now_ms: i64, names: &BTreeMap<String, String>) -> Line {
    let resources: Vec<&str> = awaited.resources.iter().map(String::as_str).collect();
    let owner = awaited.owner.as_ref().map_or_else(|| "their owner".to_owned(), |owner| named(names, owner));
    let left = span(awaited.left_ms(now_ms));
    vec![(Look::Warn, format!("{} without an owner: {left} left for {owner} to come back", compact(&resources)))]
}

fn round(now: &Now, names: &BTreeMap<String, String>) -> Line {
    let by_coordinator = now.is_reconciled();
    let Some(round) = &now.round else {
        let calm = if by_coordinator { "everybody has what the coordinator gave out" } else { "no round is running" };
        return vec![(Look::Dim, calm.to_owned())];
    };
    let lasted = span(u64::try_from(now.time_ms.saturating_sub(round.since_ms)).unwrap_or(0));
    let what = if by_coordinator { "the coordinator has shared out anew for" } else { "a round has run for" };
    let mut text = format!("{what} {lasted}");
    if let Some((cause, member)) = &round.cause {
        let who = member.as_ref().map(|member| format!("{} ", named(names, member))).unwrap_or_default();
        text.push_str(&format!(": {who}{}", cause.words()));
    }
    let waits = match now.waits_for() {
        None => "; whom it waits for only our own broker tells".to_owned(),
        Some(waits) if waits.is_empty() => "; everybody is in".to_owned(),
        Some(waits) => {
            format!("; waits for {}", waits.iter().map(|member| named(names, member)).collect::<Vec<_>>().join(", "))
        }
    };
    vec![(Look::Warn, text), (Look::Warn, waits)]
}

fn members(now: &Now, names: &BTreeMap<String, String>) -> Vec<Line> {
    let mut held: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    let mut rows = vec![["MEMBER", "CLIENT", "HOST", "LAG", "HELD", "WHAT"].map(str::to_owned)];
    for (member, seat) in &now.members {
        let assigned: Vec<&str> = seat.assigned.iter().flatten().map(String::as_str).collect();
        held.extend(&assigned);
        let lag: u64 = assigned.iter().filter_map(|resource| now.partitions.get(*resource)?.lag()).sum();
        let holds = if seat.assigned.is_some() { compact(&assigned) } else { "?".to_owned() };
        let [member, client, host] =
            [&named(names, member), &seat.client, &seat.host].map(|text| plain(text).into_owned());
        let count = seat.assigned.as_ref().map_or_else(|| "?".to_owned(), |held| held.len().to_string());
        rows.push([member, client, host, lag.to_string(), count, holds]);
    }
    let nobodys: Vec<&str> = now.partitions.keys().map(String::as_str).filter(|name| !held.contains(name)).collect();
    if !nobodys.is_empty() {
        let lag: u64 = nobodys.iter().filter_map(|resource| now.partitions.get(*resource)?.lag()).sum();
        let dash = || "-".to_owned();
        rows.push(["nobody".to_owned(), dash(), dash(), lag.to_string(), nobodys.len().to_string(), compact(&nobodys)]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |(index, row): (usize, &[String; 6])| {
        let [member, client, host, lag, count, holds] = row;
        let text = format!(
            "{}  {}  {}  {lag:>behind$}  {count:>held$}  {holds}",
            padded(member, widths[0]),
            padded(client, widths[1]),
            padded(host, widths[2]),
            behind = widths[3],
            held = widths[4]
        );
        let look = match (index, member.as_str()) {
            (0, _) => Look::Dim,
            (_, "nobody") => Look::Warn,
            _ => Look::Plain,
        };
        vec![(look, text)]
    };
    rows.iter().enumerate().map(line).collect()
}

/// A rebalance in one line.
pub(crate) fn told(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> String {
    let (began, settled) = (rebalance.began_ms.value, rebalance.settled_ms.value);
    let figures = match settled {
        None => "running".to_owned(),
        Some(settled) => {
            let took =
                began.and_then(|began| u64::try_from(settled.saturating_sub(began)).ok()).filter(|took| *took > 0);
            let took = took.map_or_else(|| "?".to_owned(), span);
            let least = rebalance.least_moves.value.map_or_else(|| "?".to_owned(), |least| least.to_string());
            let stopped = rebalance.bill.stopped_ms.value;
            let stopped = stopped.map_or_else(|| "?".to_owned(), |ms| format!("{:.2}", ms as f64 / 1e3));
            let moved = rebalance.moved.value.map_or_else(|| "?".to_owned(), |moved| moved.to_string());
            format!("took {took}, moved {moved} (least {least}), {stopped} resource-seconds stopped")
        }
    };
    let began = began.map_or_else(|| "?".to_owned(), clock);
    plain(&format!("#{} {began}  {figures}: {}", rebalance.number, trigger(rebalance, names))).into_owned()
}

/// Who broke the rules in a rebalance, a line each.
pub(crate) fn breaches(rebalance: &Rebalance, names: &BTreeMap<String, String>) -> Vec<String> {
    let sentence =
        |breach: &Remark| plain(&format!("    {}", breach.words(|member| named(names, member)))).into_owned();
    let mut lines: Vec<String> = rebalance.breaches().take(BREACHES_SHOWN).map(sentence).collect();
    let more = rebalance.breaches().count().saturating_sub(BREACHES_SHOWN);
    lines.extend((more > 0).then(|| format!("    and {more} more of the kind; `groma group explain` lists all")));
    lines
}

/// A group in one line.
pub(crate) fn summary(now: &Now, timeline: &Timeline) -> String {
    let names = timeline.names();
    let text = |line: Line| line.into_iter().map(|(_, text)| text).collect::<String>();
    let running = now.round.as_ref().map(|_| format!("  {}", text(round(now, &names)))).unwrap_or_default();
    plain(&format!("{} {}{running}", clock(now.time_ms), text(title(now, timeline)))).into_owned()
}

fn named(names: &BTreeMap<String, String>, member: &str) -> String {
    names.get(member).cloned().unwrap_or_else(|| member.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_explain::{Fact, Seat, Source, What};

    #[test]
    fn lines_end_at_the_terminals_edge() {
        let line = vec![(Look::Bold, "abc".to_owned()), (Look::Plain, "def".to_owned())];
        assert_eq!(painted(&line, 6, Paint::Plain), "abcdef");
        assert_eq!(painted(&line, 5, Paint::Plain), "abcd\u{2026}");
        assert_eq!(painted(&line, 2, Paint::Colour), "\x1b[1ma\u{2026}\x1b[0m");
    }

    #[test]
    fn a_picture_shows_members_what_nobody_holds_and_lag() {
        let seat = Seat {
            member: "m".into(),
            client: "app".into(),
            host: "/10.0.0.1".into(),
            assigned: Some(vec!["t-0".into()]),
            ..Seat::default()
        };
        let seen = What::Seen {
            state: "Stable".into(),
            protocol_type: "consumer".into(),
            protocol: Some("range".into()),
            members: vec![seat],
        };
        let offsets = |pairs: [(&str, i64); 2]| pairs.map(|(name, offset)| (name.to_owned(), offset)).into();
        let facts = [
            seen,
            What::Committed { offsets: offsets([("t-0", 5), ("t-1", 1)]) },
            What::Ends { offsets: offsets([("t-0", 15), ("t-1", 4)]) },
        ]
        .map(|what| Fact { time_ms: 7, group: "g".into(), source: Source::Poll, member: None, what });
        let mut now = Now::default();
        facts.iter().for_each(|fact| now.take(fact));
        let lines = picture(&now, &Timeline::of(&facts, "g"), &[]).fitted(24);
        let text: Vec<String> = lines.iter().map(|line| painted(line, 200, Paint::Plain)).collect();
        assert_eq!(text[0], "g  Stable  1 member  lag 13  range");
        assert_eq!(text[3], "MEMBER  CLIENT  HOST       LAG  HELD  WHAT");
        assert_eq!(text[4], "m       app     /10.0.0.1   10     1  t 0");
        assert_eq!(text[5], "nobody  -       -            3     1  t 1");
    }

    #[test]
    fn b89_who_breaks_the_rules_is_named_below_the_rebalance() {
        let seat = |member: &str, number: i32| Seat {
            member: member.into(),
            assigned: Some(vec![format!("t-{number}")]),
            ..Seat::default()
        };
        let generation = |generation, members| What::Generation {
            generation,
            protocol_type: "consumer".into(),
            protocol: None,
            leader: None,
            members,
        };
        let given = |number: i32| {
            let (holder, given_to) = ("a".into(), "c".into());
            What::Remarked(Remark::GrantedHeld { holder, given_to, resource: format!("t-{number}") })
        };
        let facts: Vec<Fact> = [(1, generation(1, vec![seat("a", 1)])), (2, generation(2, vec![seat("c", 1)]))]
            .into_iter()
            .chain((1..=5).map(|number| (2, given(number))))
            .map(|(time_ms, what)| Fact { time_ms, group: "g".into(), source: Source::Offsets, member: None, what })
            .collect();
        let timeline = Timeline::of(&facts, "g");
        let lines = picture(&Now::default(), &timeline, &[]).fitted(24);
        let text: Vec<String> = lines.iter().map(|line| painted(line, 200, Paint::Plain)).collect();
        let at = text.iter().position(|line| line.starts_with("#2 ")).expect("the rebalance");
        assert_eq!(text[at + 1], "    against the rules: the leader gave t-1 to c while a holds it");
        assert_eq!(text[at + 4], "    and 2 more of the kind; `groma group explain` lists all");
    }

    #[test]
    fn a_low_terminal_shows_rebalances_keys_and_how_many_members_more() {
        let line = |text: String| vec![(Look::Plain, text)];
        let picture = |members: usize, rebalances: usize| Picture {
            above: ["title", "round", ""].map(|text| line(text.into())).into(),
            members: (0..=members).map(|number| line(format!("m{number}"))).collect(),
            below: ["", "heading"]
                .map(str::to_owned)
                .into_iter()
                .chain((0..rebalances).map(|number| format!("#{number}")))
                .chain(["", "keys"].map(str::to_owned))
                .map(line)
                .collect(),
        };
        let shown = |members, rebalances, rows| -> Vec<String> {
            let lines = picture(members, rebalances).fitted(rows);
            lines.iter().map(|line| painted(line, 80, Paint::Plain)).collect()
        };
        let few = shown(2, 1, 23);
        assert_eq!(few, ["title", "round", "", "m0", "m1", "m2", "", "heading", "#0", "", "keys"]);
        let many = shown(50, 8, 23);
        assert_eq!(many.len(), 23);
        assert_eq!(many[13], "and 41 more; `groma group describe` lists all");
        assert_eq!(many[15..], ["heading", "#0", "#1", "#2", "#3", "#4", "", "keys"]);
        assert_eq!(shown(50, 8, 9).last().unwrap(), "keys");
    }

    #[test]
    fn widths_are_those_of_cells() {
        assert_eq!((cut("日本語", 5), cut("abc", 2), padded("日本", 5)), ("日本".into(), "ab".into(), "日本 ".into()));
    }
}
