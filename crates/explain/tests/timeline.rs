//! What a timeline makes of facts, story by story.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeMap;

use groma_explain::{
    Basis, Fact, PlannedMove, Reason, Rebalance, Remark, Removal, Seat, Source, StepKind, Timeline, Trigger, What,
};

/// Facts of group `g`, told in order.
#[derive(Default)]
struct Story {
    facts: Vec<Fact>,
    protocol: &'static str,
    session_ms: u64,
}

impl Story {
    fn new(protocol: &'static str) -> Self {
        Self { facts: Vec::new(), protocol, session_ms: 3_000 }
    }

    fn say(&mut self, time_ms: i64, source: Source, member: Option<&str>, what: What) -> &mut Self {
        let (group, member) = ("g".to_owned(), member.map(str::to_owned));
        self.facts.push(Fact { time_ms, group, source, member, what });
        self
    }

    fn broker(&mut self, at: i64, member: &str, what: What) -> &mut Self {
        self.say(at, Source::Broker, Some(member).filter(|member| !member.is_empty()), what)
    }

    fn opened(&mut self, at: i64, member: &str, cause: Trigger) -> &mut Self {
        self.broker(at, member, What::RoundOpened { after: 1, cause })
    }

    fn joined(&mut self, at: i64, member: &str) -> &mut Self {
        self.broker(at, member, What::Joined { reason: None })
    }

    fn closed(&mut self, at: i64, generation: i32, leader: &str) -> &mut Self {
        self.broker(at, "", What::RoundClosed { generation, leader: leader.into(), members: 0 })
    }

    fn stable(&mut self, at: i64, generation: i32, held: &str) -> &mut Self {
        self.broker(at, "", What::RoundStable { generation }).record(at, generation, held)
    }

    /// `a:01 b:2`: a holds t-0 and t-1, b holds t-2.
    fn record(&mut self, at: i64, generation: i32, held: &str) -> &mut Self {
        let what = What::Generation {
            generation,
            protocol_type: "consumer".into(),
            protocol: Some(self.protocol.into()),
            leader: None,
            members: self.seats(held),
        };
        self.say(at, Source::Offsets, None, what)
    }

    fn seats(&self, held: &str) -> Vec<Seat> {
        let seat = |share: &str| {
            let (member, held) = share.split_once(':').unwrap();
            Seat {
                member: member.to_owned(),
                session_timeout_ms: Some(self.session_ms),
                topics: Some(vec!["t".to_owned()]),
                assigned: Some(held.chars().map(|number| format!("t-{number}")).collect()),
                ..Seat::default()
            }
        };
        held.split_whitespace().map(seat).collect()
    }

    fn own(&mut self, at: i64, member: &str, what: What) -> &mut Self {
        self.say(at, Source::Member, Some(member), what)
    }

    fn ends(&mut self, at: i64, offsets: &[(&str, i64)]) -> &mut Self {
        self.say(at, Source::Log, None, What::Ends { offsets: positions(offsets) })
    }

    fn timeline(&self) -> Timeline {
        Timeline::of(&self.facts, "g")
    }

    fn last(&self) -> Rebalance {
        self.timeline().rebalances.last().unwrap().clone()
    }
}

fn positions(offsets: &[(&str, i64)]) -> BTreeMap<String, i64> {
    offsets.iter().map(|(resource, offset)| ((*resource).to_owned(), *offset)).collect()
}

fn list(resources: &[&str]) -> Vec<String> {
    resources.iter().map(|resource| (*resource).to_owned()).collect()
}

/// `t-1 a>b balance`
fn moves(rebalance: &Rebalance) -> Vec<String> {
    let name = |member: &Option<String>| member.clone().unwrap_or_else(|| "-".into());
    let moved = rebalance.moves.iter();
    moved.map(|m| format!("{} {}>{} {:?}", m.resource, name(&m.from), name(&m.to), m.reason)).collect()
}

/// a, b and c share six partitions; c is killed and expelled 3 s later.
fn death(protocol: &'static str) -> Story {
    let mut story = Story::new(protocol);
    story.record(1_000, 1, "a:01 b:23 c:45");
    story.broker(10_000, "c", What::Removed { cause: Removal::SessionExpired });
    story.opened(10_000, "c", Trigger::SessionExpired);
    story.joined(10_040, "a").joined(10_300, "b");
    story.closed(10_300, 2, "a").broker(10_310, "b", What::Synced).broker(10_320, "a", What::Synced);
    story.stable(10_320, 2, "a:014 b:235");
    story
}

#[test]
fn a_death_names_the_dead_member_what_moved_and_the_gap() {
    let rebalance = death("cooperative-sticky").last();
    assert_eq!(rebalance.trigger.trigger, Trigger::SessionExpired);
    assert_eq!(rebalance.trigger.member.as_deref(), Some("c"));
    assert_eq!(rebalance.trigger.basis, Basis::Observed);
    assert_eq!(moves(&rebalance), ["t-4 c>a HolderGone", "t-5 c>b HolderGone"]);
    assert_eq!(rebalance.least_moves.value, Some(2));
    let gaps: Vec<_> = rebalance.gaps.iter().map(|gap| (gap.resource.as_str(), gap.length_ms())).collect();
    assert_eq!(gaps, [("t-4", Some(3_320)), ("t-5", Some(3_320))]);
    assert_eq!((rebalance.bill.stopped_ms.value, rebalance.bill.stopped_ms.basis), (Some(6_640), Basis::Inferred));
}

#[test]
fn an_asker_that_is_not_told_session_timeouts_takes_none_away() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:01 b:23 c:45");
    let mut members = story.seats("a:01 b:23 c:45");
    members.iter_mut().for_each(|seat| seat.session_timeout_ms = None);
    let (state, protocol_type) = ("Stable".into(), "consumer".into());
    story.say(2_000, Source::Poll, None, What::Seen { state, protocol_type, protocol: None, members });
    story.facts.extend(death("cooperative-sticky").facts.split_off(1));
    assert_eq!(story.last().bill.stopped_ms.value, Some(6_640));
}

#[test]
fn the_slowest_step_is_named_first() {
    let rebalance = death("cooperative-sticky").last();
    let steps: Vec<_> = rebalance.steps.iter().map(|s| (s.kind, s.member.as_deref(), s.took_ms.value)).collect();
    assert_eq!(
        steps[..3],
        [
            (StepKind::Detection, Some("c"), Some(3_000)),
            (StepKind::Join, Some("b"), Some(300)),
            (StepKind::Join, Some("a"), Some(40)),
        ]
    );
}

#[test]
fn under_an_eager_protocol_everybody_stops() {
    let rebalance = death("range").last();
    let gap = |resource: &str| rebalance.gaps.iter().find(|gap| gap.resource == resource).unwrap();
    assert_eq!(gap("t-0").length_ms(), Some(280), "from a's join to the decision");
    assert_eq!(gap("t-2").length_ms(), Some(20), "b joined late and so ran longer");
    assert_eq!(gap("t-4").length_ms(), Some(3_320));
    assert_eq!(rebalance.gaps.len(), 6);
}

#[test]
fn two_rounds_that_move_one_partition_are_one_rebalance() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:01 b:2");
    story.joined(5_000, "c").opened(5_000, "c", Trigger::MemberJoined).joined(5_100, "a").joined(5_200, "b");
    story.closed(5_200, 2, "a").stable(5_210, 2, "a:0 b:2 c:");
    story.joined(5_300, "a").opened(5_300, "a", Trigger::LeaderRejoined).joined(5_310, "b").joined(5_320, "c");
    story.closed(5_320, 3, "a").stable(5_330, 3, "a:0 b:2 c:1");
    let timeline = story.timeline();
    assert_eq!(timeline.rebalances.len(), 2);
    let rebalance = &timeline.rebalances[1];
    assert_eq!(rebalance.rounds.len(), 2);
    assert_eq!(rebalance.trigger.trigger, Trigger::MemberJoined);
    assert_eq!(moves(rebalance), ["t-1 a>c Balance"]);
    assert_eq!(rebalance.least_moves.value, Some(1));
    let gap = &rebalance.gaps[0];
    assert_eq!((gap.from_ms.value, gap.to_ms.value), (Some(5_300), Some(5_330)), "given up before a joined again");
    let lane: Vec<_> = timeline.lanes["t-1"].iter().map(|s| (s.member.as_str(), s.from_ms, s.to_ms)).collect();
    assert_eq!(lane, [("a", 1_000, Some(5_300)), ("c", 5_330, None)]);
}

#[test]
fn a_members_own_trace_is_worth_more_than_a_rule() {
    let mut story = death("cooperative-sticky");
    story.own(8_500, "c", What::Reached { positions: positions(&[("t-4", 700), ("t-5", 900)]) });
    story.own(10_400, "a", What::Assigned { resources: list(&["t-4"]) });
    story.own(10_900, "a", What::Running { resource: "t-4".into(), position: Some(600) });
    story.own(10_600, "b", What::Running { resource: "t-5".into(), position: Some(900) });
    let rebalance = story.last();
    let gap = &rebalance.gaps[0];
    assert_eq!((gap.from_ms.value, gap.to_ms.value), (Some(8_500), Some(10_900)));
    assert_eq!((gap.from_ms.basis, gap.to_ms.basis), (Basis::Inferred, Basis::Observed));
    assert_eq!(rebalance.bill.repeated_records.value, Some(100));
    assert_eq!(rebalance.bill.repeated_records.basis, Basis::Inferred, "it may have gone on after its last line");
    assert_eq!(rebalance.steps[1].kind, StepKind::Start);
    assert_eq!(rebalance.steps[1].took_ms.value, Some(500));
}

#[test]
fn delayed_records_are_those_that_arrived_in_the_gap() {
    let mut story = death("cooperative-sticky");
    let asked = story.timeline().questions();
    let times: Vec<_> = asked.iter().map(|q| (q.resource.as_str(), q.at_ms)).collect();
    assert_eq!(times, [("t-4", 7_000), ("t-4", 10_320), ("t-5", 7_000), ("t-5", 10_320)]);
    story.ends(7_000, &[("t-4", 100), ("t-5", 50)]).ends(10_320, &[("t-4", 432), ("t-5", 60)]);
    story.facts.push(Fact {
        what: What::Committed { offsets: positions(&[("t-4", 80), ("t-5", 50)]) },
        ..story.facts[0].clone()
    });
    let bill = story.last().bill;
    assert_eq!(bill.delayed_records.value, Some(342));
    assert_eq!(bill.repeated_records.value, None, "nobody said how far c had come");
    assert_eq!(bill.repeated_records_at_most.value, Some(20));
}

#[test]
fn where_only_records_tell_nothing_more_is_claimed() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 4, "a:01 b:2").record(9_000, 5, "a:012").record(12_000, 6, "a:02 b:1");
    let timeline = story.timeline();
    let [first, gone, back] = &timeline.rebalances[..] else { panic!("three rebalances") };
    assert_eq!(first.trigger.basis, Basis::Unknown, "what was before generation 4 is not on record");
    assert_eq!(first.bill.stopped_ms.value, None);
    assert_eq!((gone.trigger.trigger, gone.trigger.basis), (Trigger::MemberGone, Basis::Inferred));
    assert_eq!(gone.gone[0].cause, Removal::NotKnown);
    assert_eq!(gone.bill.stopped_ms.value, None, "nobody saw when b stopped");
    assert_eq!((back.trigger.trigger, back.trigger.member.as_deref()), (Trigger::MemberJoined, Some("b")));
    assert_eq!(moves(back), ["t-1 a>b Balance"]);
}

#[test]
fn more_moves_than_needed_are_counted() {
    let mut story = Story::new("range");
    story.record(1_000, 1, "a:01 b:23 c:45").record(2_000, 2, "b:012 c:345");
    let rebalance = story.last();
    assert_eq!((rebalance.moves.len(), rebalance.least_moves.value), (3, Some(2)));
    let reasons: Vec<Reason> = rebalance.moves.iter().map(|moved| moved.reason).collect();
    assert_eq!(reasons, [Reason::HolderGone, Reason::HolderGone, Reason::Balance]);
}

#[test]
fn polling_alone_shows_rounds_roughly() {
    let mut story = Story::new("range");
    let seen = |story: &Story, state: &str, held: &str| What::Seen {
        state: state.into(),
        protocol_type: "consumer".into(),
        protocol: Some("range".into()),
        members: story.seats(held),
    };
    story.say(1_000, Source::Poll, None, What::Watching { interval_ms: 500 });
    for (at, state, held) in [
        (1_000, "Stable", "a:01 b:23"),
        (4_000, "PreparingRebalance", "a: b:"),
        (5_000, "Stable", "a:0123"),
        (6_000, "Stable", "a:0123"),
    ] {
        let what = seen(&story, state, held);
        story.say(at, Source::Poll, None, what);
    }
    let timeline = story.timeline();
    assert_eq!(timeline.rebalances.len(), 2);
    let rebalance = &timeline.rebalances[1];
    assert_eq!((rebalance.began_ms.value, rebalance.began_ms.basis), (Some(4_000), Basis::Inferred));
    assert_eq!((rebalance.settled_ms.value, rebalance.settled_ms.basis), (Some(5_000), Basis::Inferred));
    assert_eq!(rebalance.trigger.trigger, Trigger::MemberGone);
}

#[test]
fn a_static_member_that_comes_back_moves_nothing() {
    let mut story = Story::new("range");
    let seats = |member: &str| {
        vec![Seat {
            member: member.into(),
            instance: Some("i".into()),
            assigned: Some(list(&["t-0"])),
            topics: Some(list(&["t"])),
            ..Seat::default()
        }]
    };
    for (at, member) in [(1_000, "old"), (2_000, "new")] {
        let (protocol_type, protocol, leader) = ("consumer".into(), Some("range".into()), None);
        let what = What::Generation { generation: 7, protocol_type, protocol, leader, members: seats(member) };
        story.say(at, Source::Offsets, None, what);
    }
    let rebalance = story.last();
    assert_eq!(rebalance.trigger.trigger, Trigger::InstanceReplaced);
    assert_eq!(rebalance.moves, []);
    assert_eq!(rebalance.least_moves.value, Some(0));
}

#[test]
fn no_times_and_offsets_are_too_far_apart() {
    const ENDS: [i64; 2] = [i64::MIN, i64::MAX];
    for [first, last] in [ENDS, [i64::MAX, i64::MIN]] {
        let mut story = Story::new("range");
        story.record(i64::MIN, 1, "a:01 b:2").record(i64::MAX, 2, "a:0 b:12");
        for at in ENDS {
            story.opened(at, "b", Trigger::MemberJoined).broker(
                at,
                "b",
                What::Removed { cause: Removal::SessionExpired },
            );
            story.ends(at, &[("t-1", first)]).own(at, "a", What::Reached { positions: positions(&[("t-1", last)]) });
            story.own(at, "a", What::Revoking { resources: list(&["t-1"]) });
            story.own(at, "b", What::Assigned { resources: list(&["t-1"]) });
            story.own(at, "b", What::Running { resource: "t-1".into(), position: Some(first) });
            story.say(at, Source::Poll, None, What::Committed { offsets: positions(&[("t-1", last)]) });
        }
        let timeline = story.timeline();
        assert!(!groma_explain::text(&timeline).is_empty());
        let mut now = groma_explain::Now::default();
        let looks = groma_explain::Looks { last_ms: first, answered: true };
        let mut counters = groma_explain::Counters::default();
        counters.take(&timeline);
        story.facts.iter().for_each(|fact| now.take(fact));
        assert!(!groma_explain::metrics(&now, &timeline, (looks, &counters)).is_empty());
    }
    assert_eq!(groma_explain::compact(&["t-9223372036854775807", "t-9223372036854775806"]).matches('-').count(), 1);
}

#[test]
fn the_round_that_runs_is_there_with_whoever_it_waits_for() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:01 b:2");
    story.opened(5_000, "a", Trigger::LeaderRejoined).joined(5_000, "a");
    let rebalance = story.last();
    assert_eq!(rebalance.settled_ms.value, None);
    assert_eq!(rebalance.rounds[0].steps.keys().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_deleted_topics_partitions_do_not_keep_a_rebalance_open() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:01 b:2");
    for generation in 2..6 {
        story.record(1_000 * i64::from(generation), generation, "a:0 b:2");
    }
    assert_eq!(story.timeline().rebalances.len(), 3, "three rounds that lead nowhere end one, and the rest are calm");
}

#[test]
fn an_emptied_group_begins_anew() {
    let mut story = Story::new("range");
    story.record(1_000, 1, "a:01");
    story.broker(2_000, "a", What::Removed { cause: Removal::Left });
    story.opened(2_000, "a", Trigger::MemberLeft).broker(2_000, "", What::Emptied { generation: 2 });
    story.joined(9_000, "b").opened(9_000, "b", Trigger::MemberJoined);
    story.closed(9_000, 3, "b").stable(9_010, 3, "b:01");
    let timeline = story.timeline();
    let [_, emptied, anew] = &timeline.rebalances[..] else { panic!("three rebalances") };
    assert_eq!(emptied.gone[0].member, "a");
    assert_eq!(moves(anew), ["t-0 ->b New", "t-1 ->b New"]);
    assert_eq!(anew.bill.stopped_ms.value, Some(0), "nothing ran before");
}

#[test]
fn what_members_noticed_belongs_to_its_rebalance_and_is_told_once() {
    let mut story = death("cooperative-sticky");
    let wait =
        |left_ms| What::Remarked(Remark::Waits { owner: Some("c".into()), left_ms, resources: list(&["t-4", "t-5"]) });
    let foreign = || What::Remarked(Remark::ForeignLeader { leader: "a".into() });
    story.own(500, "a", What::Remarked(Remark::BrokenReport { from: "z".into() }));
    story.own(10_310, "a", wait(4_000)).own(10_311, "a", foreign()).own(10_312, "b", foreign()).own(
        11_310,
        "a",
        wait(3_000),
    );
    let rebalance = story.last();
    let said: Vec<String> = rebalance.remarks.iter().map(|one| one.remark.words(str::to_owned)).collect();
    let two_rounds = "a leads and is of another make: shared out in two rounds, whatever is configured";
    assert_eq!(said, ["4.00 s left for c to come back for t 4-5", two_rounds]);
    let text = groma_explain::text(&story.timeline());
    assert!(text.contains(&format!("{two_rounds} [observed]")), "{text}");
}

#[test]
fn names_do_not_steer_a_terminal() {
    let hostile = "\u{1b}]0;title\u{7}\n\u{202e}";
    let mut story = Story::new("range");
    story.record(1_000, 1, "a:0").facts.iter_mut().for_each(|fact| fact.group = hostile.to_owned());
    let seat = Seat {
        member: hostile.to_owned(),
        client: hostile.to_owned(),
        topics: Some(list(&[hostile])),
        assigned: Some(list(&[hostile])),
        ..Seat::default()
    };
    let mut say = |at, what| {
        let (group, member) = (hostile.to_owned(), Some(hostile.to_owned()));
        story.facts.push(Fact { time_ms: at, group, source: Source::Broker, member, what });
    };
    say(2_000, What::RoundOpened { after: 1, cause: Trigger::MemberJoined });
    say(2_000, What::Joined { reason: Some(hostile.to_owned()) });
    let (protocol_type, protocol) = ("consumer".into(), Some(hostile.to_owned()));
    let members = vec![seat];
    say(2_100, What::Generation { generation: 2, protocol_type, protocol, leader: None, members });
    say(2_100, What::RoundStable { generation: 2 });
    say(2_150, What::Remarked(Remark::LesserPolicy { policy: hostile.to_owned(), because_of: hostile.to_owned() }));
    let text = groma_explain::text(&Timeline::of(&story.facts, hostile));
    assert!(text.contains(r"\x1b]0;title\x07\n\u{202e} joined"), "{text}");
    assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
}

#[test]
fn a_leader_of_another_make_shows_in_the_records() {
    let remarks = |leader: &str, ours: [Option<bool>; 2]| {
        let mut story = Story::new("cooperative-sticky");
        let mut members = story.seats("a:0 b:1");
        members.iter_mut().zip(ours).for_each(|(seat, ours)| seat.ours = ours);
        let (protocol_type, protocol) = ("consumer".into(), Some("cooperative-sticky".into()));
        let what = What::Generation { generation: 1, protocol_type, protocol, leader: Some(leader.into()), members };
        story.say(1_000, Source::Offsets, None, what);
        let remarked = story.last().remarks;
        remarked.into_iter().map(|one| (one.basis, one.remark)).collect::<Vec<_>>()
    };
    let foreign = |leader: &str| (Basis::Inferred, Remark::ForeignLeader { leader: leader.into() });
    assert_eq!(remarks("a", [Some(false), Some(true)]), [foreign("a")]);
    assert_eq!(remarks("b", [Some(false), Some(true)]), [], "ours leads");
    assert_eq!(remarks("a", [Some(false), Some(false)]), [], "a group of another make altogether");
    assert_eq!(remarks("a", [None, Some(true)]), [], "what the leader asks for cannot be read");
}

#[test]
fn moves_held_back_for_a_later_round_are_told_with_the_time_of_the_next() {
    let mut story = death("cooperative-sticky");
    let left = |moves, next_ms| What::Remarked(Remark::HeldBack { moves, next_ms });
    story.own(10_310, "a", left(7, 1_000)).own(10_320, "a", left(1, 0));
    let text = groma_explain::text(&story.timeline());
    let line = "moved no more at a time than the policy allows: 7 moves for balance held back, the next due in 1.00 s";
    assert!(text.contains(&format!("{line} [observed]")), "{text}");
    assert!(text.contains("1 move for balance held back, the next due in the next round [observed]"), "{text}");
}

/// As `death`, but what c had waits for it.
fn waiting() -> Story {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:01 b:23 c:45");
    story.broker(10_000, "c", What::Removed { cause: Removal::SessionExpired });
    story.opened(10_000, "c", Trigger::SessionExpired).joined(10_040, "a").joined(10_300, "b");
    story.closed(10_300, 2, "a").stable(10_320, 2, "a:01 b:23");
    story
}

#[test]
fn while_something_waits_for_its_owner_a_rebalance_is_not_over_and_its_bill_grows() {
    let mut story = waiting();
    story.ends(7_000, &[("t-4", 100), ("t-5", 50)]);
    story.say(27_000, Source::Poll, None, What::Ends { offsets: positions(&[("t-4", 500), ("t-5", 60)]) });
    let rebalance = story.last();
    assert_eq!(rebalance.unowned, ["t-4", "t-5"]);
    assert_eq!(rebalance.settled_ms.value, None);
    assert_eq!(rebalance.least_moves.value, None);
    let bill = rebalance.bill;
    assert_eq!((bill.stopped_ms.value, bill.stopped_ms.basis), (Some(40_000), Basis::Inferred));
    assert_eq!((bill.delayed_records.value, bill.delayed_records.basis), (Some(410), Basis::Inferred));
    assert_eq!(bill.repeated_records.value, None);
    let text = groma_explain::text(&story.timeline());
    assert!(text.contains("not over yet: t 4-5 without an owner, 1 round"), "{text}");
    assert!(text.contains("not running: 40.0 resource-seconds [inferred: at least, so far"), "{text}");
    story.opened(30_000, "a", Trigger::LeaderRejoined).joined(30_000, "a").joined(30_001, "b");
    story.closed(30_001, 3, "a").stable(30_002, 3, "a:014 b:235");
    let rebalance = story.last();
    assert_eq!((rebalance.rounds.len(), rebalance.settled_ms.value), (2, Some(30_002)));
    assert_eq!((rebalance.bill.stopped_ms.value, rebalance.unowned.len()), (Some(46_004), 0));
}

#[test]
fn what_is_known_by_a_rule_is_not_said_to_be_observed() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:01").record(2_000, 2, "a:01");
    let bill = story.last().bill;
    assert_eq!((bill.stopped_ms.value, bill.stopped_ms.basis), (Some(0), Basis::Inferred));
    let mut other = Story::new("an-assignor-of-somebody's");
    other.record(1_000, 1, "a:01").record(2_000, 2, "a:01");
    assert_eq!(other.last().bill.stopped_ms.value, None, "nobody says whether its members stop for a round");
    let mut silent = Story::new("cooperative-sticky");
    silent.session_ms = 0;
    silent.record(1_000, 1, "a:0 b:1");
    silent.broker(9_000, "b", What::Removed { cause: Removal::SessionExpired });
    silent.opened(9_000, "b", Trigger::SessionExpired).joined(9_000, "a");
    silent.closed(9_000, 2, "a").stable(9_000, 2, "a:01");
    let bill = silent.last().bill;
    assert_eq!((bill.delayed_records.value, bill.delayed_records.basis), (Some(0), Basis::Inferred));
}

fn planned(moves: &[(&str, &str)], generation: i32) -> What {
    let planned = |(resource, to): &(&str, &str)| {
        let (resource, to) = ((*resource).to_owned(), Some((*to).to_owned()));
        PlannedMove { resource, from: None, to, cause: Reason::Free }
    };
    What::Planned { generation, moved: moves.len(), moves: moves.iter().map(planned).collect() }
}

/// a comes first and leads a generation that b and c overtake.
fn several_at_once(protocol: &'static str, first: i32) -> Story {
    let mut story = Story::new(protocol);
    let opened = |after| What::RoundOpened { after, cause: Trigger::MemberJoined };
    story.joined(1_000, "a").broker(1_000, "a", opened(first)).closed(1_000, first + 1, "a");
    story.joined(1_030, "b").broker(1_030, "b", opened(first + 1)).joined(1_060, "c");
    story.own(4_000, "a", planned(&[("t-0", "a"), ("t-1", "a"), ("t-2", "a")], first + 1));
    story.joined(4_001, "a").closed(4_001, first + 2, "a");
    story.own(4_002, "a", planned(&[("t-0", "a"), ("t-1", "b"), ("t-2", "c")], first + 2));
    story.stable(4_003, first + 2, "a:0 b:1 c:2");
    story
}

#[test]
fn what_several_first_members_are_given_is_counted_once() {
    let rebalance = several_at_once("cooperative-sticky", 0).last();
    assert_eq!(moves(&rebalance), ["t-0 ->a New", "t-1 ->b New", "t-2 ->c New"]);
    assert_eq!((rebalance.moved.value, rebalance.least_moves.value), (Some(3), Some(3)));
    assert_eq!(rebalance.bill.stopped_ms.value, Some(0), "nothing ran before");
}

#[test]
fn a_plan_that_was_overtaken_moved_nothing() {
    let rebalance = several_at_once("cooperative-sticky", 7).last();
    assert_eq!(moves(&rebalance), ["t-0 ->a Free", "t-1 ->b Free", "t-2 ->c Free"]);
    assert_eq!((rebalance.moved.value, rebalance.moved.basis), (Some(3), Basis::Inferred));
}

#[test]
fn what_nobody_can_read_is_not_said_to_have_stayed() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 4, "a:01 b:2");
    assert_eq!(story.last().moved.value, None);
    let text = groma_explain::text(&story.timeline());
    assert!(text.contains("moved    unknown [who owned what before is not known]"), "{text}");
}

#[test]
fn a_group_that_did_not_exist_before_owned_nothing() {
    let absent = |story: &mut Story, at, what: What, source| {
        story.say(at, source, None, what);
    };
    let seen = |state: &str| What::Seen {
        state: state.into(),
        protocol_type: String::new(),
        protocol: None,
        members: Vec::new(),
    };
    let mut polled = Story::new("range");
    absent(&mut polled, 500, seen("Dead"), Source::Poll);
    polled.record(1_000, 2, "a:0 b:1").record(2_000, 3, "a:01");
    let mut on_record = Story::new("range");
    on_record.record(500, 0, "").record(1_000, 2, "a:0 b:1").record(2_000, 3, "a:01");
    for story in [polled, on_record] {
        let moved: Vec<_> = story.timeline().rebalances.iter().map(|one| one.moved.value).collect();
        assert_eq!(moved, [Some(2), Some(1)]);
    }
    let mut again = Story::new("range");
    again.record(1_000, 4, "a:01");
    absent(&mut again, 2_000, seen("Dead"), Source::Poll);
    again.joined(3_000, "b").opened(3_000, "b", Trigger::MemberJoined).closed(3_000, 2, "b").stable(3_001, 2, "b:01");
    assert_eq!(moves(&again.last()), ["t-0 ->b New", "t-1 ->b New"]);
}

#[test]
fn the_first_member_lets_others_join_and_is_not_called_slow() {
    let mut story = several_at_once("cooperative-sticky", 0);
    let ours = |fact: &mut Fact| {
        if let What::Generation { members, .. } = &mut fact.what {
            members.iter_mut().for_each(|seat| seat.ours = Some(true));
        }
    };
    story.facts.iter_mut().for_each(ours);
    let slowest = &story.last().steps[0];
    assert_eq!((slowest.kind, slowest.member.as_deref()), (StepKind::Gather, Some("a")));
    assert_eq!((slowest.took_ms.value, slowest.took_ms.basis), (Some(3_001), Basis::Inferred));
    let foreign = &several_at_once("cooperative-sticky", 0).last().steps[0];
    assert_eq!(foreign.kind, StepKind::Join, "only members of our make let others join");
}

#[test]
fn a_wait_is_told_with_whom_it_is_for() {
    a_wait_for_c(list(&["t-4", "t-5"]));
}

#[test]
fn where_a_leader_does_not_say_what_waits_it_is_what_those_who_are_gone_had() {
    a_wait_for_c(Vec::new());
    let mut calm = Story::new("cooperative-sticky");
    calm.record(1_000, 1, "a:01 b:23 c:45").record(2_000, 2, "a:0 b:23 c:45");
    calm.say(
        2_000,
        Source::Offsets,
        None,
        What::Remarked(Remark::Waits { owner: None, left_ms: 1, resources: vec![] }),
    );
    assert_eq!(calm.last().remarks, [], "a has given up t-1, but is not gone");
}

fn a_wait_for_c(resources: Vec<String>) {
    let mut story = waiting();
    let waits = Remark::Waits { owner: None, left_ms: 20_000, resources };
    story.say(10_320, Source::Offsets, None, What::Remarked(waits));
    story.joined(30_320, "a").opened(30_320, "a", Trigger::MemberRejoined).joined(30_321, "b");
    story.closed(30_321, 3, "a").stable(30_322, 3, "a:014 b:235");
    let rebalance = story.last();
    let slowest = &rebalance.steps[0];
    assert_eq!((slowest.kind, slowest.member.as_deref()), (StepKind::Return, Some("c")));
    assert_eq!(slowest.took_ms.value, Some(20_000));
    let said = rebalance.remarks[0].remark.words(str::to_owned);
    assert_eq!(said, "20.0 s left for c to come back for t 4-5");
}

/// What three members of a group on a coordinator that tells nothing write into their traces.
fn own_traces() -> Story {
    let mut story = Story::new("cooperative-sticky");
    let joining = || What::Joining { cause: "enters the group".into() };
    let entered = |generation| What::Entered { generation, leader: "a".into() };
    story.own(1_000, "a", joining()).own(1_010, "a", entered(1)).own(1_100, "b", joining()).own(1_400, "c", joining());
    story.own(4_000, "a", planned(&[("t-0", "a"), ("t-1", "a"), ("t-2", "a")], 1)).own(4_001, "a", joining());
    for member in ["a", "b", "c"] {
        story.own(4_010, member, entered(2));
    }
    story.record(4_050, 2, "a:0 b:1 c:2");
    story.own(4_060, "a", What::Settled { generation: 2 }).own(4_090, "b", What::Settled { generation: 2 });
    story
}

#[test]
fn where_no_coordinator_tells_members_own_traces_time_the_steps() {
    let rebalance = own_traces().last();
    assert_eq!((rebalance.began_ms.value, rebalance.began_ms.basis), (Some(1_000), Basis::Inferred));
    assert_eq!((rebalance.settled_ms.value, rebalance.settled_ms.basis), (Some(4_050), Basis::Observed));
    let steps: Vec<_> = rebalance.steps.iter().map(|s| (s.kind, s.member.as_deref(), s.took_ms.value)).collect();
    assert_eq!(
        steps,
        [
            (StepKind::Join, Some("a"), Some(3_001)),
            (StepKind::Join, Some("c"), Some(400)),
            (StepKind::Join, Some("b"), Some(100)),
            (StepKind::Decision, None, Some(40)),
            (StepKind::Sync, Some("b"), Some(40)),
            (StepKind::Sync, Some("a"), Some(10)),
            (StepKind::Wait, None, Some(9)),
        ]
    );
    assert!(rebalance.steps.iter().take(4).all(|step| step.took_ms.basis == Basis::Inferred));
    assert_eq!(moves(&rebalance).len(), 3, "generation 1 was overtaken, so nobody had anything before");
}

#[test]
fn a_join_belongs_to_the_member_that_its_trace_names_next() {
    let mut text = String::new();
    let story = own_traces();
    for fact in story.facts.iter().filter(|fact| fact.member.as_deref() == Some("a")) {
        let unnamed = fact.time_ms == 1_000;
        let member = fact.member.clone().filter(|_| !unnamed);
        text.push_str(&groma_explain::line(&Fact { member, ..fact.clone() }));
    }
    let read = groma_explain::read(&text).unwrap();
    assert!(read.iter().all(|fact| fact.member.as_deref() == Some("a")), "{read:?}");
}

#[test]
fn what_ended_does_not_count_as_moved() {
    let mut story = Story::new("cooperative-sticky");
    story.record(1_000, 1, "a:012 b:345").record(2_000, 2, "a:012345");
    story.say(3_000, Source::Offsets, None, What::Forgotten);
    let timeline = story.timeline();
    let counts: Vec<_> =
        timeline.rebalances.iter().map(|r| (r.moved.value, r.least_moves.value, r.moves.len())).collect();
    assert_eq!(counts, [(Some(6), Some(6), 6), (Some(3), Some(3), 3), (Some(0), Some(0), 6)]);
    let words = groma_explain::text(&timeline);
    assert!(words.contains("moved    0 of 0, and 6 resources without an owner now"), "{words}");
}

/// Members come, go and lose resources by chance; under every protocol what is told adds up.
#[test]
fn figures_never_exceed_what_they_are_parts_of() {
    let mut state = 7_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    for case in 0..300 {
        let mut story = Story::new(["range", "cooperative-sticky", "another"][case % 3]);
        let mut at = 1_000;
        for generation in 1..=6 {
            let members: Vec<char> = "abcd".chars().filter(|_| below(3) > 0).collect();
            let mut held: BTreeMap<char, String> = members.iter().map(|member| (*member, String::new())).collect();
            let exist: Vec<char> = "01234567".chars().filter(|_| below(8) > 0).collect();
            for resource in exist {
                let owner = members.get(below(members.len().max(1) as u64) as usize);
                owner.iter().for_each(|owner| held.get_mut(owner).unwrap().push(resource));
            }
            let shares: Vec<String> = held.iter().map(|(member, held)| format!("{member}:{held}")).collect();
            at += 100 + below(1_000) as i64;
            story.opened(at, "a", Trigger::MemberJoined);
            let resources = list(&[&format!("t-{}", below(8))]);
            let (sooner, later) = (at - below(300) as i64, at + below(300) as i64);
            story.own(sooner, "a", What::Assigned { resources: resources.clone() });
            story.own(later, "b", What::Released { resources });
            story.stable(at + 50, generation, &shares.join(" "));
        }
        assert_adds_up(&story.timeline());
    }
}

fn assert_adds_up(timeline: &Timeline) {
    for rebalance in &timeline.rebalances {
        let owned = rebalance.rounds.last().and_then(|round| round.owners()).map_or(usize::MAX, BTreeMap::len) as u64;
        let moved = rebalance.moved.value.unwrap_or(0);
        assert!(moved <= owned, "moved {moved} of {owned}: {rebalance:?}");
        assert!(rebalance.least_moves.value.is_none_or(|least| least <= moved), "least above {moved}: {rebalance:?}");
        for gap in &rebalance.gaps {
            let ends = gap.from_ms.value.zip(gap.to_ms.value);
            assert!(ends.is_none_or(|(from, to)| from <= to), "a gap that ends before it begins: {gap:?}");
        }
    }
    for stay in timeline.lanes.values().flatten() {
        assert!(stay.to_ms.is_none_or(|to| stay.from_ms <= to), "a stay that ends before it begins: {stay:?}");
    }
}

#[test]
fn that_an_empty_group_is_forgotten_is_no_rebalance() {
    let mut story = Story::new("range");
    story.record(1_000, 1, "a:012").record(2_000, 2, "");
    story.say(9_000, Source::Offsets, None, What::Forgotten);
    assert_eq!(story.timeline().rebalances.len(), 2);
    story.record(20_000, 1, "a:012");
    assert_eq!(story.last().moved.value, Some(3));
}
