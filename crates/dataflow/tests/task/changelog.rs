//! Flushes written to a changelog and read back: whole ones only, by the newest owner only.

use crate::support::*;
use groma_dataflow::*;
use groma_model::{Generation, Offset, Partition, Timestamp};
use groma_wire::records::{BatchBuilder, BatchMeta};
use proptest::prelude::*;

/// The changelog as a list of records.
#[derive(Clone, Default)]
struct Log(Vec<Written>);

impl Log {
    fn restore(&self, generation: i32) -> Result<(Summing, Option<Marker>), ChangelogError> {
        let mut builder = BatchBuilder::new();
        for (key, value) in &self.0 {
            builder.append(Timestamp(0), Some(key), Some(value));
        }
        let batch = open(builder.finish(BatchMeta::default()));
        let mut restored = task(100, 0, Emission::Updates);
        let mut restorer = Restorer::new(Generation(generation));
        for record in batch.records() {
            restorer.read(&record.unwrap(), &mut restored)?;
        }
        Ok((restored, restorer.last().copied()))
    }

    fn push(&mut self, records: Vec<Written>) {
        self.0.extend(records);
    }
}

fn outbox() -> Outbox {
    Outbox::new(1, 1 << 20)
}

fn one(time: i64, key: &str, value: f64) -> Input<'_> {
    (time, Some(key), Some(value))
}

#[test]
fn a_marker_brings_back_everything() {
    let (mut first, mut out) = (task(100, 0, Emission::Updates), outbox());
    feed(&mut first, 0, &[one(1, "a", 1.0), one(2, "b", 2.0), (3, None, Some(9.0))], &mut out);
    let mut log = Log::default();
    log.push(flush(&mut first, flush_id(1, 1), &mut out).1);
    let (mut second, marker) = log.restore(2).unwrap();
    assert_eq!(marker.unwrap().id, flush_id(1, 1));
    assert_eq!((second.position(), second.stream_time()), (Some(Offset(3)), Some(Timestamp(2))));
    assert_eq!(second.counters(), first.counters());
    feed(&mut second, 3, &[one(4, "a", 5.0)], &mut out);
    assert_eq!(flush(&mut second, flush_id(2, 2), &mut out).0, [("a".to_owned(), 0, 2, 6.0)]);
}

#[test]
fn a_flush_without_its_marker_does_not_count() {
    let (mut first, mut out) = (task(100, 0, Emission::Updates), outbox());
    feed(&mut first, 0, &[one(1, "a", 1.0)], &mut out);
    let mut log = Log::default();
    log.push(flush(&mut first, flush_id(1, 1), &mut out).1);
    feed(&mut first, 1, &[one(2, "a", 10.0)], &mut out);
    let mut cut = flush(&mut first, flush_id(1, 2), &mut out).1;
    cut.pop();
    log.push(cut);
    log.push(vec![fence_record(2)]);
    let (mut second, _) = log.restore(2).unwrap();
    assert_eq!(second.position(), Some(Offset(1)));
    feed(&mut second, 1, &[one(2, "a", 10.0)], &mut out);
    assert_eq!(flush(&mut second, flush_id(2, 2), &mut out).0, [("a".to_owned(), 0, 2, 11.0)]);
}

#[test]
fn a_flush_given_up_is_replaced_by_the_owners_next() {
    let (mut first, mut out) = (task(100, 0, Emission::Updates), outbox());
    feed(&mut first, 0, &[one(1, "a", 1.0)], &mut out);
    let whole = flush(&mut first, flush_id(1, 1), &mut out).1;
    let mut log = Log(vec![whole[0].clone(), fence_record(1)]);
    log.push(whole);
    let (second, marker) = log.restore(1).unwrap();
    assert_eq!((second.position(), marker.unwrap().entries), (Some(Offset(1)), 1));
}

#[test]
fn a_zombies_flush_after_the_fence_does_not_count() {
    let (mut old, mut out) = (task(100, 0, Emission::Updates), outbox());
    feed(&mut old, 0, &[one(1, "a", 1.0)], &mut out);
    let mut log = Log::default();
    log.push(vec![fence_record(1)]);
    log.push(flush(&mut old, flush_id(1, 1), &mut out).1);
    log.push(vec![fence_record(2)]);
    let (mut new, _) = log.restore(2).unwrap();

    feed(&mut old, 1, &[one(2, "a", 10.0), one(3, "b", 20.0)], &mut out);
    let late = flush(&mut old, flush_id(1, 2), &mut out).1;
    feed(&mut new, 1, &[one(2, "a", 10.0)], &mut out);
    let own = flush(&mut new, flush_id(2, 2), &mut out).1;
    let (zombie_entries, zombie_marker) = late.split_at(2);
    log.push(zombie_entries.to_vec());
    log.push(own);
    log.push(zombie_marker.to_vec());
    log.push(vec![fence_record(3)]);

    let (mut third, marker) = log.restore(3).unwrap();
    assert_eq!((marker.unwrap().id, third.position()), (flush_id(2, 2), Some(Offset(2))));
    feed(&mut third, 2, &[one(3, "b", 20.0), one(4, "a", 0.0)], &mut out);
    let mut results = flush(&mut third, flush_id(3, 3), &mut out).0;
    results.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(results, [("a".to_owned(), 0, 3, 11.0), ("b".to_owned(), 0, 1, 20.0)]);
}

#[test]
fn a_superseded_owner_is_told() {
    let log = Log(vec![fence_record(7)]);
    let error = log.restore(3).err().unwrap();
    assert_eq!(error, ChangelogError::Superseded { newest: Generation(7), own: Generation(3) });
}

#[test]
fn deleted_entries_are_noticed() {
    let (mut first, mut out) = (task(100, 0, Emission::Updates), outbox());
    feed(&mut first, 0, &[one(1, "a", 1.0), one(1, "b", 1.0)], &mut out);
    let mut log = Log::default();
    log.push(flush(&mut first, flush_id(1, 1), &mut out).1);
    log.0.remove(0);
    let error = log.restore(2).err().unwrap();
    assert_eq!(error, ChangelogError::Incomplete { offset: Offset(1), expected: 2, found: 1 });
}

#[test]
fn windows_closed_by_the_marker_do_not_come_back() {
    let (mut first, mut out) = (task(100, 0, Emission::Updates), outbox());
    let mut log = Log::default();
    for (number, time) in [(1, 50), (2, 150), (3, 250)] {
        feed(&mut first, time / 100, &[one(time, "a", 1.0)], &mut out);
        log.push(flush(&mut first, flush_id(1, number), &mut out).1);
    }
    let (second, _) = log.restore(2).unwrap();
    assert_eq!(second.chain().next().store().open_windows(), 1);
}

#[test]
fn an_open_window_closes_after_recovery_through_another_key() {
    let (mut first, mut out) = (task(100, 0, Emission::Final), outbox());
    feed(&mut first, 0, &[one(1, "a", 1.0)], &mut out);
    let mut log = Log::default();
    log.push(flush(&mut first, flush_id(1, 1), &mut out).1);
    let mut second = task(100, 0, Emission::Final);
    let mut restorer = Restorer::new(Generation(2));
    let mut builder = BatchBuilder::new();
    log.0.iter().for_each(|(key, value)| {
        builder.append(Timestamp(0), Some(key), Some(value));
    });
    for record in open(builder.finish(BatchMeta::default())).records() {
        restorer.read(&record.unwrap(), &mut second).unwrap();
    }
    feed(&mut second, 1, &[one(150, "b", 2.0)], &mut out);
    assert_eq!(flush(&mut second, flush_id(2, 2), &mut out).0, [("a".to_owned(), 0, 1, 1.0)]);
}

#[test]
fn foreign_records_are_refused() {
    for record in [(vec![9], vec![]), (vec![1, 2], vec![]), (vec![2], vec![1, 2, 3]), (vec![], vec![])] {
        assert!(matches!(Log(vec![record]).restore(1), Err(ChangelogError::Malformed(_))));
    }
}

#[test]
fn markers_are_written_to_their_partition_only() {
    let windows = Tumbling::new(10, 0).unwrap();
    let chain = Decode::<Floats, _>::new(Windowed::new(windows, Emission::Updates, StatsAggregate, Plain));
    let mut task = Pipeline::new(Partition(5), Policy::Skip, chain);
    let mut out = outbox();
    feed(&mut task, 0, &[one(1, "a", 1.0)], &mut out);
    task.flush(flush_id(1, 1), &mut out);
    let destinations: Vec<Destination> = std::iter::from_fn(|| out.take()).map(|parcel| parcel.destination).collect();
    assert!(destinations.contains(&Destination::Changelog(Partition(5))), "{destinations:?}");
}

proptest! {
    /// Whatever prefix of the changelog survives, going on from it gives the results of never having stopped.
    #[test]
    fn any_cut_of_the_changelog_is_recovered_from(
        records in proptest::collection::vec((0_i64..30, 0_u8..4, 0_i32..9), 1..60),
        every in 1_usize..20,
        cut in any::<prop::sample::Index>(),
    ) {
        let names = ["a", "b", "c", "d"];
        let records: Vec<Input<'_>> = records
            .iter()
            .enumerate()
            .map(|(i, (jitter, key, value))| one(i as i64 * 10 + jitter, names[usize::from(*key)], f64::from(*value)))
            .collect();
        let run = |task: &mut Summing, from: usize, number: u64, generation: i32| {
            let mut out = outbox();
            let (mut seen, mut log) = (Vec::new(), Log::default());
            for (i, piece) in records[from..].chunks(every).enumerate() {
                feed(task, (from + i * every) as i64, piece, &mut out);
                let (results, changelog) = flush(task, flush_id(generation, number + i as u64), &mut out);
                seen.extend(results);
                log.push(changelog);
            }
            (seen, log)
        };
        let last = |seen: Vec<(String, i64, u64, f64)>| -> std::collections::BTreeMap<(String, i64), (u64, String)> {
            seen.into_iter().map(|(key, start, count, sum)| ((key, start), (count, sum.to_string()))).collect()
        };
        let (mut all, mut log) = run(&mut task(100, 0, Emission::Updates), 0, 1, 1);
        let expected = last(all.clone());
        log.0.truncate(cut.index(log.0.len() + 1));
        log.push(vec![fence_record(2)]);
        let (mut second, marker) = log.restore(2).unwrap();
        let from = marker.and_then(|marker| marker.position).map_or(0, |offset| offset.0 as usize);
        let next = marker.map_or(1, |marker| marker.id.number + 1);
        all.extend(run(&mut second, from, next, 2).0);
        prop_assert_eq!(last(all), expected);
    }
}
