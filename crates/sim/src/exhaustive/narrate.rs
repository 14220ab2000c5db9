use std::collections::BTreeSet;

use groma_model::MemberId;
use groma_rebalance::coordinator;
use groma_rebalance::embedded::consumer::Consumer;
use groma_rebalance::member::{Event, Output};

use super::act::{Act, name};
use super::check::{Found, Watch};
use super::scope::Rules;
use super::transcript::{BEGINNING, IDENTITY};
use super::world::{CLIENT, World};
use crate::cluster::Words;

/// What happens on a path, a line for each thing, and which properties do not hold then.
pub(super) fn story(rules: &Rules, places: usize, acts: &[Act]) -> (Vec<String>, Vec<Found>) {
    let mut world = World::new(rules, places);
    let mut watch = Watch { lines: Some(Vec::new()), ..Watch::new(rules, world.now) };
    for act in acts {
        watch.tell(|| act_line(&world, *act));
        world.take(*act, &mut watch);
        world.check(&mut watch);
    }
    let found = watch
        .found
        .iter()
        .map(|(property, what)| format!("VIOLATION of {property:?} ({}): {what}", property.sentence()));
    let lines: Vec<String> = watch.lines.take().unwrap_or_default().into_iter().chain(found).collect();
    (lines.iter().map(|line| shorter(rules, line)).collect(), watch.found)
}

fn act_line(world: &World, act: Act) -> String {
    let asked = act.place().and_then(|at| world.places[at].up.front()).filter(|_| matches!(act, Act::Request(_)));
    let what = asked.map(|asked| format!(": {}", kind(&asked.request))).unwrap_or_default();
    format!("{} {act}{what}", world.now)
}

impl Watch<'_> {
    fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            lines.push(line());
        }
    }

    pub(super) fn tell_group(&mut self, event: &coordinator::Event) {
        let now = self.now;
        if self.lines.is_some()
            && let Some(what) = words().of_group(event)
        {
            self.tell(|| format!("{now}     {what}"));
        }
    }

    pub(super) fn tell_member(&mut self, output: &Output<Consumer>) {
        let what = || match output {
            Output::Event(Event::Joined { member, generation, .. }) => Some(format!("is in {generation} as {member}")),
            Output::Event(Event::Stable(generation)) => Some(format!("is settled in generation {generation}")),
            Output::Send { request, .. } => Some(format!("sends {}", kind(request))),
            output => words().of_member(output, &BTreeSet::new()),
        };
        if self.lines.is_some()
            && let Some(what) = what()
        {
            let (now, at) = (self.now, name(self.at));
            self.tell(|| format!("{now}     {at} {what}"));
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

/// Identities as `m1`: whose they are a member says when it hears of its own.
pub(super) fn words() -> Words {
    let mut words = Words::default();
    for number in 0..IDENTITIES_MAX {
        words.learn(&MemberId(format!("{IDENTITY}{number:012x}")), &format!("{CLIENT}{number:x}"));
    }
    words
}

/// A schedule that can be told has far fewer.
const IDENTITIES_MAX: u8 = 64;

/// Identities and generations in short: the first are `m1` and 1.
fn shorter(rules: &Rules, line: &str) -> String {
    let line = line.replace(&format!("{IDENTITY}00000000000"), CLIENT);
    let short = |line: String, n: i32| line.replace(&(BEGINNING.0 + n).to_string(), &n.to_string());
    (0..=rules.last.0 - BEGINNING.0 + 1).fold(line, short)
}
