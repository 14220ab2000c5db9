//! Producing under every fault: in order, exactly once per partition, and never a false acknowledgement.

use groma_model::{Span, Time, Timestamp};
use groma_session::net::{Jitter, NetInput, NetOutput};
use groma_session::producer::{AppendError, ProduceError, Producer, ProducerInput, ProducerOutput, SlotId, Ticket};
use groma_session::{Acks, ClientSettings, Compression, Delivery, ProducerSettings};
use groma_wire::ErrorCode;
use groma_wire::records::{BatchBuilder, BatchMeta};
use proptest::prelude::*;

use crate::broker::TOPIC;
use crate::world::{Machine, Weather, World};

impl Machine for Producer {
    fn input(&mut self, now: Time, input: NetInput) {
        self.handle(now, ProducerInput::Net(input));
    }

    fn output(&mut self) -> Option<NetOutput> {
        loop {
            match self.poll()? {
                ProducerOutput::Net(output) => return Some(output),
                ProducerOutput::Wake => {}
            }
        }
    }

    fn deadline(&self) -> Option<Time> {
        Self::deadline(self)
    }
}

fn small_batches() -> ProducerSettings {
    ProducerSettings { batch_bytes: 300, linger: Span::from_millis(2), ..ProducerSettings::default() }
}

fn world(settings: ProducerSettings, seed: u64) -> (World<Producer>, Vec<SlotId>) {
    let client = ClientSettings { seed, request_timeout: Span::from_secs(3), ..ClientSettings::new("broker:9092") };
    let mut world = World::new(Producer::new(&client, settings), seed);
    world.machine.start(Time::ZERO);
    world.machine.handle(Time::ZERO, ProducerInput::Want(TOPIC.to_owned()));
    assert!(world.run_until(Span::from_secs(5), |world| world.machine.topic(TOPIC).is_some()));
    let slots = world.machine.topic(TOPIC).expect("known");
    (world, slots)
}

/// Appends a number, waiting for room.
fn append(world: &mut World<Producer>, slot: SlotId, number: u64) -> Ticket {
    loop {
        match world.machine.append(slot, Timestamp(5), None, Some(&number.to_be_bytes())) {
            Ok(appended) => {
                if appended.notable {
                    world.machine.handle(world.now, ProducerInput::Noted(slot));
                }
                return Ticket { partition: slot, number: appended.number };
            }
            Err(AppendError::Unfit) => world.machine.handle(world.now, ProducerInput::Close(slot)),
            Err(AppendError::Full) => world.run(Span::from_millis(1)),
            Err(error) => panic!("{error:?}"),
        }
    }
}

fn flush(world: &mut World<Producer>, patience: Span) {
    world.machine.handle(world.now, ProducerInput::Flush);
    assert!(world.run_until(patience, |world| world.machine.is_settled()), "not settled in {patience}");
}

/// Sends `count` numbers to each partition through bad weather, then waits in fair weather.
fn storm(settings: ProducerSettings, seed: u64, weather: Weather, count: u64) -> World<Producer> {
    let (mut world, slots) = world(settings, seed);
    world.weather = weather;
    let mut chance = Jitter::new(seed ^ 1);
    for number in 0..count {
        for slot in &slots {
            append(&mut world, *slot, number);
        }
        if chance.below(4) == 0 {
            world.run(Span::from_millis(chance.below(20)));
        }
    }
    world.run(Span::from_secs(2));
    world.weather = Weather::FAIR;
    flush(&mut world, Span::from_secs(300));
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_record_is_there_once_and_in_order_whatever_the_network_does(
        seed: u64, lost in 0u64..80, unanswered in 0u64..80, refused in 0u64..80, delay_ms in 1u64..60,
    ) {
        let weather = Weather { lost, unanswered, refused, delay_ms };
        let world = storm(small_batches(), seed, weather, 150);
        for (index, log) in world.broker.partitions.iter().enumerate() {
            prop_assert_eq!(log.values(), (0..150).collect::<Vec<u64>>());
            let progress = world.machine.progress(SlotId(index as u32));
            prop_assert_eq!((progress.appended, progress.settled, progress.failed), (150, 150, 0));
        }
    }

    #[test]
    fn records_that_expire_are_reported_and_the_rest_is_neither_doubled_nor_out_of_order(
        seed: u64, lost in 0u64..200, unanswered in 0u64..200, refused in 0u64..200, delay_ms in 1u64..60,
    ) {
        let weather = Weather { lost, unanswered, refused, delay_ms };
        let settings = ProducerSettings { delivery_timeout: Span::from_millis(250), ..small_batches() };
        let world = storm(settings, seed, weather, 100);
        for (index, log) in world.broker.partitions.iter().enumerate() {
            let values = log.values();
            prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
            let progress = world.machine.progress(SlotId(index as u32));
            prop_assert_eq!((progress.appended, progress.settled), (100, 100));
            prop_assert!(values.len() as u64 >= progress.settled - progress.failed);
        }
    }
}

#[test]
fn a_batch_goes_out_when_its_linger_is_over() {
    let (mut world, slots) = world(ProducerSettings::default(), 1);
    let ticket = append(&mut world, slots[0], 0);
    world.run(Span::from_millis(4));
    assert_eq!(world.broker.asked("Produce"), 0);
    assert!(world.run_until(Span::from_millis(10), |world| world.machine.outcome(ticket).is_some()));
    assert_eq!(world.machine.outcome(ticket), Some(Ok(Some(groma_model::Offset(0)))));
}

#[test]
fn a_full_batch_goes_out_at_once_and_requests_are_pipelined() {
    let settings = ProducerSettings { linger: Span::from_secs(3600), ..small_batches() };
    let (mut world, slots) = world(settings, 1);
    world.weather.delay_ms = 100;
    for number in 0..200 {
        append(&mut world, slots[0], number);
    }
    world.run_until(Span::from_secs(1), |world| world.broker.asked("Produce") >= 5);
    assert!(world.machine.progress(slots[0]).settled == 0, "five requests went out before the first answer");
}

#[test]
fn the_buffer_is_bounded_and_frees_itself() {
    let settings = ProducerSettings { buffer_bytes: 2000, ..small_batches() };
    let (mut world, slots) = world(settings, 1);
    world.broker.refused.insert(9092);
    world.break_all();
    let mut taken = 0;
    while let Ok(appended) = world.machine.append(slots[0], Timestamp(5), None, Some(&[0; 8])) {
        taken += 1;
        if appended.notable {
            world.machine.handle(world.now, ProducerInput::Noted(slots[0]));
        }
        assert!(taken < 1000, "no bound");
    }
    world.broker.refused.clear();
    flush(&mut world, Span::from_secs(60));
    assert_eq!(world.machine.progress(slots[0]).settled, taken);
    append(&mut world, slots[0], 1);
}

#[test]
fn a_refusal_for_good_fails_its_batch_and_the_next_ones_go_on() {
    let (mut world, slots) = world(small_batches(), 1);
    world.broker.poison = Some((1, ErrorCode::MessageTooLarge));
    let first = append(&mut world, slots[0], 0);
    flush(&mut world, Span::from_secs(5));
    for number in 1..50 {
        append(&mut world, slots[0], number);
    }
    flush(&mut world, Span::from_secs(5));
    let refused = ProduceError::Refused { code: ErrorCode::MessageTooLarge, detail: String::new() };
    assert_eq!(world.machine.outcome(first), Some(Err(refused.clone())));
    assert_eq!(world.machine.take_failure(), Some(refused));
    assert_eq!(world.broker.partitions[0].values(), (1..50).collect::<Vec<u64>>());
}

#[test]
fn a_topic_made_anew_is_written_from_sequence_zero() {
    let (mut world, slots) = world(small_batches(), 1);
    for number in 0..20 {
        append(&mut world, slots[0], number);
    }
    flush(&mut world, Span::from_secs(5));
    world.broker.topic_id = groma_model::TopicId([8; 16]);
    world.broker.partitions[0] = crate::log::Log::default();
    for number in 20..40 {
        append(&mut world, slots[0], number);
    }
    flush(&mut world, Span::from_secs(10));
    assert_eq!(world.broker.partitions[0].values(), (20..40).collect::<Vec<u64>>());
    assert_eq!(world.machine.progress(slots[0]).failed, 0);
}

#[test]
fn finished_batches_keep_their_place_among_single_records() {
    let (mut world, slots) = world(small_batches(), 1);
    append(&mut world, slots[0], 0);
    let mut builder = BatchBuilder::new();
    for n in 1..4u64 {
        builder.append(Timestamp(1), None, Some(&n.to_be_bytes()));
    }
    let batch = builder.finish(BatchMeta { compression: Compression::Lz4, ..BatchMeta::default() });
    let ticket = world.machine.append_batch(world.now, slots[0], batch).expect("taken");
    append(&mut world, slots[0], 4);
    flush(&mut world, Span::from_secs(5));
    assert_eq!(ticket.number, 1);
    assert_eq!(world.broker.partitions[0].values(), [0, 1, 2, 3, 4]);
    let refused = world.machine.append_batch(world.now, slots[0], bytes::Bytes::from_static(b"no batch"));
    assert_eq!(refused.map_err(|(error, _)| error), Err(AppendError::NotABatch));
}

#[test]
fn without_acks_nothing_is_waited_for() {
    let settings = ProducerSettings { acks: Acks::None, delivery: Delivery::AtLeastOnce, ..small_batches() };
    let (mut world, slots) = world(settings, 1);
    let ticket = append(&mut world, slots[0], 7);
    flush(&mut world, Span::from_secs(1));
    assert_eq!(world.machine.outcome(ticket), Some(Ok(None)));
    world.run(Span::from_secs(1));
    assert_eq!(world.broker.partitions[0].values(), [7]);
}

#[test]
fn a_record_larger_than_a_request_is_refused_at_once() {
    let settings = ProducerSettings { request_bytes: 1000, ..small_batches() };
    let (mut world, slots) = world(settings, 1);
    let refused = world.machine.append(slots[0], Timestamp(5), None, Some(&[0; 1000]));
    assert_eq!(refused, Err(AppendError::TooLarge { bytes: 1026, limit: 1000 }));
    assert_eq!(world.machine.append(SlotId(99), Timestamp(5), None, None), Err(AppendError::UnknownSlot));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let weather = Weather { lost: 50, unanswered: 50, refused: 50, delay_ms: 30 };
    let logs = |world: World<Producer>| world.broker.partitions.into_iter().map(|log| log.batches).collect::<Vec<_>>();
    assert_eq!(logs(storm(small_batches(), 9, weather, 100)), logs(storm(small_batches(), 9, weather, 100)));
}
