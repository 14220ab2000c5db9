use groma_rebalance::coordinator;
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{Event, Output};

use super::act::{Act, Path, name};
use super::scope::Rules;
use super::transcript::{BEGINNING, IDENTITY};
use super::world::{CLIENT, Turn, World};
use crate::cluster::list;

/// What happens on a path, a line for each thing.
pub(super) fn story(rules: &Rules, places: usize, path: &std::sync::Arc<Path>) -> Vec<String> {
    let mut turn = Turn::new(rules, World::new(rules, places));
    turn.lines = Some(Vec::new());
    for act in Path::acts(Some(path)) {
        turn.tell_act(act);
        turn.take(act);
        turn.check();
    }
    let found = turn.found.iter().map(|(property, what)| format!("VIOLATION of {property:?}: {what}"));
    let lines = turn.lines.take().unwrap_or_default().into_iter().chain(found);
    lines.map(|line| shorter(rules, &line)).collect()
}

impl Turn<'_> {
    fn tell(&mut self, line: impl FnOnce(&World) -> String) {
        if let Some(lines) = &mut self.lines {
            lines.push(line(&self.world));
        }
    }

    fn tell_act(&mut self, act: Act) {
        self.tell(|world| match act {
            Act::Request(at) => match world.places[at].up.front() {
                Some(asked) => format!("{} {act}: {}", world.now, kind(&asked.request)),
                None => format!("{} {act}", world.now),
            },
            _ => format!("{} {act}", world.now),
        });
    }

    pub(super) fn tell_group(&mut self, event: &coordinator::Event) {
        self.tell(|world| format!("{}     coordinator: {event:?}", world.now));
    }

    pub(super) fn tell_member(&mut self, at: usize, output: &Output<Consumer>) {
        let what = || match output {
            Output::Event(Event::Joining(cause)) => Some(format!("joins: {}", cause.sentence())),
            Output::Event(Event::Joined { member, generation, .. }) => Some(format!("is in {generation} as {member}")),
            Output::Event(Event::Planned { generation, moved, .. }) => {
                Some(format!("plans {generation}: {moved} moves"))
            }
            Output::Event(Event::Stable(generation)) => Some(format!("is settled in {generation}")),
            Output::Event(event) => Some(format!("{event:?}")),
            Output::Revoke { resources, .. } => Some(format!("is to stop {}", list(resources))),
            Output::Lost { resources, cause, .. } => Some(format!("loses {} ({cause:?})", list(resources))),
            Output::Assign { resources, .. } => Some(format!("starts {}", list(resources))),
            Output::Send { request, .. } => Some(format!("sends {}", kind(request))),
            Output::FindCoordinator | Output::Resolve(_) | Output::Failed(_) | Output::Left => None,
        };
        if self.lines.is_some()
            && let Some(what) = what()
        {
            self.tell(|world| format!("{}     {} {what}", world.now, name(at)));
        }
    }
}

const fn kind(request: &groma_rebalance::protocol::Request) -> &'static str {
    use groma_rebalance::protocol::Request;
    match request {
        Request::Join(_) => "a join",
        Request::Sync(_) => "a sync",
        Request::Heartbeat(_) => "a heartbeat",
        Request::Leave(_) => "a goodbye",
    }
}

/// Identities and generations in short: the first are `m1` and 1.
fn shorter(rules: &Rules, line: &str) -> String {
    let line = line.replace(&format!("{IDENTITY}00000000000"), CLIENT);
    let short = |line: String, n: i32| line.replace(&(BEGINNING.0 + n).to_string(), &n.to_string());
    (0..=rules.last.0 - BEGINNING.0 + 1).fold(line, short)
}
