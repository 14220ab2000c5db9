use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::Screen;

/// Says how far a benchmark is: a bar on a terminal, else a plain line at most every ten seconds.
#[derive(Debug)]
pub(crate) struct Ticker {
    way: Way,
    ahead: String,
    /// Cells of the searches before this one.
    before: u64,
    /// Cells of this search.
    done: u64,
    later: Later,
}

/// What comes after a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Later {
    /// Cells at most.
    pub(crate) most: u64,
    /// Time for them at most.
    pub(crate) left: Duration,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// Cells measured.
    pub(crate) done: u64,
    /// Cells at most.
    pub(crate) most: u64,
    /// Time for the rest at most.
    pub(crate) left: Duration,
}

#[derive(Debug)]
enum Way {
    Silent,
    Bar(ProgressBar),
    Lines { last: Option<Instant> },
}

impl Ticker {
    pub(crate) fn new(screen: Screen) -> Self {
        let way = match screen {
            Screen::Quiet => Way::Silent,
            Screen::Progress if std::io::stderr().is_terminal() => Way::Bar(bar()),
            Screen::Progress => Way::Lines { last: None },
        };
        Self { way, ahead: String::new(), before: 0, done: 0, later: Later::default() }
    }

    /// A new search begins, after which so much comes.
    pub(crate) fn begin(&mut self, ahead: Ahead, later: Later) {
        (self.before, self.later) = (self.before + self.done, later);
        self.expect(ahead);
    }

    /// How far the search is, to be said beside what goes on: of everything, searches before and after it included.
    pub(crate) fn expect(&mut self, ahead: Ahead) {
        let Ahead { done, most, left } = ahead;
        self.done = done;
        let (all, most) = (self.before + done, self.before + most + self.later.most);
        let left = minutes(left + self.later.left);
        self.ahead = format!("{all} of at most {most} cells done, at most {left} left; ");
    }

    /// What goes on now; shown when there is room and time for it.
    pub(crate) fn show(&mut self, text: &str) {
        let text = format!("{}{text}", self.ahead);
        match &mut self.way {
            Way::Silent => {}
            Way::Bar(bar) => bar.set_message(text),
            Way::Lines { last } if last.is_none_or(|last| last.elapsed() >= EVERY) => {
                *last = Some(Instant::now());
                line(&text);
            }
            Way::Lines { .. } => {}
        }
    }

    /// What has begun: a line of its own where lines are read, no more than the bar's text on a terminal.
    pub(crate) fn mark(&mut self, text: &str) {
        match &self.way {
            Way::Silent => {}
            Way::Bar(bar) => bar.set_message(format!("{}{text}", self.ahead)),
            Way::Lines { .. } => self.say(text),
        }
    }

    /// What is worth a line of its own.
    pub(crate) fn say(&mut self, text: &str) {
        match &mut self.way {
            Way::Silent => {}
            Way::Bar(bar) => bar.println(text),
            Way::Lines { last } => {
                *last = Some(Instant::now());
                line(text);
            }
        }
    }
}

/// Nobody may be there to read it: the terminal may be gone while there is still something to take away.
pub(super) fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A time as people say it.
pub(crate) fn minutes(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    if minutes > 0 { format!("{minutes} min {seconds} s") } else { format!("{seconds} s") }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Way::Bar(bar) = &self.way {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let template = if std::env::var_os("NO_COLOR").is_some() { "{spinner} {msg}" } else { "{spinner:.cyan} {msg}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

const EVERY: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_left_of_everything() {
        let ahead = |done, most, s| Ahead { done, most, left: Duration::from_secs(s) };
        let mut ticker = Ticker::new(Screen::Quiet);
        ticker.begin(ahead(0, 8, 130), Later { most: 8, left: Duration::from_secs(130) });
        assert_eq!(ticker.ahead, "0 of at most 16 cells done, at most 4 min 20 s left; ");
        ticker.expect(ahead(6, 7, 15));
        assert_eq!(ticker.ahead, "6 of at most 15 cells done, at most 2 min 25 s left; ");
        ticker.begin(ahead(0, 8, 130), Later::default());
        assert_eq!(ticker.ahead, "6 of at most 14 cells done, at most 2 min 10 s left; ");
    }
}
