use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Generation, Time, TopicPartition};
use groma_rebalance::RoundCause;

use super::client::short;
use super::words::Words;
use super::world::Cluster;

/// What happened, for people and for tables.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) lines: Vec<String>,
    pub(super) moves: u64,
    /// Rounds that were closed.
    pub(super) closed: u64,
    /// Members that asked for their assignment when the next round had begun.
    pub(super) overtaken: u64,
    pub(super) stops: u64,
    pub(super) last_start: Time,
    /// Who ran each resource last, of those that had not been replaced when they started it.
    ran: BTreeMap<TopicPartition, String>,
    generations: BTreeMap<Generation, Settled>,
    started: BTreeMap<String, BTreeSet<TopicPartition>>,
    cause: String,
    pub(super) words: Words,
}

#[derive(Debug, Default)]
struct Settled {
    cause: String,
    members: BTreeMap<String, Share>,
}

#[derive(Debug, Default)]
struct Share {
    kept: BTreeSet<TopicPartition>,
    started: BTreeSet<TopicPartition>,
    stopped: BTreeSet<TopicPartition>,
}

/// More lines than these are not kept.
const LINES_MAX: usize = 100_000;

/// Times up to 9999.999s stand below each other.
const TIME_WIDTH: usize = 9;

impl History {
    pub(super) fn tell(&mut self, now: Time, line: impl FnOnce() -> String) {
        if self.lines.len() < LINES_MAX {
            self.lines.push(format!("{:>TIME_WIDTH$} {}", now.to_string(), line()));
        }
    }

    /// Notes why a round opens.
    pub(super) fn opened(&mut self, cause: &RoundCause) {
        self.cause = self.words.cause(cause);
    }

    /// Resources have come to a process that the group counts on.
    pub(super) fn came(&mut self, now: Time, name: &str, resources: &[TopicPartition]) {
        self.last_start = now;
        for resource in resources {
            let last = self.ran.insert(resource.clone(), name.to_owned());
            self.moves += u64::from(last.is_some_and(|last| last != name));
        }
    }

    pub(super) fn started(&mut self, name: &str, resources: &[TopicPartition]) {
        self.started.entry(name.to_owned()).or_default().extend(resources.iter().cloned());
    }

    /// A revocation belongs to the generation that is being settled, or to none under eager.
    pub(super) fn stopped(&mut self, name: &str, resources: &[TopicPartition]) {
        self.stops += resources.len() as u64;
        self.started.entry(format!("-{name}")).or_default().extend(resources.iter().cloned());
    }

    /// A new process knows nothing of what the last one did.
    pub(super) fn born(&mut self, name: &str) {
        self.started.remove(name);
        self.started.remove(&format!("-{name}"));
    }

    pub(super) fn settled(&mut self, name: &str, generation: Generation, held: &[TopicPartition]) {
        let started = self.started.remove(name).unwrap_or_default();
        let stopped = self.started.remove(&format!("-{name}")).unwrap_or_default();
        let kept = held.iter().filter(|r| !started.contains(r) && !stopped.contains(r)).cloned().collect();
        let settled = self.generations.entry(generation).or_default();
        settled.cause.clone_from(&self.cause);
        settled.members.insert(name.to_owned(), Share { kept, started, stopped });
    }

    pub(super) fn generations(&self) -> usize {
        self.generations.len()
    }

    pub(super) fn rounds(&self, names: &[String]) -> String {
        let mut text = String::new();
        for (generation, settled) in &self.generations {
            let share = |name: &String| settled.members.get(name).map(|share| share.show(name));
            let shares: Vec<String> = names.iter().filter_map(share).collect();
            text.push_str(&format!("{generation} {}: {}\n", settled.cause, shares.join(" | ")));
        }
        text
    }
}

impl Share {
    fn show(&self, name: &str) -> String {
        let signed = |sign: char, set: &BTreeSet<TopicPartition>| -> Vec<String> {
            set.iter().map(|r| format!("{sign}{}", short(r))).collect()
        };
        let mut words = vec![name.to_owned()];
        words.extend(signed('=', &self.kept));
        words.extend(signed('-', &self.stopped));
        words.extend(signed('+', &self.started));
        words.join(" ")
    }
}

impl Cluster {
    pub(super) fn tell(&mut self, place: usize, line: impl FnOnce() -> String) {
        let name = self.clients[place].name.clone();
        self.history.tell(self.now, || format!("{name} {}", line()));
    }
}
