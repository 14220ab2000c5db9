//! Consuming: positions, groups, commits, in virtual time.

use std::collections::{BTreeMap, BTreeSet};

use groma_model::{Offset, Span, Time, Timestamp, TopicPartition};
use groma_session::consumer::{CommitError, ConsumeError, Consumer, ConsumerEvent, ReleaseId};
use groma_session::net::{NetInput, NetOutput};
use groma_session::{ClientSettings, ConsumerSettings, GroupSettings, OnAssigned, Reset, Strategy};
use groma_wire::ErrorCode;
use groma_wire::records::{BatchBuilder, BatchMeta, Scratch, batches};
use proptest::prelude::*;

use crate::broker::TOPIC;
use crate::group::{Crowd, Leader};
use crate::world::{Machine, Weather, World};

impl Machine for Consumer {
    fn input(&mut self, now: Time, input: NetInput) {
        self.handle(now, input);
    }

    fn output(&mut self) -> Option<NetOutput> {
        self.poll()
    }

    fn deadline(&self) -> Option<Time> {
        Self::deadline(self)
    }
}

/// What an application of the tests has seen.
#[derive(Debug, Default)]
struct Seen {
    story: Vec<String>,
    values: BTreeMap<i32, Vec<u64>>,
    open: Vec<ReleaseId>,
    errors: Vec<ConsumeError>,
}

/// What it does about revocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manners {
    Prompt,
    Slow,
}

impl Seen {
    fn look(&mut self, world: &mut World<Consumer>, manners: Manners) {
        while let Some(event) = world.machine.take(world.now) {
            match event {
                ConsumerEvent::Assigned(all) => self.story.push(format!("assigned {}", numbers(&all))),
                ConsumerEvent::Lost(all) => self.story.push(format!("lost {}", numbers(&all))),
                ConsumerEvent::Revoked(id, all) => {
                    self.story.push(format!("revoked {}", numbers(&all)));
                    match manners {
                        Manners::Prompt => world.machine.released(world.now, id),
                        Manners::Slow => self.open.push(id),
                    }
                }
                ConsumerEvent::Records(chunk) => {
                    let known = self.values.entry(chunk.partition.partition.0).or_default();
                    known.extend(values(&chunk.batches, chunk.from));
                }
                ConsumerEvent::Rebalancing => self.story.push("rebalancing".to_owned()),
                ConsumerEvent::Stable(generation) => self.story.push(format!("stable {generation}")),
                ConsumerEvent::Step(_) => {}
                ConsumerEvent::Error(error) => self.errors.push(error),
            }
        }
    }

    fn count(&self) -> usize {
        self.values.values().map(Vec::len).sum()
    }

    /// What happened since the last question.
    fn news(&mut self) -> String {
        std::mem::take(&mut self.story).join(", ")
    }
}

fn numbers(partitions: &[TopicPartition]) -> String {
    partitions.iter().map(|p| p.partition.to_string()).collect::<Vec<_>>().join("+")
}

fn values(bytes: &[u8], from: Offset) -> Vec<u64> {
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    for batch in batches(bytes) {
        for record in batch.expect("a batch").records(&mut scratch).expect("records") {
            let record = record.expect("a record");
            if record.offset >= from {
                found.push(u64::from_be_bytes(record.value.expect("a value").try_into().expect("8 bytes")));
            }
        }
    }
    found
}

fn client() -> ClientSettings {
    ClientSettings { request_timeout: Span::from_secs(3), ..ClientSettings::new("broker:9092") }
}

fn manual() -> GroupSettings {
    GroupSettings { session_timeout: Span::from_secs(60), ..GroupSettings::new("g").with_manual_commit() }
}

fn member(settings: ConsumerSettings, group: GroupSettings) -> World<Consumer> {
    let mut world = World::new(Consumer::new(&client(), settings, Some(group)), 3);
    world.machine.start(Time::ZERO);
    world.machine.subscribe(Time::ZERO, BTreeSet::from([TOPIC.to_owned()]));
    world
}

fn reader(settings: ConsumerSettings, partitions: &[(TopicPartition, Option<Offset>)]) -> World<Consumer> {
    let mut world = World::new(Consumer::new(&client(), settings, None), 3);
    world.machine.start(Time::ZERO);
    world.machine.assign(Time::ZERO, partitions);
    world
}

fn partition(number: i32) -> TopicPartition {
    TopicPartition::new(TOPIC, number)
}

/// Ten records, of which the values are their offsets.
fn append(world: &mut World<Consumer>, number: usize) {
    let log = &mut world.broker.partitions[number];
    let mut builder = BatchBuilder::new();
    for offset in log.end..log.end + 10 {
        builder.append(Timestamp(1), None, Some(&offset.to_be_bytes()));
    }
    log.append(&builder.finish(BatchMeta::default())).expect("appended");
}

/// Lets time pass in which every partition gets ten records each 100 ms, and the application looks every 10 ms.
fn live(world: &mut World<Consumer>, seen: &mut Seen, span: Span, manners: Manners) {
    for step in 0..span.as_millis() / 10 {
        if step % 10 == 0 {
            (0..world.broker.partitions.len()).for_each(|number| append(world, number));
        }
        world.run(Span::from_millis(10));
        seen.look(world, manners);
    }
}

/// A member alone in its group, with all partitions.
fn settled(settings: ConsumerSettings, group: GroupSettings) -> (World<Consumer>, Seen) {
    let (mut world, mut seen) = (member(settings, group), Seen::default());
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Prompt);
    assert_eq!(seen.news(), "rebalancing, assigned 0+1+2, stable 1");
    (world, seen)
}

#[test]
fn a_lone_member_gets_everything_in_one_round() {
    let (world, seen) = settled(ConsumerSettings::default(), manual());
    assert_eq!(world.machine.generation().map(|g| g.0), Some(1));
    assert!(seen.values.values().all(|v| v.len() >= 150 && *v == (0..v.len() as u64).collect::<Vec<_>>()));
    assert_eq!(seen.values.len(), 3);
}

#[test]
fn b87_fetching_processing_and_heartbeats_go_on_while_a_join_is_parked_for_thirty_seconds() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    let (joins, before) = (world.broker.asked("JoinGroup"), seen.count());
    world.broker.group.hold_join = Span::from_secs(30);
    world.broker.group.rebalancing = true;
    world.run_until(Span::from_secs(5), |world| world.broker.group.parked() == 1);
    assert_eq!(world.broker.asked("JoinGroup"), joins + 1);
    let beats = world.broker.asked("Heartbeat");
    live(&mut world, &mut seen, Span::from_millis(29_500), Manners::Prompt);
    assert_eq!(world.broker.group.parked(), 1, "the join is still parked");
    let (records, beats) = (seen.count() - before, world.broker.asked("Heartbeat") - beats);
    assert!(records >= 3 * 2900, "{records} records processed while the join was parked");
    assert!(beats >= 9, "{beats} heartbeats while the join was parked");
    assert_eq!(seen.news(), "rebalancing");
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Prompt);
    assert_eq!(seen.news(), "stable 2");
    assert!(seen.values.values().all(|v| *v == (0..v.len() as u64).collect::<Vec<_>>()), "nothing twice or left out");
}

#[test]
fn fetching_processing_and_heartbeats_go_on_while_a_sync_is_parked_for_thirty_seconds() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.broker.group.leader = Leader::Other { assignment: vec![0, 1, 2] };
    world.broker.group.hold_sync = Span::from_secs(30);
    world.broker.group.rebalancing = true;
    world.run_until(Span::from_secs(5), |world| world.broker.group.parked() == 1);
    let (before, beats) = (seen.count(), world.broker.asked("Heartbeat"));
    live(&mut world, &mut seen, Span::from_millis(29_500), Manners::Prompt);
    assert_eq!(world.broker.group.parked(), 1, "the sync is still parked");
    let (records, beats) = (seen.count() - before, world.broker.asked("Heartbeat") - beats);
    assert!(records >= 3 * 2900, "{records} records processed while the sync was parked");
    assert!(beats >= 9, "{beats} heartbeats while the sync was parked");
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Prompt);
    assert_eq!(seen.news(), "rebalancing, stable 2");
}

#[test]
fn b72_b76_b86_a_second_member_costs_one_partition_and_two_rounds() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.broker.group.crowd = Crowd::Two;
    world.broker.group.rebalancing = true;
    live(&mut world, &mut seen, Span::from_secs(6), Manners::Prompt);
    let news = seen.news();
    let moved: i32 =
        news.strip_prefix("rebalancing, revoked ").and_then(|n| n.split(',').next()?.parse().ok()).expect(&news);
    assert_eq!(news, format!("rebalancing, revoked {moved}, stable 2, rebalancing, stable 3"));
    assert_eq!(world.machine.assignment().len(), 2);
    let count = |seen: &Seen, number| seen.values[&number].len();
    let (kept, gone) = ((moved + 1) % 3, moved);
    let before = (count(&seen, kept), count(&seen, gone));
    live(&mut world, &mut seen, Span::from_secs(1), Manners::Prompt);
    assert!(count(&seen, kept) > before.0, "what is kept runs on");
    assert_eq!(count(&seen, gone), before.1, "what is gone is not delivered");
}

#[test]
fn an_eager_member_gives_up_everything_before_it_joins() {
    let group = manual().with_strategies([Strategy::Range]);
    let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
    world.broker.group.rebalancing = true;
    live(&mut world, &mut seen, Span::from_secs(6), Manners::Prompt);
    let news = seen.news();
    assert_eq!(news, "revoked 0+1+2, rebalancing, assigned 0+1+2, stable 2");
}

#[test]
fn b24_no_join_is_sent_before_a_slow_application_has_released() {
    let group = manual().with_strategies([Strategy::Range]);
    let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
    let joins = world.broker.asked("JoinGroup");
    world.broker.group.rebalancing = true;
    let before = world.run_until(Span::from_secs(5), |world| world.machine.assignment().is_empty());
    assert!(before, "revoked");
    let processed = seen.count();
    seen.look(&mut world, Manners::Slow);
    live(&mut world, &mut seen, Span::from_secs(20), Manners::Slow);
    assert_eq!(seen.news(), "revoked 0+1+2");
    assert_eq!(world.broker.asked("JoinGroup"), joins);
    assert_eq!(seen.count(), processed, "nothing of it is delivered meanwhile");
    let offsets = BTreeMap::from([(partition(0), Offset(5))]);
    let commit = world.machine.commit(world.now, offsets).expect("still the owner");
    assert!(world.run_until(Span::from_secs(1), |world| world.machine.committed(commit).is_some_and(|r| r.is_ok())));
    for id in std::mem::take(&mut seen.open) {
        world.machine.released(world.now, id);
    }
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Slow);
    assert_eq!(seen.news(), "rebalancing, assigned 0+1+2, stable 2");
}

#[test]
fn b80_a_release_that_takes_longer_than_the_round_is_a_loss() {
    let round = Span::from_secs(10);
    let group = GroupSettings { rebalance_timeout: round, ..manual().with_strategies([Strategy::Range]) };
    let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
    world.broker.group.rebalancing = true;
    live(&mut world, &mut seen, Span::from_secs(20), Manners::Slow);
    let news = seen.news();
    assert!(news.starts_with("revoked 0+1+2, lost 0+1+2"), "{news}");
}

#[test]
fn an_expelled_member_is_told_of_its_loss_may_not_commit_and_joins_again() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.broker.group.heartbeat_error = ErrorCode::UnknownMemberId;
    world.broker.group.hold_join = Span::from_secs(5);
    let lost = world.run_until(Span::from_secs(5), |world| world.machine.assignment().is_empty());
    assert!(lost, "given up");
    seen.look(&mut world, Manners::Prompt);
    world.broker.group.heartbeat_error = ErrorCode::None;
    let refused = world.machine.commit(world.now, BTreeMap::from([(partition(1), Offset(5))]));
    assert_eq!(refused, Err(CommitError::NotAssigned(partition(1))));
    live(&mut world, &mut seen, Span::from_secs(8), Manners::Prompt);
    assert_eq!(seen.news(), "lost 0+1+2, rebalancing, assigned 0+1+2, stable 2");
    assert!(world.broker.group.commits.is_empty());
}

#[test]
fn a_commit_the_group_refuses_says_so_and_brings_the_member_back() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.broker.group.commit_error = ErrorCode::IllegalGeneration;
    let id = world.machine.commit(world.now, BTreeMap::from([(partition(0), Offset(5))])).expect("begun");
    let mut result = None;
    world.run_until(Span::from_secs(1), |world| {
        result = world.machine.committed(id);
        result.is_some()
    });
    assert!(matches!(result, Some(Err(CommitError::Group(_)))), "{result:?}");
    live(&mut world, &mut seen, Span::from_secs(5), Manners::Prompt);
    let news = seen.news();
    assert!(news.starts_with("lost 0+1+2") && news.ends_with("assigned 0+1+2, stable 2"), "{news}");
}

#[test]
fn b74_a_commit_survives_a_lost_connection_and_a_moved_coordinator() {
    let (mut world, _) = settled(ConsumerSettings::default(), manual());
    world.broker.group.commit_error = ErrorCode::NotCoordinator;
    let id = world.machine.commit(world.now, BTreeMap::from([(partition(0), Offset(5))])).expect("begun");
    world.run(Span::from_millis(300));
    world.broker.group.commit_error = ErrorCode::None;
    world.break_all();
    assert!(world.run_until(Span::from_secs(3), |world| world.machine.committed(id).is_some_and(|r| r.is_ok())));
    assert_eq!(world.broker.group.committed.get(&0), Some(&5));
}

#[test]
fn what_was_processed_is_committed_on_a_timer_and_before_it_is_given_up() {
    let group = GroupSettings { commit: groma_session::Commit::Auto(Span::from_secs(1)), ..manual() };
    let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
    live(&mut world, &mut seen, Span::from_secs(3), Manners::Prompt);
    assert!(world.broker.group.commits.len() >= 6, "{:?}", world.broker.group.commits);
    world.machine.leave(world.now);
    world.run_until(Span::from_secs(5), |world| {
        seen.look(world, Manners::Prompt);
        world.machine.has_left()
    });
    assert!(world.broker.group.left);
    for (number, read) in &seen.values {
        assert_eq!(world.broker.group.committed.get(number), Some(&(read.len() as i64)), "partition {number}");
    }
    assert!(seen.errors.is_empty(), "{:?}", seen.errors);
}

#[test]
fn b23_a_commit_refused_while_partitions_are_given_up_is_told_and_holds_nothing_up() {
    for code in [ErrorCode::OffsetMetadataTooLarge, ErrorCode::TopicAuthorizationFailed] {
        let auto = groma_session::Commit::Auto(Span::from_secs(60));
        let group = GroupSettings { commit: auto, ..manual().with_strategies([Strategy::Range]) };
        let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
        world.broker.group.commit_error = code;
        world.broker.group.rebalancing = true;
        live(&mut world, &mut seen, Span::from_secs(6), Manners::Prompt);
        assert_eq!(seen.news(), "revoked 0+1+2, rebalancing, assigned 0+1+2, stable 2", "{code}");
        assert!(world.broker.group.commits.is_empty(), "{:?}", world.broker.group.commits);
        let refused = ConsumeError::Commit(CommitError::Refused { partition: partition(0), code });
        assert_eq!(seen.errors, [refused]);
    }
}

#[test]
fn a_commit_fenced_while_partitions_are_given_up_is_told_and_the_member_joins_anew() {
    let auto = groma_session::Commit::Auto(Span::from_secs(60));
    let group = GroupSettings { commit: auto, ..manual().with_strategies([Strategy::Range]) };
    let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
    world.broker.group.commit_error = ErrorCode::IllegalGeneration;
    world.broker.group.rebalancing = true;
    live(&mut world, &mut seen, Span::from_secs(6), Manners::Prompt);
    let news = seen.news();
    assert!(news.starts_with("revoked 0+1+2") && news.ends_with("assigned 0+1+2, stable 2"), "{news}");
    assert!(matches!(seen.errors.as_slice(), [ConsumeError::Commit(CommitError::Group(_))]), "{:?}", seen.errors);
}

#[test]
fn b73_a_commit_that_waits_is_dropped_when_its_partition_is_lost_meanwhile() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.broker.group.commit_error = ErrorCode::CoordinatorLoadInProgress;
    let id = world.machine.commit(world.now, BTreeMap::from([(partition(0), Offset(5))])).expect("begun");
    world.run(Span::from_millis(50));
    world.broker.group.leader = Leader::Other { assignment: vec![1] };
    world.broker.group.heartbeat_error = ErrorCode::UnknownMemberId;
    world.run_until(Span::from_secs(4), |world| world.machine.assignment().is_empty());
    world.broker.group.heartbeat_error = ErrorCode::None;
    world.broker.group.commit_error = ErrorCode::None;
    let mut result = None;
    for _ in 0..200 {
        live(&mut world, &mut seen, Span::from_millis(20), Manners::Prompt);
        result = result.or_else(|| world.machine.committed(id));
    }
    assert!(matches!(result, Some(Err(_))), "{result:?}");
    assert!(world.broker.group.commits.is_empty(), "{:?}", world.broker.group.commits);
}

#[test]
fn leaving_commits_the_records_taken_last_and_never_a_position_before_them() {
    let group = GroupSettings { commit: groma_session::Commit::Auto(Span::from_secs(60)), ..manual() };
    let (mut world, mut seen) = settled(ConsumerSettings::default(), group);
    (0..3).for_each(|number| append(&mut world, number));
    world.run(Span::from_secs(1));
    let last = world.machine.take(world.now);
    let Some(ConsumerEvent::Records(chunk)) = last else { panic!("no records: {last:?}") };
    world.machine.leave(world.now);
    world.run_until(Span::from_secs(5), |world| {
        seen.look(world, Manners::Prompt);
        world.machine.has_left()
    });
    assert_eq!(world.broker.group.committed.get(&chunk.partition.partition.0), Some(&chunk.next.0));
    let mut newest = BTreeMap::new();
    for (_, number, offset) in &world.broker.group.commits {
        assert!(newest.insert(number, offset).is_none_or(|before| before <= offset), "partition {number} went back");
    }
}

#[test]
fn a_member_goes_on_at_what_was_committed() {
    let mut world = member(ConsumerSettings::default(), manual());
    world.broker.group.committed = BTreeMap::from([(0, 15), (1, 20)]);
    for number in (0..3).cycle().take(15) {
        append(&mut world, number);
    }
    let mut seen = Seen::default();
    live(&mut world, &mut seen, Span::from_secs(3), Manners::Prompt);
    let firsts: Vec<u64> = seen.values.values().map(|values| values[0]).collect();
    assert_eq!(firsts, [15, 20, 0]);
}

#[test]
fn b79_a_round_that_ends_before_positions_are_known_starts_nothing_twice() {
    let mut world = member(ConsumerSettings::default(), manual());
    world.broker.group.committed = BTreeMap::from([(0, 15), (1, 20)]);
    world.broker.group.hold_offsets = Span::from_millis(1_500);
    (0..3).cycle().take(15).for_each(|number| append(&mut world, number));
    let mut seen = Seen::default();
    assert!(world.run_until(Span::from_secs(5), |world| world.machine.assignment().len() == 3));
    world.machine.subscribe(world.now, BTreeSet::from([TOPIC.to_owned(), "other".to_owned()]));
    live(&mut world, &mut seen, Span::from_millis(1_400), Manners::Prompt);
    assert_eq!((seen.count(), world.broker.group.generation), (0, 2), "positions are not known yet");
    live(&mut world, &mut seen, Span::from_secs(3), Manners::Prompt);
    let story = seen.news();
    assert_eq!(story.matches("assigned").count(), 1, "{story}");
    assert!(story.ends_with("stable 2"), "{story}");
    let firsts: Vec<u64> = seen.values.values().map(|values| values[0]).collect();
    assert_eq!(firsts, [15, 20, 0]);
}

#[test]
fn b69_a_wider_subscription_goes_on_where_each_partition_was() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.machine.subscribe(world.now, BTreeSet::from([TOPIC.to_owned(), "other".to_owned()]));
    live(&mut world, &mut seen, Span::from_secs(8), Manners::Prompt);
    let story = seen.news();
    assert_eq!(story, "rebalancing, stable 2");
    assert!(seen.values.values().all(|v| v.len() > 400 && *v == (0..v.len() as u64).collect::<Vec<_>>()));
}

#[test]
fn a_partition_that_waits_is_not_fetched_until_it_is_sought_and_resumed() {
    let settings = ConsumerSettings { on_assigned: OnAssigned::Wait, ..ConsumerSettings::default() };
    let (mut world, mut seen) = settled(settings, manual());
    assert_eq!((seen.count(), world.broker.asked("OffsetFetch")), (0, 0));
    assert!(world.machine.seek(world.now, &partition(1), Offset(42)));
    world.machine.resume(world.now, &[partition(1), partition(2)]);
    live(&mut world, &mut seen, Span::from_secs(1), Manners::Prompt);
    assert_eq!(seen.values.iter().map(|(n, v)| (*n, v[0])).collect::<Vec<_>>(), [(1, 42), (2, 0)]);
}

#[test]
fn a_paused_partition_delivers_nothing_and_goes_on_where_it_was() {
    let mut world = reader(ConsumerSettings::default(), &[(partition(0), None), (partition(1), None)]);
    let mut seen = Seen::default();
    live(&mut world, &mut seen, Span::from_secs(1), Manners::Prompt);
    world.machine.pause(&[partition(0)]);
    let before = seen.values[&0].len();
    live(&mut world, &mut seen, Span::from_secs(1), Manners::Prompt);
    assert_eq!(seen.values[&0].len(), before);
    world.machine.resume(world.now, &[partition(0)]);
    live(&mut world, &mut seen, Span::from_secs(1), Manners::Prompt);
    assert!(seen.values[&0].len() > before + 150);
    assert!(seen.values.values().all(|v| *v == (0..v.len() as u64).collect::<Vec<_>>()));
}

#[test]
fn what_waits_of_paused_partitions_does_not_keep_the_others_from_being_fetched() {
    let settings = ConsumerSettings { queue_bytes: 2000, ..ConsumerSettings::default() };
    let mut world = reader(settings, &[(partition(0), None), (partition(1), None), (partition(2), None)]);
    for number in (0..3).cycle().take(150) {
        append(&mut world, number);
    }
    world.run(Span::from_secs(1));
    world.machine.pause(&[partition(0), partition(1)]);
    let mut seen = Seen::default();
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Prompt);
    assert_eq!(seen.values.keys().collect::<Vec<_>>(), [&2]);
    assert!(seen.values[&2].len() > 600, "{} of 700 records", seen.values[&2].len());
    world.machine.resume(world.now, &[partition(0), partition(1)]);
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Prompt);
    assert!(seen.values.values().all(|v| v.len() > 600 && *v == (0..v.len() as u64).collect::<Vec<_>>()));
}

#[test]
fn commits_of_one_partition_land_in_the_order_they_were_made() {
    let (mut world, _) = settled(ConsumerSettings::default(), manual());
    world.broker.group.commit_error = ErrorCode::NotCoordinator;
    let first = world.machine.commit(world.now, BTreeMap::from([(partition(0), Offset(5))])).expect("begun");
    world.run(Span::from_millis(100));
    world.broker.group.commit_error = ErrorCode::None;
    let second = world.machine.commit(world.now, BTreeMap::from([(partition(0), Offset(9))])).expect("begun");
    for id in [first, second] {
        assert!(world.run_until(Span::from_secs(3), |world| world.machine.committed(id).is_some_and(|r| r.is_ok())));
    }
    assert_eq!(world.broker.group.committed.get(&0), Some(&9));
}

#[test]
fn b5_another_subscription_gives_up_what_it_leaves_out_and_takes_it_back() {
    let (mut world, mut seen) = settled(ConsumerSettings::default(), manual());
    world.machine.subscribe(world.now, BTreeSet::from(["other".to_owned()]));
    live(&mut world, &mut seen, Span::from_secs(3), Manners::Prompt);
    let story = seen.news();
    assert!(story.contains("revoked 0+1+2"), "{story}");
    assert!(world.machine.assignment().is_empty());
    world.machine.subscribe(world.now, BTreeSet::from([TOPIC.to_owned()]));
    live(&mut world, &mut seen, Span::from_secs(3), Manners::Prompt);
    let story = seen.news();
    assert!(story.contains("assigned 0+1+2"), "{story}");
    assert_eq!(world.machine.assignment().len(), 3);
}

#[test]
fn a_seek_drops_what_was_fetched_and_what_is_on_its_way() {
    let mut world = reader(ConsumerSettings::default(), &[(partition(0), Some(Offset(0)))]);
    (0..20).for_each(|_| append(&mut world, 0));
    world.run(Span::from_millis(50));
    assert!(world.machine.seek(world.now, &partition(0), Offset(123)));
    let mut seen = Seen::default();
    live(&mut world, &mut seen, Span::from_secs(1), Manners::Prompt);
    assert_eq!(seen.values[&0][0], 123);
    assert_eq!(world.machine.position(&partition(0)), Some(Offset(123 + seen.values[&0].len() as i64)));
    assert!(!world.machine.seek(world.now, &partition(2), Offset(1)), "not assigned");
}

#[test]
fn an_offset_out_of_range_goes_by_the_policy() {
    for (reset, first) in [(Reset::Earliest, Some(30)), (Reset::Latest, Some(50)), (Reset::Fail, None)] {
        let settings = ConsumerSettings { reset, ..ConsumerSettings::default() };
        let mut world = reader(settings, &[(partition(0), Some(Offset(7)))]);
        (0..5).for_each(|_| append(&mut world, 0));
        world.broker.log_start = 30;
        world.run(Span::from_secs(1));
        append(&mut world, 0);
        let mut seen = Seen::default();
        world.run(Span::from_secs(1));
        seen.look(&mut world, Manners::Prompt);
        assert_eq!(seen.values.get(&0).map(|values| values[0]), first, "{reset:?}");
        let expected = ConsumeError::OutOfRange { partition: partition(0), offset: Some(Offset(7)) };
        assert_eq!(seen.errors, if first.is_none() { vec![expected] } else { vec![] });
    }
}

#[test]
fn a_topic_made_anew_is_read_from_its_reset_point() {
    let mut world = reader(ConsumerSettings::default(), &[(partition(0), None)]);
    let mut seen = Seen::default();
    live(&mut world, &mut seen, Span::from_secs(2), Manners::Prompt);
    world.broker.topic_id = groma_model::TopicId([9; 16]);
    world.broker.partitions = (0..3).map(|_| crate::log::Log::default()).collect();
    seen.values.clear();
    live(&mut world, &mut seen, Span::from_secs(3), Manners::Prompt);
    let read = &seen.values[&0];
    assert_eq!(*read, (0..read.len() as u64).collect::<Vec<_>>());
    assert!(read.len() > 200);
}

#[test]
fn what_is_fetched_and_not_taken_is_bounded() {
    let settings = ConsumerSettings { queue_bytes: 2000, ..ConsumerSettings::default() };
    let mut world = reader(settings, &[(partition(0), None), (partition(1), None), (partition(2), None)]);
    for number in (0..3).cycle().take(300) {
        append(&mut world, number);
    }
    world.run(Span::from_secs(30));
    let fetches = world.broker.asked("Fetch");
    assert!(fetches < 40, "{fetches} fetches into a full queue");
    let mut seen = Seen::default();
    for _ in 0..200 {
        seen.look(&mut world, Manners::Prompt);
        world.run(Span::from_millis(50));
    }
    assert_eq!(seen.count(), 3000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_record_is_read_once_and_in_order_whatever_the_network_does(
        seed: u64, lost in 0u64..80, unanswered in 0u64..80, refused in 0u64..80, delay_ms in 1u64..60,
    ) {
        let all = [0, 1, 2].map(|number| (partition(number), None));
        let mut world = World::new(Consumer::new(&client(), ConsumerSettings::default(), None), seed);
        world.machine.start(Time::ZERO);
        world.machine.assign(Time::ZERO, &all);
        world.weather = Weather { lost, unanswered, refused, delay_ms };
        let mut seen = Seen::default();
        live(&mut world, &mut seen, Span::from_secs(5), Manners::Prompt);
        world.weather = Weather::FAIR;
        for _ in 0..600 {
            world.run(Span::from_millis(20));
            seen.look(&mut world, Manners::Prompt);
        }
        for read in seen.values.values() {
            prop_assert_eq!(read.clone(), (0..500).collect::<Vec<u64>>());
        }
        prop_assert_eq!((seen.values.len(), seen.errors.len()), (3, 0));
    }
}
