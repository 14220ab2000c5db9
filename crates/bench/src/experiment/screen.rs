use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::Screen;

/// Says how far a benchmark is: a bar on a terminal, else a plain line at most every ten seconds.
#[derive(Debug)]
pub(crate) struct Ticker {
    way: Way,
    ahead: String,
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
        Self { way, ahead: String::new() }
    }

    /// A new search begins.
    pub(crate) fn begin(&mut self) {
        self.ahead.clear();
    }

    /// How far the search is, to be said beside what goes on.
    pub(crate) fn expect(&mut self, ahead: Ahead) {
        let Ahead { done, most, left } = ahead;
        self.ahead = format!("{done} of at most {most} cells done, at most {} left; ", minutes(left));
    }

    /// What goes on now; shown when there is room and time for it.
    pub(crate) fn show(&mut self, text: &str) {
        let text = format!("{}{text}", self.ahead);
        match &mut self.way {
            Way::Silent => {}
            Way::Bar(bar) => bar.set_message(text),
            Way::Lines { last } if last.is_none_or(|last| last.elapsed() >= EVERY) => {
                *last = Some(Instant::now());
                eprintln!("{text}");
            }
            Way::Lines { .. } => {}
        }
    }

    /// What is worth a line of its own.
    pub(crate) fn say(&mut self, text: &str) {
        match &mut self.way {
            Way::Silent => {}
            Way::Bar(bar) => bar.println(text),
            Way::Lines { last } => {
                *last = Some(Instant::now());
                eprintln!("{text}");
            }
        }
    }
}

/// A time as people say it.
pub(super) fn minutes(time: Duration) -> String {
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
