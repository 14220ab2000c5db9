//! Windows, lateness and rejection, record by record and against an oracle.

use std::collections::BTreeMap;

use crate::support::*;
use groma_dataflow::*;
use groma_model::{Offset, Timestamp};
use proptest::prelude::*;

fn outbox() -> Outbox {
    Outbox::new(3, 1 << 20)
}

fn updates(task: &mut Summing, records: &[Input<'_>]) -> Vec<(String, i64, u64, f64)> {
    let mut out = outbox();
    feed(task, 0, records, &mut out);
    let mut results = flush(task, flush_id(1, 1), &mut out).0;
    results.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    results
}

#[test]
fn negative_times_fall_into_windows_by_floor() {
    let one = |time| (time, Some("a"), Some(1.0));
    let results = updates(&mut task(10, 100, Emission::Updates), &[one(-11), one(-10), one(-1), one(3)]);
    assert_eq!(results.iter().map(|r| (r.1, r.2)).collect::<Vec<_>>(), [(-20, 1), (-10, 2), (0, 1)]);
}

#[test]
fn late_is_not_out_of_order() {
    let records = [1, 12, 3, 16, 4].map(|s| (s * 1_000, Some("a"), Some(s as f64)));
    let mut task = task(10_000, 5_000, Emission::Updates);
    let results = updates(&mut task, &records);
    assert_eq!(results.last(), Some(&("a".to_owned(), 10_000, 2, 28.0)));
    assert_eq!(task.counters().late, Tally { count: 1, last: Some(Offset(4)) });
    assert_eq!(task.counters().records, 5);
}

#[test]
fn a_null_key_is_counted_and_an_empty_one_is_a_key() {
    let mut task = task(10, 0, Emission::Updates);
    let results = updates(&mut task, &[(1, None, Some(1.0)), (2, Some(""), Some(2.0)), (3, Some("a"), Some(3.0))]);
    assert_eq!(results.iter().map(|r| r.0.as_str()).collect::<Vec<_>>(), ["", "a"]);
    assert_eq!(task.counters().null_key, Tally { count: 1, last: Some(Offset(0)) });
}

#[test]
fn rejected_records_are_named_and_do_not_move_time() {
    let mut task = task(10, 0, Emission::Updates);
    let results = updates(
        &mut task,
        &[
            (5_000, Some("a"), None),
            (6_000, Some("a"), Some(f64::NAN)),
            (7_000, None, Some(0.0)),
            (1, Some("a"), Some(2.0)),
        ],
    );
    assert_eq!(results, [("a".to_owned(), 0, 1, 2.0)]);
    let counters = task.counters();
    assert_eq!((counters.null_value.count, counters.not_a_number.count, counters.rejected()), (1, 1, 3));
    assert_eq!(task.stream_time(), Some(Timestamp(1)));
}

#[test]
fn a_window_of_rejected_readings_gives_nothing() {
    assert_eq!(updates(&mut task(10, 0, Emission::Updates), &[(1, Some("a"), Some(f64::NAN))]), []);
}

#[test]
fn the_policy_stop_names_the_offset_and_stays_before_it() {
    let mut task = with_policy(10, 0, Emission::Updates, Policy::Stop);
    let batch = fetched(40, &[(1, Some("a"), Some(1.0)), (2, Some("a"), None), (3, Some("a"), Some(1.0))]);
    let error = task.step(BatchView::new(&batch, 100), &mut outbox()).unwrap_err();
    assert_eq!(error, StepError::Rejected { offset: Offset(41), reject: Reject::NullValue });
    assert_eq!(task.position(), Some(Offset(41)));
}

#[test]
fn dead_letters_keep_the_record() {
    let mut task = with_policy(10, 0, Emission::Updates, Policy::DeadLetter);
    let mut out = outbox();
    feed(&mut task, 0, &[(1, None, Some(1.5))], &mut out);
    let parcel = out.take().unwrap();
    assert_eq!((parcel.destination, parcel.batch.len()), (Destination::DeadLetter(groma_model::Partition(0)), 1));
}

#[test]
fn updates_come_once_for_each_changed_key() {
    let mut task = task(10, 0, Emission::Updates);
    let mut out = outbox();
    feed(&mut task, 0, &[(1, Some("a"), Some(1.0)), (2, Some("a"), Some(1.0)), (3, Some("b"), Some(1.0))], &mut out);
    assert_eq!(flush(&mut task, flush_id(1, 1), &mut out).0.len(), 2);
    feed(&mut task, 3, &[(4, Some("b"), Some(1.0)), (10, Some("b"), Some(5.0))], &mut out);
    let mut second = flush(&mut task, flush_id(1, 2), &mut out).0;
    second.sort_by_key(|result| result.1);
    assert_eq!(second, [("b".to_owned(), 0, 2, 2.0), ("b".to_owned(), 10, 1, 5.0)]);
    assert_eq!(flush(&mut task, flush_id(1, 3), &mut out).0, []);
}

#[test]
fn final_results_come_once_after_the_window_closed() {
    let mut task = task(10, 5, Emission::Final);
    let mut out = outbox();
    feed(&mut task, 0, &[(1, Some("a"), Some(1.0)), (14, Some("b"), Some(1.0))], &mut out);
    assert_eq!(flush(&mut task, flush_id(1, 1), &mut out).0, []);
    feed(&mut task, 2, &[(2, Some("a"), Some(1.0)), (15, Some("b"), Some(1.0))], &mut out);
    assert_eq!(flush(&mut task, flush_id(1, 2), &mut out).0, [("a".to_owned(), 0, 2, 2.0)]);
    assert_eq!(flush(&mut task, flush_id(1, 3), &mut out).0, []);
    task.end_of_input();
    assert_eq!(flush(&mut task, flush_id(1, 4), &mut out).0, [("b".to_owned(), 10, 2, 2.0)]);
}

#[test]
fn closed_windows_give_cells_and_keys_back() {
    let mut task = task(10, 0, Emission::Updates);
    let mut out = outbox();
    for window in 0..50 {
        let keys: Vec<String> = (0..20).map(|i| format!("{window}-{i}")).collect();
        let records: Vec<Input<'_>> = keys.iter().map(|key| (window * 10, Some(key.as_str()), Some(1.0))).collect();
        feed(&mut task, window * 20, &records, &mut out);
        flush(&mut task, flush_id(1, window as u64 + 1), &mut out);
    }
    let store = task.chain().next().store();
    assert_eq!((store.open_windows(), store.keys()), (1, 20));
}

#[test]
fn records_before_the_position_are_passed_over() {
    let mut task = task(10, 0, Emission::Updates);
    task.seek(Offset(2));
    let results =
        updates(&mut task, &[(1, Some("a"), Some(1.0)), (2, Some("a"), Some(2.0)), (3, Some("a"), Some(4.0))]);
    assert_eq!((results[0].3, task.counters().records), (4.0, 1));
}

#[test]
fn a_batch_is_stepped_through_in_turns() {
    let mut task = task(10, 0, Emission::Updates);
    let mut out = outbox();
    let mut batch = fetched(7, &[(1, Some("a"), Some(1.0)); 10]);
    for (turn, (records, done)) in [(4, false), (4, false), (2, true)].into_iter().enumerate() {
        let stepped = task.step(BatchView::new(&batch, 4), &mut out).unwrap();
        assert_eq!((stepped.records, stepped.done), (records, done), "turn {turn}");
        batch.advance(stepped.cursor);
    }
    assert_eq!((task.position(), task.counters().records), (Some(Offset(17)), 10));
}

#[test]
fn full_batches_are_put_aside() {
    let mut task = task(10, 0, Emission::Updates);
    let mut out = Outbox::new(1, 1_000);
    let keys: Vec<String> = (0..200).map(|i| format!("key-{i}")).collect();
    let records: Vec<Input<'_>> = keys.iter().map(|key| (1, Some(key.as_str()), Some(1.0))).collect();
    feed(&mut task, 0, &records, &mut out);
    task.flush(flush_id(1, 1), &mut out);
    let parcel = out.take_full().unwrap();
    assert!((1_000..1_200).contains(&parcel.batch.bytes()), "{}", parcel.batch.bytes());
    let (outputs, changelog) = drain(&mut out);
    assert_eq!(outputs.len() + changelog.len() + parcel.batch.len(), 400);
    assert!(out.is_empty());
}

type Oracle = BTreeMap<(String, i64), (u64, f64)>;

/// The definition, in plain steps: results by (key, window start) and the number of late records.
fn oracle(records: &[(i64, String, f64)], size: i64, grace: i64) -> (Oracle, u64) {
    let mut sums = Oracle::new();
    let (mut now, mut late) = (i64::MIN, 0);
    for (time, key, value) in records {
        let start = time.div_euclid(size) * size;
        if start + size + grace <= now {
            late += 1;
            continue;
        }
        now = now.max(*time);
        let sum = sums.entry((key.clone(), start)).or_default();
        *sum = (sum.0 + 1, sum.1 + value);
    }
    (sums, late)
}

fn inputs() -> impl Strategy<Value = Vec<(i64, String, f64)>> {
    let record = (-300_i64..300, 0_u8..6, -8_i32..8);
    let to_input = |(i, (jitter, key, value)): (usize, (i64, u8, i32))| {
        (i as i64 * 5 - 400 + jitter, format!("k{key}"), f64::from(value))
    };
    proptest::collection::vec(record, 0..200)
        .prop_map(move |records| records.into_iter().enumerate().map(to_input).collect())
}

proptest! {
    #[test]
    fn last_updates_and_finals_equal_the_oracle(
        records in inputs(),
        size in 1_i64..60,
        grace in 0_i64..60,
        pieces in 1_usize..30,
    ) {
        let (sums, late) = oracle(&records, size, grace);
        for emission in [Emission::Updates, Emission::Final] {
            let mut task = task(size, grace, emission);
            let mut out = outbox();
            let mut seen = Oracle::new();
            let mut collect = |task: &mut Summing, out: &mut Outbox, number: u64| {
                for (key, start, count, sum) in flush(task, flush_id(1, number), out).0 {
                    let old = seen.insert((key, start), (count, sum));
                    assert!(emission == Emission::Updates || old.is_none());
                }
            };
            for (i, piece) in records.chunks(pieces).enumerate() {
                let piece: Vec<Input<'_>> =
                    piece.iter().map(|(time, key, value)| (*time, Some(key.as_str()), Some(*value))).collect();
                feed(&mut task, (i * pieces) as i64, &piece, &mut out);
                collect(&mut task, &mut out, i as u64 + 1);
            }
            task.end_of_input();
            collect(&mut task, &mut out, 1_000);
            prop_assert_eq!(&seen, &sums);
            prop_assert_eq!(task.counters().late.count, late);
        }
    }

    #[test]
    fn statistics_agree_with_exact_ones_however_merged(
        values in proptest::collection::vec(-1_000_000_i64..1_000_000, 1..100),
        split in any::<prop::sample::Index>(),
        offset in prop::sample::select(vec![0_i64, 1_000_000_000]),
    ) {
        let values: Vec<i64> = values.iter().map(|value| value + offset).collect();
        let (left, right) = values.split_at(split.index(values.len()));
        let of = |values: &[i64]| {
            let mut stats = Stats::default();
            values.iter().for_each(|value| stats.add(*value as f64));
            stats
        };
        let mut stats = of(left);
        stats.merge(&of(right));
        let n = values.len() as i128;
        let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
        let squares: i128 = values.iter().map(|value| i128::from(*value) * i128::from(*value)).sum();
        let variance = (n * squares - sum * sum) as f64 / (n * n) as f64;
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
        prop_assert_eq!(stats.count() as i128, n);
        prop_assert!(near(stats.sum(), sum as f64));
        prop_assert!(near(stats.population_variance(), variance), "{} {}", stats.population_variance(), variance);
        prop_assert_eq!(Some(stats.min() as i64), values.iter().min().copied());
        prop_assert_eq!(Some(stats.max() as i64), values.iter().max().copied());
    }
}
