use std::collections::BTreeMap;

use groma_model::Time;
use groma_rebalance::embedded::tasks::{Job, Role, Tasks};
use groma_rebalance::member::Input;

use super::{Driver, Membership};
use crate::settings::{ClientSettings, TaskGroupSettings};

/// A member of a group that shares out tasks with state.
pub type TaskGroup = Membership<Tasks>;

impl Membership<Tasks> {
    /// A member that has not entered its group yet.
    pub fn new(client: &ClientSettings, settings: TaskGroupSettings) -> Self {
        let config = settings.member(client);
        let embedded = Tasks::new(settings.protocol_type, settings.catch_up, settings.probing);
        let mut driver = Driver::new(settings.group, config, embedded);
        driver.detail = settings.detail;
        Self::of(client, driver, settings.workplace)
    }

    /// The state that this member has of these tasks goes up to there; none: it has none any more. The group hears of it in
    /// the next round, which this member asks for when everything that warms up here has caught up, see
    /// [`Ask`](groma_rebalance::tasks::Ask).
    pub fn reached<'a>(&mut self, now: Time, positions: impl IntoIterator<Item = (&'a str, Option<u64>)>) {
        for (task, position) in positions {
            match position {
                Some(position) => self.interest.positions.insert(task.to_owned(), position),
                None => self.interest.positions.remove(task),
            };
        }
        self.driver.handle(now, Input::Subscribe(self.interest.clone()));
        let warming = self.warming();
        if self.ask.is_due(&warming, self.driver.member().embedded().catch_up()) {
            self.driver.handle(now, Input::Rejoin);
        }
        self.advance(now);
    }

    /// The tasks that warm up here, and by how much each is behind, as far as this member knows the ends of states.
    fn warming(&self) -> BTreeMap<String, u64> {
        let member = self.driver.member();
        let behind = |Job { task, .. }: &Job| {
            let end = member.catalog().end_of(task).unwrap_or(u64::MAX);
            let position = self.interest.positions.get(task).copied().unwrap_or_default();
            (task.clone(), end.saturating_sub(position))
        };
        member.held().iter().filter(|job| job.role == Role::WarmUp).map(behind).collect()
    }
}
