use groma_rebalance::member::Event;

use crate::{Fact, Source, What, line, of_member_named};

/// A member's own trace, line by line: what it says about itself, by the identity that its coordinator gave it.
#[derive(Clone, Debug)]
pub struct MemberTrace {
    group: String,
    member: Option<String>,
}

impl MemberTrace {
    /// The trace of a member of this group that has not joined it yet.
    pub fn of(group: impl Into<String>) -> Self {
        Self { group: group.into(), member: None }
    }

    /// The line that says this, in milliseconds since the Unix epoch.
    pub fn says(&self, time_ms: i64, what: What) -> String {
        let (group, member) = (self.group.clone(), self.member.clone());
        line(&Fact { time_ms, group, source: Source::Member, member, what })
    }

    /// The lines for a step in a round, with resources as `name` names them; none for steps that do not matter.
    pub fn steps<R>(&mut self, time_ms: i64, step: &Event<R>, name: impl Fn(&R) -> String) -> String {
        if let Event::Joined { member, .. } = step {
            self.member = Some(member.0.clone());
        }
        of_member_named(step, name).into_iter().map(|what| self.says(time_ms, what)).collect()
    }
}
