use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use groma_explain::{Counters, Fact, Looks, Now, Timeline, What, clock, line, plain, span};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::collect::{Collector, now_ms};
use super::explain::unwritable;
use super::metrics::Metrics;
use super::screen::{Terminal, breaches, picture, summary, told};
use crate::args::GroupWatch;
use crate::command::block_on;
use crate::exit::{Done, Failure, Outcome};

/// Watches a group until Ctrl-C.
pub(crate) fn watch(asked: GroupWatch) -> Outcome {
    block_on(async move { Watcher::begin(asked).await?.run().await })
}

struct Watcher {
    collector: Collector,
    view: View,
}

/// What has been seen, and where it is shown.
struct View {
    asked: GroupWatch,
    facts: Vec<Fact>,
    now: Now,
    timeline: Timeline,
    /// Looks after which the timeline is made anew: what a rebalance cost shows only after it.
    stale: u32,
    trace: Option<(PathBuf, File)>,
    metrics: Option<Metrics>,
    counters: Counters,
    heard: Heard,
    out: Out,
}

/// When the cluster last answered.
struct Heard {
    at: Instant,
    time_ms: i64,
    /// When people were last told that it does not.
    told: Option<Instant>,
}

/// Where results go.
enum Out {
    /// Facts as lines.
    Facts,
    /// A line for what is new.
    Lines(Told),
    /// A picture on a terminal, and what went wrong at the last look.
    Picture(Terminal, Option<String>),
}

/// What was told in lines.
#[derive(Default)]
struct Told {
    rebalances: usize,
    state: (String, usize, Option<i32>),
    at: Option<Instant>,
}

/// Offsets that are kept, each of each look; older ones are in the trace, if there is one.
const OFFSETS_KEPT: usize = 500_000;
/// Members and resources in facts of other kinds that are kept.
const ROUNDS_KEPT: usize = 1_000_000;
/// Looks after a change at which the timeline is made anew.
const STALE_LOOKS: u32 = 4;
/// An answer is late after this, or after two intervals.
const LATE: Duration = Duration::from_secs(2);
/// While no answer comes the clock is shown anew this often.
const REDRAW: Duration = Duration::from_millis(500);
/// Without news a line is told this often.
const QUIET: Duration = Duration::from_secs(10);

impl Watcher {
    async fn begin(asked: GroupWatch) -> Result<Self, Failure> {
        let trace = match &asked.trace {
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                Some((path.clone(), file.map_err(|error| unwritable(path, &error))?))
            }
            None => None,
        };
        let metrics = match &asked.metrics {
            Some(address) => Some(Metrics::listen(address).await?),
            None => None,
        };
        let mut collector = Collector::open(&asked.cluster, &asked.group).await?;
        let mut facts = collector.history().await;
        facts.push(collector.watching(asked.interval.ms));
        collector.look(&mut facts).await?;
        collector.missing.iter().for_each(|missing| eprintln!("{}", plain(missing)));
        let timeline = Timeline::of(&facts, &asked.group);
        let out = if asked.json { Out::Facts } else { Out::for_people(&timeline) };
        let (now, stale, counters) = (Now::default(), 1, Counters::default());
        let heard = Heard::now();
        let mut view = View { asked, facts: Vec::new(), now, timeline, stale, trace, metrics, counters, heard, out };
        view.take(facts)?;
        view.show()?;
        Ok(Self { collector, view })
    }

    async fn run(&mut self) -> Outcome {
        let every = Duration::from_millis(self.view.asked.interval.ms);
        let mut ticks = interval_at(Instant::now() + every, every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = self.view.asked.length.map(|length| Instant::now() + Duration::from_millis(length.ms));
        loop {
            tokio::select! {
                biased;
                () = until(end) => return Ok(Done::Fine),
                _ = ticks.tick() => {}
            }
            tokio::select! {
                biased;
                () = until(end) => return Ok(Done::Fine),
                turned = self.turn() => turned?,
            }
        }
    }

    /// A look; until it is answered the view says since when nothing was heard.
    async fn turn(&mut self) -> Result<(), Failure> {
        let Self { collector, view } = self;
        let mut facts = Vec::new();
        let mut redraws = interval_at(Instant::now() + REDRAW, REDRAW);
        let looked = {
            let mut look = std::pin::pin!(collector.look(&mut facts));
            loop {
                tokio::select! {
                    biased;
                    looked = &mut look => break looked,
                    _ = redraws.tick() => view.wait()?,
                }
            }
        };
        view.looked(looked.err().map(|error| error.to_string()), facts)
    }
}

impl Heard {
    fn now() -> Self {
        Self { at: Instant::now(), time_ms: now_ms(), told: None }
    }

    /// For how long no answer has come, if it is late.
    fn silence(&self, interval: Duration) -> Option<Duration> {
        Some(self.at.elapsed()).filter(|silence| *silence >= LATE.max(interval * 2))
    }
}

impl View {
    fn looked(&mut self, trouble: Option<String>, facts: Vec<Fact>) -> Result<(), Failure> {
        if trouble.is_none() {
            self.heard = Heard::now();
        }
        match &mut self.out {
            Out::Picture(_, shown) => *shown = trouble,
            Out::Facts | Out::Lines(_) => trouble.iter().for_each(|trouble| eprintln!("{}", plain(trouble))),
        }
        self.take(facts)?;
        self.show()
    }

    fn silence(&self) -> Option<Duration> {
        self.heard.silence(Duration::from_millis(self.asked.interval.ms))
    }

    fn wait(&mut self) -> Result<(), Failure> {
        let Some(silence) = self.silence() else { return Ok(()) };
        self.publish();
        match &mut self.out {
            Out::Picture(..) => return self.show(),
            Out::Facts | Out::Lines(_) if self.heard.told.is_none_or(|told| told.elapsed() >= QUIET) => {
                self.heard.told = Some(Instant::now());
                eprintln!("{}", silent(silence, self.heard.time_ms));
            }
            Out::Facts | Out::Lines(_) => {}
        }
        Ok(())
    }

    fn publish(&self) {
        let Some(metrics) = &self.metrics else { return };
        let looks = Looks { last_ms: self.heard.time_ms, answered: self.silence().is_none() };
        metrics.publish(groma_explain::metrics(&self.now, &self.timeline, (looks, &self.counters)));
    }

    fn take(&mut self, mut facts: Vec<Fact>) -> Result<(), Failure> {
        facts.sort_by_key(|fact| fact.time_ms);
        for fact in &facts {
            self.now.take(fact);
            self.keep(fact)?;
            if !is_offsets(fact) {
                self.stale = STALE_LOOKS;
            }
        }
        self.facts.extend(facts);
        self.forget();
        if self.stale > 0 {
            self.stale -= 1;
            self.timeline = Timeline::of(&self.facts, &self.asked.group);
        }
        self.counters.take(&self.timeline);
        self.publish();
        Ok(())
    }

    fn keep(&mut self, fact: &Fact) -> Result<(), Failure> {
        let text = line(fact);
        if let Some((path, file)) = &mut self.trace {
            file.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))?;
        }
        if matches!(self.out, Out::Facts) {
            print!("{text}");
        }
        Ok(())
    }

    /// Of offsets, and of what else there is, the oldest go once there is too much.
    fn forget(&mut self) {
        forget(&mut self.facts, (is_offsets, OFFSETS_KEPT));
        if forget(&mut self.facts, (|fact| !is_offsets(fact), ROUNDS_KEPT)) {
            let after = Timeline::of(&self.facts, &self.asked.group);
            self.counters.forget(&self.timeline, &after);
            if let Out::Lines(told) = &mut self.out {
                let lost = self.timeline.rebalances.len().saturating_sub(after.rebalances.len());
                told.rebalances = told.rebalances.saturating_sub(lost);
            }
            self.timeline = after;
        }
    }

    fn show(&mut self) -> Result<(), Failure> {
        match &mut self.out {
            Out::Facts => {}
            Out::Picture(terminal, trouble) => {
                let silence = self.heard.silence(Duration::from_millis(self.asked.interval.ms));
                let silence = silence.map(|silence| silent(silence, self.heard.time_ms));
                let troubles: Vec<&str> = silence.iter().chain(trouble.iter()).map(String::as_str).collect();
                terminal.draw(&picture(&self.now, &self.timeline, &troubles))?;
            }
            Out::Lines(before) => before.tell(&self.now, &self.timeline),
        }
        std::io::stdout().flush()?;
        Ok(())
    }
}

impl Out {
    fn for_people(timeline: &Timeline) -> Self {
        let lines = || Self::Lines(Told { rebalances: timeline.rebalances.len(), ..Told::default() });
        Terminal::open().map_or_else(lines, |terminal| Self::Picture(terminal, None))
    }
}

impl Told {
    /// A line for each rebalance that is over, and one for the group where something is new, or after a while.
    fn tell(&mut self, now: &Now, timeline: &Timeline) {
        let names = timeline.names();
        let new = timeline.rebalances.iter().skip(self.rebalances);
        for rebalance in new.take_while(|rebalance| rebalance.settled_ms.value.is_some()) {
            println!("{}", told(rebalance, &names));
            breaches(rebalance, &names).iter().for_each(|breach| println!("{breach}"));
            self.rebalances += 1;
        }
        let state = (now.state.clone(), now.members.len(), now.generation);
        if self.state != state || self.at.is_none_or(|at| at.elapsed() >= QUIET) {
            println!("{}", summary(now, timeline));
            *self = Self { rebalances: self.rebalances, state, at: Some(Instant::now()) };
        }
    }
}

/// Lets the oldest facts of a kind go, in order of time, once they weigh a tenth more than is kept; whether any went.
fn forget(facts: &mut Vec<Fact>, (is_of_kind, kept): (fn(&Fact) -> bool, usize)) -> bool {
    let weight = facts.iter().filter(|fact| is_of_kind(fact)).map(weight).sum::<usize>();
    let mut surplus = weight.saturating_sub(kept);
    if surplus <= kept / 10 {
        return false;
    }
    facts.retain(|fact| {
        let goes = surplus > 0 && is_of_kind(fact);
        surplus = surplus.saturating_sub(if goes { self::weight(fact) } else { 0 });
        !goes
    });
    true
}

/// How many names a fact holds.
fn weight(fact: &Fact) -> usize {
    1 + match &fact.what {
        What::Committed { offsets } | What::Ends { offsets } => offsets.len(),
        What::Generation { members, .. } | What::Seen { members, .. } => {
            members.iter().map(|seat| 1 + seat.assigned.as_ref().map_or(0, Vec::len)).sum()
        }
        _ => 0,
    }
}

fn silent(silence: Duration, last_ms: i64) -> String {
    let silence = span(silence.as_secs().saturating_mul(1_000));
    format!("no answer for {silence}: what is shown is as it was at {} UTC", clock(last_ms))
}

const fn is_offsets(fact: &Fact) -> bool {
    matches!(fact.what, What::Committed { .. } | What::Ends { .. })
}

async fn until(end: Option<Instant>) {
    match end {
        Some(end) => tokio::time::sleep_until(end).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_explain::{Seat, Source};

    #[test]
    fn what_is_kept_is_bounded_by_what_it_weighs() {
        let seat = Seat { assigned: Some(vec!["t-0".into(); 8]), ..Seat::default() };
        let (state, protocol_type) = ("Stable".to_owned(), "consumer".to_owned());
        let seen = What::Seen { state, protocol_type, protocol: None, members: vec![seat] };
        let ends = What::Ends { offsets: (0..9).map(|number| (format!("t-{number}"), number)).collect() };
        let fact = |time_ms, what: &What| Fact {
            time_ms,
            group: "g".into(),
            source: Source::Poll,
            member: None,
            what: what.clone(),
        };
        let mut facts: Vec<Fact> = (0..100).flat_map(|at| [fact(at, &seen), fact(at, &ends)]).collect();
        assert!(!forget(&mut facts, (is_offsets, 1_000)));
        assert!(forget(&mut facts, (is_offsets, 500)));
        assert!(forget(&mut facts, (|fact| !is_offsets(fact), 200)));
        assert_eq!(facts.iter().filter(|fact| is_offsets(fact)).count(), 50);
        assert_eq!((facts.len(), facts[0].time_ms), (70, 50));
    }
}
