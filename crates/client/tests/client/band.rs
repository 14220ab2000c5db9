//! Many members in one process, and one account of all that they are told, in the order in which it happened.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use groma_client::{Handover, PolicySettings, ResourceEvent, ResourceGroup, ResourceGroupConfig, Span};
use tokio::sync::{mpsc, oneshot};

use crate::place::Place;

/// Members of one group, each driven by a task of its own.
pub(crate) struct Band<'a> {
    place: &'a Place,
    config: ResourceGroupConfig,
    count: usize,
    exits: BTreeMap<String, oneshot::Sender<()>>,
    told: (mpsc::Sender<Told>, mpsc::Receiver<Told>),
    pub(crate) ledger: Ledger,
}

enum Told {
    Event(String, ResourceEvent<String>),
    Gone(String),
}

/// Who runs what, and what has changed since the account was opened.
#[derive(Default)]
pub(crate) struct Ledger {
    pub(crate) held: BTreeMap<String, BTreeSet<String>>,
    /// Who ran each resource last.
    pub(crate) last: BTreeMap<String, String>,
    /// Resources that went from one process to another.
    pub(crate) moved: u64,
    /// Resources stopped on processes that stayed up.
    pub(crate) stopped: u64,
    /// The longest time for which a resource ran nowhere, of those that run again.
    pub(crate) longest: Duration,
    away: BTreeMap<String, Instant>,
}

impl Ledger {
    /// How many resources run.
    pub(crate) fn running(&self) -> usize {
        self.held.values().map(BTreeSet::len).sum()
    }

    /// Whether each of so many members runs its even share, and nothing has two runners.
    pub(crate) fn is_even(&self, members: usize, resources: usize) -> bool {
        let fair = |held: &BTreeSet<String>| (resources / members..=resources.div_ceil(members)).contains(&held.len());
        self.held.len() == members && self.running() == resources && self.held.values().all(fair)
    }

    /// Opens the account again.
    pub(crate) fn open(&mut self) {
        (self.moved, self.stopped, self.longest) = (0, 0, Duration::ZERO);
    }

    fn start(&mut self, name: &str, resources: Vec<String>) {
        for resource in resources {
            let two = self.held.iter().find(|(_, held)| held.contains(&resource)).map(|(other, _)| other);
            assert_eq!(two, None, "{resource} is given to {name} while it runs");
            let last = self.last.insert(resource.clone(), name.to_owned());
            self.moved += u64::from(last.is_some_and(|last| last != name));
            let gap = self.away.remove(&resource).map_or(Duration::ZERO, |since| since.elapsed());
            self.longest = self.longest.max(gap);
            self.held.entry(name.to_owned()).or_default().insert(resource);
        }
    }

    /// From now on these are being stopped, so they no longer do their work.
    fn stop(&mut self, name: &str, resources: &[String]) {
        self.stopped += resources.len() as u64;
        for resource in resources {
            let held = self.held.get_mut(name).is_some_and(|held| held.remove(resource));
            assert!(held, "{name} is to stop {resource}, which it does not run");
            self.away.insert(resource.clone(), Instant::now());
        }
    }
}

impl<'a> Band<'a> {
    pub(crate) fn new(place: &'a Place, (group, policy): (&str, &PolicySettings), count: usize) -> Self {
        let config = ResourceGroupConfig {
            session_timeout: Span::from_secs(300),
            heartbeat_interval: Span::from_millis(200),
            ..ResourceGroupConfig::new(group, "cameras").with_policy(policy)
        };
        Self { place, config, count, exits: BTreeMap::new(), told: mpsc::channel(1024), ledger: Ledger::default() }
    }

    /// A member starts.
    pub(crate) fn start(&mut self, name: &str) {
        let (exit, quit) = oneshot::channel();
        self.exits.insert(name.to_owned(), exit);
        self.ledger.held.insert(name.to_owned(), BTreeSet::new());
        let (cluster, config) = (self.place.cluster.clone(), self.config.clone());
        let (name, count, told) = (name.to_owned(), self.count, self.told.0.clone());
        tokio::spawn(async move {
            let cameras = (1..=count).map(|number| format!("camera-{number:02}"));
            let group = ResourceGroup::join(&cluster, config, cameras).await.expect("a member");
            drive(name, group, (told, quit)).await;
        });
    }

    /// A member leaves in good order; what it ran it has stopped.
    pub(crate) async fn leave(&mut self, name: &str) {
        self.exits.remove(name).expect("a member").send(()).expect("it is driven");
        self.until(|ledger| !ledger.held.contains_key(name)).await;
    }

    /// Takes in what members are told, and lets them stop at once what they are to stop, until something holds.
    pub(crate) async fn until(&mut self, done: impl Fn(&Ledger) -> bool) {
        while !done(&self.ledger) {
            if let Some((_, handover)) = self.next().await {
                handover.done();
            }
        }
    }

    /// The same for a time, whatever happens.
    pub(crate) async fn pump(&mut self, time: Duration) {
        tokio::time::timeout(time, self.until(|_| false)).await.ok();
    }

    /// Goes on until the coordinator has settled a generation of so many members.
    pub(crate) async fn until_settled_with(&mut self, members: usize) {
        let admin = self.place.admin().await;
        loop {
            let group = admin.describe_group(&self.config.group.0).await.expect("described");
            if group.state == "Stable" && group.members.len() == members {
                return;
            }
            self.pump(Duration::from_millis(50)).await;
        }
    }

    /// Takes in the next thing; what is to be stopped is for the caller to be done with.
    pub(crate) async fn next(&mut self) -> Option<(String, Handover<String>)> {
        match self.told.1.recv().await.expect("members") {
            Told::Gone(name) => {
                let held = self.ledger.held.remove(&name).unwrap_or_default();
                self.ledger.away.extend(held.into_iter().map(|resource| (resource, Instant::now())));
                None
            }
            Told::Event(name, event) => self.note(name, event),
        }
    }

    fn note(&mut self, name: String, event: ResourceEvent<String>) -> Option<(String, Handover<String>)> {
        match event {
            ResourceEvent::Assigned(resources) => self.ledger.start(&name, resources),
            ResourceEvent::Revoked(handover) => {
                self.ledger.stop(&name, handover.resources());
                return Some((name, handover));
            }
            ResourceEvent::Lost(handover) => panic!("{name} has lost {handover:?}"),
            ResourceEvent::Error(error) => panic!("{name}: {error}"),
            ResourceEvent::Leading(_)
            | ResourceEvent::Following
            | ResourceEvent::Rebalancing
            | ResourceEvent::Stable(_)
            | ResourceEvent::Step(_) => {}
        }
        None
    }
}

async fn drive(
    name: String,
    mut group: ResourceGroup<String>,
    (told, mut quit): (mpsc::Sender<Told>, oneshot::Receiver<()>),
) {
    loop {
        let event = tokio::select! {
            _ = &mut quit => break,
            event = group.next() => event,
        };
        if told.send(Told::Event(name.clone(), event)).await.is_err() {
            return;
        }
    }
    group.close().await.expect("left");
    told.send(Told::Gone(name)).await.ok();
}
