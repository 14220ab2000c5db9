use std::path::PathBuf;

use groma_model::Span;
use groma_sim::{Bill, Policy, Scenario};
use serde::Serialize;

use super::args::Compare;
use super::picture;
use crate::command::{print_json, print_table};
use crate::exit::{Done, Failure, Outcome};

/// One scenario under one policy.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) scenario: &'static str,
    pub(super) policy: &'static str,
    pub(super) lost_ms: u64,
    pub(super) gap_median_ms: u64,
    pub(super) gap_max_ms: u64,
    pub(super) stopped: u64,
    pub(super) moved: u64,
    pub(super) rounds: u64,
    pub(super) balanced_after_ms: u64,
    violations: usize,
}

/// Plays scenarios under each policy: a table, and a picture.
pub(super) fn compare(arguments: &Compare) -> Outcome {
    let rows = play(arguments.scenario);
    if arguments.json.json {
        print_json(&rows)?;
    } else {
        let header = ["SCENARIO", "POLICY", "LOST s", "GAP s", "WORST s", "STOPPED", "MOVED", "ROUNDS", "BALANCED s"];
        print_table(header, &rows.iter().map(Row::cells).collect::<Vec<_>>());
    }
    if let Some(file) = &arguments.picture {
        draw(file, &rows)?;
    }
    let kept = rows.iter().all(|row| row.violations == 0);
    Ok(if kept { Done::Fine } else { Done::Short })
}

fn play(only: Option<Scenario>) -> Vec<Row> {
    let wanted = |scenario: &Scenario| only.is_none_or(|only| only == *scenario);
    let scenarios = Scenario::ALL.iter().filter(|(_, scenario)| wanted(scenario));
    scenarios.flat_map(|(name, scenario)| row_of_each_policy(name, *scenario)).collect()
}

fn row_of_each_policy(name: &'static str, scenario: Scenario) -> impl Iterator<Item = Row> {
    Policy::ALL.iter().map(move |(policy_name, policy)| Row::new(name, policy_name, &scenario.play(*policy)))
}

fn draw(file: &PathBuf, rows: &[Row]) -> Result<(), Failure> {
    std::fs::write(file, picture::picture(rows)).map_err(|error| {
        Failure::new(format!(
            "cannot write {} ({error}); name a file in a folder that you may write to",
            file.display()
        ))
    })
}

impl Row {
    fn new(scenario: &'static str, policy: &'static str, bill: &Bill) -> Self {
        let ms = |span: Span| span.0 / 1_000_000;
        Self {
            scenario,
            policy,
            lost_ms: ms(bill.lost),
            gap_median_ms: ms(bill.gap.0),
            gap_max_ms: ms(bill.gap.1),
            stopped: bill.stopped,
            moved: bill.moved,
            rounds: bill.rounds,
            balanced_after_ms: ms(bill.balanced_after),
            violations: bill.violations.len(),
        }
    }

    fn cells(&self) -> [String; 9] {
        let seconds = |ms: u64, digits: usize| format!("{:.digits$}", ms as f64 / 1e3);
        [
            self.scenario.to_owned(),
            self.policy.to_owned(),
            seconds(self.lost_ms, 1),
            seconds(self.gap_median_ms, 3),
            seconds(self.gap_max_ms, 3),
            self.stopped.to_string(),
            self.moved.to_string(),
            self.rounds.to_string(),
            seconds(self.balanced_after_ms, 1),
        ]
    }
}
