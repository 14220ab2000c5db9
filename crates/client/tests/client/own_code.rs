//! Code of an application's own, which names or shares out resources, that does not do its work.

use std::borrow::Cow;
use std::sync::Arc;

use groma_client::{Blame, ClientError, Resource, ResourceEvent, ResourceGroup, ResourceGroupConfig, Sharing, Span};
use groma_rebalance::assignor::Assignor;
use groma_rebalance::embedded::Mode;
use groma_rebalance::policy::{Policy, TwoRound};
use groma_rebalance::share::{Owners, Plan, Situation};

use crate::place::{Place, everywhere, fresh};

type Fault = fn(&Situation) -> Owners;

/// Does its work as long as its member is alone.
#[derive(Debug)]
struct Faulty(Fault);

impl Assignor for Faulty {
    fn name(&self) -> &str {
        "cooperative-sticky"
    }

    fn assign(&self, situation: &Situation) -> Owners {
        if situation.members() == 1 { vec![0; situation.resources()] } else { self.0(situation) }
    }
}

impl Policy for Faulty {
    fn mode(&self) -> Mode {
        Mode::Cooperative
    }

    fn plan(&self, situation: &Situation, target: Owners) -> Plan {
        let target = if situation.members() == 1 { target } else { self.0(situation) };
        TwoRound.plan(situation, target)
    }
}

fn panics(_: &Situation) -> Owners {
    panic!("divided by nothing")
}

fn is_short(_: &Situation) -> Owners {
    Owners::new()
}

fn is_wild(situation: &Situation) -> Owners {
    vec![7_000_000; situation.resources()]
}

fn with_assignor(fault: Fault) -> Sharing {
    Sharing { assignor: Arc::new(Faulty(fault)), ..Sharing::cooperative_sticky() }
}

fn with_policy(fault: Fault) -> Sharing {
    Sharing { policy: Arc::new(Faulty(fault)), ..Sharing::cooperative_sticky() }
}

/// Nobody waits so long for anybody within the limit of a test.
fn patient(group: &str, sharing: Sharing) -> ResourceGroupConfig {
    let config = ResourceGroupConfig::new(group, "lamps").with_session_timeout(Span::from_secs(1800));
    ResourceGroupConfig {
        strategies: vec![sharing],
        rebalance_timeout: Span::from_secs(1800),
        heartbeat_interval: Span::from_millis(200),
        ..config
    }
}

fn lamps() -> impl Iterator<Item = String> {
    (0..6).map(|number| format!("lamp {number}"))
}

async fn member(place: &Place, config: ResourceGroupConfig) -> ResourceGroup<String> {
    ResourceGroup::join(&place.cluster, config, lamps()).await.expect("a member")
}

/// What a member stops before it is told of an error, and the error.
async fn end(group: &mut ResourceGroup<String>) -> (usize, ClientError) {
    let mut stopped = 0;
    loop {
        match group.next().await {
            ResourceEvent::Revoked(handover) => stopped += handover.resources().len(),
            ResourceEvent::Lost(handover) => panic!("{handover:?} is lost"),
            ResourceEvent::Error(error) => return (stopped, error),
            _ => {}
        }
    }
}

async fn until_all_is_held(group: &mut ResourceGroup<String>) {
    while group.held().len() < 6 {
        if let ResourceEvent::Error(error) = group.next().await {
            panic!("{error}");
        }
    }
}

#[test]
fn a_leader_that_cannot_share_out_says_so_and_another_one_leads() {
    everywhere(|place: Place| async move {
        let table = [
            (with_assignor(panics), None, "panicked (divided by nothing)"),
            (with_assignor(panics), Some("static"), "panicked (divided by nothing)"),
            (with_policy(panics), None, "panicked (divided by nothing)"),
            (with_assignor(is_short), None, "assignor cooperative-sticky broke its contract: it gave 0 owners for 6"),
            (with_assignor(is_wild), None, "broke its contract: it gave resource 0 to member 7000000 of 2"),
            (
                with_policy(is_wild),
                None,
                "policy custom broke its contract: its plan has resource 0 to member 7000000 of 2",
            ),
        ];
        for (sharing, instance, words) in table {
            let group = fresh("g");
            let config = patient(&group, sharing);
            let config = instance.into_iter().fold(config, ResourceGroupConfig::with_instance);
            let mut first = member(&place, config).await;
            until_all_is_held(&mut first).await;
            let config = patient(&group, Sharing::cooperative_sticky());
            let mut second = member(&place, config).await;
            let heir = async {
                until_all_is_held(&mut second).await;
                while second.leads().is_none() {
                    second.next().await;
                }
            };
            let ((stopped, error), ()) = tokio::join!(end(&mut first), heir);
            assert_eq!(stopped, 6, "{words}");
            assert!(matches!(error, ClientError::OwnCode { .. }) && error.blame() == Blame::Caller, "{error:?}");
            assert!(error.to_string().starts_with("this member leaves its group: "), "{error}");
            assert!(error.to_string().contains(words), "{error}");
            first.close().await.expect("left");
            second.close().await.expect("left");
        }
    });
}

/// A resource whose names nobody can read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Riddle;

impl Resource for Riddle {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("sphinx")
    }

    fn from_name(name: &str) -> Option<Self> {
        panic!("what is {name}?")
    }
}

#[test]
fn a_member_whose_resources_panic_says_so() {
    everywhere(|place: Place| async move {
        let config = patient(&fresh("g"), Sharing::cooperative_sticky());
        let place = &place;
        let mut group = ResourceGroup::join(&place.cluster, config, [Riddle]).await.expect("a member");
        let error = loop {
            if let ResourceEvent::Error(error) = group.next().await {
                break error;
            }
        };
        assert!(error.to_string().contains("panicked (what is sphinx?)"), "{error}");
        group.close().await.expect("left");
    });
}
