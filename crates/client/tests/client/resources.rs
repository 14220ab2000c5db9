use std::collections::BTreeSet;
use std::time::Duration;

use groma_client::{
    Admin, Blame, ClientError, Consumer, ConsumerConfig, Detail, GroupConfig, Handover, PolicyName, PolicySettings,
    ResourceEvent, ResourceGroup, ResourceGroupConfig, Shape, Span, Trace,
};
use groma_explain::What;

use groma_rebalance::member::Event;

use crate::place::{Place, everywhere, fresh};

type Group = ResourceGroup<String>;

fn config(group: &str) -> ResourceGroupConfig {
    ResourceGroupConfig::new(group, "lamps").with_session_timeout(Span::from_secs(60))
}

fn lamps(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("lamp {number}")).collect()
}

async fn member(place: &Place, config: ResourceGroupConfig, count: usize) -> Group {
    ResourceGroup::join(&place.cluster, config, lamps(count)).await.expect("a member")
}

/// What one member runs and whether it leads, by what it was told alone.
#[derive(Default)]
struct Book {
    held: BTreeSet<String>,
    stopped: usize,
    leads: bool,
    open: Vec<Handover<String>>,
}

impl Book {
    /// Stops what is revoked at once.
    fn note(&mut self, event: ResourceEvent<String>) {
        if let Some(handover) = self.note_open(event) {
            handover.done();
        }
    }

    fn note_open(&mut self, event: ResourceEvent<String>) -> Option<Handover<String>> {
        match event {
            ResourceEvent::Assigned(all) => all.into_iter().for_each(|r| assert!(self.held.insert(r), "given twice")),
            ResourceEvent::Revoked(handover) | ResourceEvent::Lost(handover) => {
                self.stopped += handover.resources().len();
                handover.resources().iter().for_each(|r| assert!(self.held.remove(r), "taken twice"));
                return Some(handover);
            }
            ResourceEvent::Leading(_) => assert!(!std::mem::replace(&mut self.leads, true)),
            ResourceEvent::Following => assert!(std::mem::replace(&mut self.leads, false)),
            ResourceEvent::Rebalancing | ResourceEvent::Stable(_) | ResourceEvent::Step(_) => {}
            ResourceEvent::Error(error) => panic!("{error}"),
        }
        None
    }

    async fn until(&mut self, group: &mut Group, mut done: impl FnMut(&Self) -> bool) {
        while !done(self) {
            let event = group.next().await;
            self.note(event);
        }
    }
}

/// Drives two members until `done`.
async fn both(one: (&mut Group, &mut Book), two: (&mut Group, &mut Book), done: impl Fn(&Book, &Book) -> bool) {
    while !done(one.1, two.1) {
        tokio::select! {
            event = one.0.next() => one.1.note(event),
            event = two.0.next() => two.1.note(event),
        }
    }
}

fn are_shared(one: &Book, two: &Book) -> bool {
    one.held.len() == two.held.len() && one.held.len() + two.held.len() == 6 && one.held.is_disjoint(&two.held)
}

#[test]
fn resources_are_shared_out_in_both_shapes_and_only_what_moves_is_told() {
    everywhere(|place: Place| async move {
        for shape in [Shape::Full, Shape::Delta] {
            let config = || ResourceGroupConfig { shape, ..config("shared") };
            let group = fresh("g");
            let config = || ResourceGroupConfig { group: group.as_str().into(), ..config() };
            let (mut one, mut two) = (Book::default(), Book::default());
            let mut first = member(&place, config(), 6).await;
            one.until(&mut first, |book| book.held.len() == 6 && book.leads).await;
            let mut second = member(&place, config(), 6).await;
            both((&mut first, &mut one), (&mut second, &mut two), are_shared).await;
            assert_eq!((one.stopped, two.stopped), (3, 0), "{shape:?}");
            assert_eq!(first.held(), one.held.iter().cloned().collect::<Vec<_>>());
            assert!(first.leads().is_some() && second.leads().is_none());
            first.close().await.expect("left");
            two.until(&mut second, |book| book.held.len() == 6 && book.leads).await;
            assert_eq!(two.stopped, 0, "{shape:?}: who stays stops nothing");
            second.close().await.expect("left");
        }
    });
}

#[test]
fn steps_are_told_on_demand_and_admins_see_what_is_held() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let mut only = member(&place, ResourceGroupConfig { detail: Detail::Steps, ..config(&group) }, 2).await;
        let (mut held, mut planned) = (0, 0);
        while (held, planned) != (2, 2) {
            match only.next().await {
                ResourceEvent::Assigned(lamps) => held += lamps.len(),
                ResourceEvent::Step(Event::Planned { moved, .. }) => planned = moved,
                ResourceEvent::Error(error) => panic!("{error}"),
                _ => {}
            }
        }
        let admin = Admin::connect(&place.cluster).await.expect("an admin");
        let info = admin.describe_group(&group).await.expect("the group");
        let held: Vec<_> = info.members.iter().map(|member| member.resources.clone()).collect();
        assert_eq!(held, [Some(lamps(2))]);
        only.close().await.expect("left");
    });
}

#[test]
fn a_trace_has_what_a_member_is_given_and_gives_up_and_what_moves() {
    everywhere(|place: Place| async move {
        let (group, file) = (fresh("g"), std::env::temp_dir().join(fresh("trace")));
        let trace = Trace::open(&file, &group).expect("a file");
        let joined = Group::join_traced(&place.cluster, config(&group), lamps(6), trace).await;
        let (mut first, mut one, mut two) = (joined.expect("a member"), Book::default(), Book::default());
        while one.held.len() < 6 {
            let event = first.next().await;
            assert!(!matches!(event, ResourceEvent::Step(_)), "only the trace asked for steps");
            one.note(event);
        }
        let mut second = member(&place, config(&group), 6).await;
        both((&mut first, &mut one), (&mut second, &mut two), are_shared).await;
        let (me, failure) = (first.member_id().map(|id| id.0), first.trace_failure());
        assert_eq!(failure, None);
        first.close().await.expect("left");
        let facts = groma_explain::read(&std::fs::read_to_string(&file).expect("the trace")).expect("facts");
        std::fs::remove_file(&file).expect("removed");
        assert!(facts.iter().all(|fact| fact.group == group && fact.member == me), "{facts:?}");
        let told: Vec<&What> = facts.iter().map(|fact| &fact.what).collect();
        assert!(told.contains(&&What::Assigned { resources: lamps(6) }), "{told:?}");
        let revoked = || two.held.iter().cloned().collect();
        let at =
            |what: &What| told.iter().position(|have| *have == what).unwrap_or_else(|| panic!("{what:?}: {told:?}"));
        let given_up = [What::Revoking { resources: revoked() }, What::Released { resources: revoked() }];
        let kept = What::Released { resources: one.held.iter().cloned().collect() };
        assert!(at(&given_up[0]) < at(&given_up[1]) && at(&given_up[1]) < at(&kept) && at(&kept) < at(&What::Left));
        let planned =
            told.iter().filter_map(|what| if let What::Planned { moves, .. } = what { Some(moves) } else { None });
        let away: BTreeSet<String> =
            planned.flatten().filter(|one| one.from.is_some()).map(|one| one.resource.clone()).collect();
        assert_eq!(away, two.held);
        second.close().await.expect("left");
    });
}

#[test]
fn nobody_gets_what_its_holder_has_not_stopped() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let mut first = member(&place, config(&group), 6).await;
        let (mut one, mut two) = (Book::default(), Book::default());
        one.until(&mut first, |book| book.held.len() == 6).await;
        let mut second = member(&place, config(&group), 6).await;
        while one.open.is_empty() {
            tokio::select! {
                event = first.next() => if let Some(handover) = one.note_open(event) { one.open.push(handover) },
                event = second.next() => two.note(event),
            }
        }
        let early = tokio::time::timeout(Duration::from_millis(1500), two.until(&mut second, |b| !b.held.is_empty()));
        assert!(early.await.is_err(), "given away while it may still run");
        assert_eq!(first.held().len(), 6, "until it is done the holder owns it");
        one.open.clear();
        both((&mut first, &mut one), (&mut second, &mut two), are_shared).await;
    });
}

#[test]
fn a_member_that_is_dropped_hands_over_long_before_its_session_ends() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let patient = || config(&group).with_session_timeout(Span::from_secs(300));
        let mut first = member(&place, patient(), 3).await;
        Book::default().until(&mut first, |book| book.held.len() == 3).await;
        drop(first);
        let mut second = member(&place, patient(), 3).await;
        Book::default().until(&mut second, |book| book.held.len() == 3 && book.leads).await;
    });
}

#[test]
fn a_stable_identity_comes_back_to_what_it_had_and_nobody_else_is_touched() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let named = |name: &str| config(&group).with_session_timeout(Span::from_secs(60)).with_instance(name);
        let (mut one, mut two) = (Book::default(), Book::default());
        let mut first = member(&place, named("one"), 6).await;
        let mut second = member(&place, named("two"), 6).await;
        both((&mut first, &mut one), (&mut second, &mut two), are_shared).await;
        let (had, stopped) = (two.held.clone(), one.stopped);
        second.close().await.expect("gone silently");
        let mut again = member(&place, named("two"), 6).await;
        let mut book = Book::default();
        book.until(&mut again, |book| book.held.len() == 3).await;
        assert_eq!(book.held, had);
        while let Some(event) = first.try_next() {
            one.note(event);
        }
        assert_eq!(one.stopped, stopped);
    });
}

#[test]
fn the_leader_shares_out_what_exists() {
    everywhere(|place: Place| async move {
        let group = fresh("g");
        let (mut one, mut two) = (Book::default(), Book::default());
        let mut first = member(&place, config(&group), 2).await;
        one.until(&mut first, |book| book.held.len() == 2 && book.leads).await;
        let mut second = member(&place, config(&group), 2).await;
        both((&mut first, &mut one), (&mut second, &mut two), |one, two| (one.held.len(), two.held.len()) == (1, 1))
            .await;
        first.exist(lamps(6)).expect("told apart");
        both((&mut first, &mut one), (&mut second, &mut two), are_shared).await;
    });
}

#[test]
fn kinds_of_groups_live_side_by_side_and_do_not_mix() {
    everywhere(|place: Place| async move {
        let (topic, group) = (place.topic(2).await, fresh("g"));
        let mut lamps_group = member(&place, config(&group), 2).await;
        Book::default().until(&mut lamps_group, |book| book.held.len() == 2).await;
        let doors = ResourceGroupConfig { protocol_type: "doors".to_owned(), ..config(&fresh("g")) };
        let mut doors_group = member(&place, doors, 3).await;
        Book::default().until(&mut doors_group, |book| book.held.len() == 3).await;
        let consumer = GroupConfig::new(fresh("g"));
        let mut consumer = Consumer::subscribe(&place.cluster, ConsumerConfig::default(), consumer, &[topic.as_str()])
            .await
            .expect("a consumer");
        while consumer.assignment().len() < 2 {
            consumer.next().await;
        }
        let listed = place.admin().await.list_groups().await.expect("listed");
        let kind = |name: &str| listed.iter().find(|g| g.group == name).map(|g| g.protocol_type.clone());
        assert_eq!(kind(&group).as_deref(), Some("lamps"));
        let stranger = ResourceGroupConfig { protocol_type: "doors".to_owned(), ..config(&group) };
        let mut stranger = member(&place, stranger, 3).await;
        let refused = loop {
            if let ResourceEvent::Error(error) = stranger.next().await {
                break error;
            }
        };
        assert!(matches!(refused, ClientError::Membership { .. }), "{refused:?}");
        assert_eq!(refused.blame(), Blame::Caller, "{refused}");
    });
}

#[test]
fn what_cannot_work_is_named_before_anything_is_sent() {
    everywhere(|place: Place| async move {
        let here = &place;
        let join = async |config: ResourceGroupConfig, names: &[&str]| {
            let refused = ResourceGroup::join(&here.cluster, config, names.iter().map(|n| (*n).to_owned())).await;
            refused.expect_err("refused").to_string()
        };
        let consumers = ResourceGroupConfig { protocol_type: "consumer".to_owned(), ..config("g") };
        assert_eq!(
            join(consumers, &[]).await,
            "protocol_type cannot be consumer: give the kind of application, such as cameras; consumer is for topic \
             partitions"
        );
        let idle = PolicySettings { moves_per_round: Some(2), ..PolicySettings::of(PolicyName::Deferred) };
        assert_eq!(
            join(config("g").with_policy(&idle), &[]).await,
            "rebalance.moves-per-round cannot be 2: rebalance.policy deferred does not use it; choose incremental or \
             deferred+incremental, or leave it out"
        );
        let delta = ResourceGroupConfig { shape: Shape::Delta, ..config("g").with_instance("i") };
        assert!(join(delta, &[]).await.contains("needs full sets"));
        let slow = ResourceGroupConfig { heartbeat_interval: Span::from_secs(60), ..config("g") };
        assert!(join(slow, &[]).await.starts_with("heartbeat_interval cannot be 60"));
        assert_eq!(join(config("g"), &["a", "a"]).await, "two resources are called a; give each a name of its own");
    });
}
