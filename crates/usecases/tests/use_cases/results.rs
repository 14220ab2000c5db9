use std::collections::BTreeMap;

use groma_dataflow::{BatchView, Counted, Emission, Outbox, Tumbling};
use groma_model::{Partition, Timestamp};
use groma_usecases::format::WindowStatistics;
use groma_usecases::household::Reading;
use groma_usecases::speed::StepWork;
use groma_usecases::{Settings, Target, UseCase, uc1, uc2};

use crate::support::{fetched, household, open, run};

const HOUR: i64 = 3_600_000;

fn hourly(emission: Emission) -> Settings {
    Settings { windows: Tumbling::new(HOUR, 0).unwrap(), emission, ..Settings::default() }
}

fn last_results(values: &[Vec<u8>]) -> BTreeMap<(String, i64), WindowStatistics> {
    values
        .iter()
        .map(|value| WindowStatistics::decode(value).unwrap())
        .map(|result| ((result.identifier.clone(), result.window.start.0), result))
        .collect()
}

fn assert_agree(found: &BTreeMap<(String, i64), WindowStatistics>, expected: &uc2::Reference) {
    let expected = expected.results();
    assert_eq!(found.len(), expected.len());
    for (key, result) in &expected {
        assert!(found[key].agrees_with(result), "{:?} is not {result:?}", found[key]);
    }
}

#[test]
fn uc2_of_a_real_month_equals_the_reference() {
    let readings = household();
    assert_eq!(readings.len(), 4 * 40_320);
    let mut reference = uc2::Reference::new(HOUR, 0);
    readings.iter().for_each(|r| reference.add(0, &r.identifier, r.timestamp.0, r.value_in_w));
    for emission in [Emission::Updates, Emission::Final] {
        let mut task = UseCase::Uc2.task(Partition(0), &hourly(emission));
        let values = run(&mut *task, &readings, 1_000);
        assert_agree(&last_results(&values), &reference);
        if emission == Emission::Final {
            assert_eq!(values.len(), reference.results().len());
        }
        assert_eq!((task.counters().records, task.counters().late.count), (4 * 40_320, 0));
    }
}

#[test]
fn uc2_of_shuffled_readings_counts_the_same_late_ones() {
    let mut readings = household();
    readings.truncate(20_000);
    for i in (0..readings.len() - 300).step_by(7) {
        readings.swap(i, i + (i * 31) % 300);
    }
    let mut reference = uc2::Reference::new(HOUR, 0);
    readings.iter().for_each(|r| reference.add(0, &r.identifier, r.timestamp.0, r.value_in_w));
    let mut task = UseCase::Uc2.task(Partition(0), &hourly(Emission::Updates));
    assert_agree(&last_results(&run(&mut *task, &readings, 777)), &reference);
    assert!(reference.late() > 100);
    assert_eq!(task.counters().late.count, reference.late());
}

#[test]
fn uc1_of_a_real_month_equals_the_reference() {
    let readings = household();
    let mut task = UseCase::Uc1.task(Partition(0), &Settings::default());
    let values = run(&mut *task, &readings, 1_000);
    let mut documents: Vec<String> = values.into_iter().map(|value| String::from_utf8(value).unwrap()).collect();
    documents.sort();
    assert!(documents == uc1::reference(&readings));
}

#[test]
fn the_counting_sink_has_seen_what_the_reference_makes_in_any_order() {
    let readings = household();
    let mut expected = Counted::default();
    uc1::reference(&readings).iter().for_each(|document| expected.add(document.as_bytes()));
    let mut task = UseCase::Uc1.task(Partition(0), &Settings { target: Target::Count, ..Settings::default() });
    assert_eq!(run(&mut *task, &readings, 1_000), Vec::<Vec<u8>>::new());
    assert_eq!(task.counted(), Some(expected));
    assert_ne!(expected.checksum, 0);
}

#[test]
fn one_poisonous_record_in_a_thousand_is_skipped_and_counted() {
    let readings: Vec<Reading> = household().into_iter().take(999).collect();
    for use_case in UseCase::ALL {
        let mut task = use_case.task(Partition(0), &Settings::default());
        let mut out = Outbox::new(1, 1 << 20);
        task.step(BatchView::new(&fetched(0, &readings), usize::MAX), &mut out).unwrap();
        let mut poison = groma_wire::records::BatchBuilder::new();
        poison.append(Timestamp(0), Some(b"household"), Some(b"\x00\x00\x00\x00\x01poison"));
        let meta = groma_wire::records::BatchMeta { base_offset: groma_model::Offset(999), ..Default::default() };
        task.step(BatchView::new(&open(poison.finish(meta)), usize::MAX), &mut out).unwrap();
        let counters = task.counters();
        assert_eq!((counters.records, counters.malformed.count), (1_000, 1));
        assert_eq!(counters.malformed.last, Some(groma_model::Offset(999)));
    }
}

#[test]
fn a_key_that_is_no_text_is_malformed_in_uc2() {
    let mut task = UseCase::Uc2.task(Partition(0), &Settings::default());
    let mut builder = groma_wire::records::BatchBuilder::new();
    let mut value = Vec::new();
    household()[0].as_record().encode(&mut value);
    builder.append(Timestamp(0), Some(&[0xff]), Some(&value));
    builder.append(Timestamp(0), None, Some(&value));
    let batch = open(builder.finish(groma_wire::records::BatchMeta::default()));
    task.step(BatchView::new(&batch, usize::MAX), &mut Outbox::new(1, 1 << 20)).unwrap();
    assert_eq!((task.counters().malformed.count, task.counters().null_key.count, task.dirty()), (1, 1, 0));
}

#[test]
fn the_measured_work_reads_every_record_once() {
    for use_case in UseCase::ALL {
        let mut work = StepWork::new(use_case);
        let records: usize = (0..1_300).map(|_| work.step().unwrap()).sum();
        assert_eq!(records, 1_300_000);
    }
}
