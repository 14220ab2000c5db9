use groma_dataflow::{Reject, Stats, Tumbling, WindowEncoder};
use groma_model::Timestamp;
use groma_usecases::format::{ActivePower, WindowStatistics, WindowStatisticsEncoder};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_avro_fast::ser::SerializerConfig;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ActivePowerRecord {
    identifier: String,
    timestamp: i64,
    value_in_w: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WindowedActivePowerRecord {
    identifier: String,
    window_start: i64,
    window_end: i64,
    count: i64,
    sum_in_w: f64,
    mean_in_w: f64,
    min_in_w: f64,
    max_in_w: f64,
    population_variance: f64,
}

fn foreign<T: Serialize>(schema: &str, value: &T) -> Vec<u8> {
    let schema = schema.parse().unwrap();
    serde_avro_fast::to_datum_vec(value, &mut SerializerConfig::new(&schema)).unwrap()
}

fn encoded(record: &ActivePower<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    record.encode(&mut bytes);
    bytes
}

#[test]
fn a_reading_has_theodolites_size() {
    let record = ActivePower { identifier: "s_123456", timestamp: Timestamp(1_600_000_000_000), value_in_w: 10.0 };
    assert_eq!(encoded(&record).len(), 28);
}

#[test]
fn any_schema_id_is_read_and_one_written() {
    let record = ActivePower { identifier: "a", timestamp: Timestamp(1), value_in_w: 2.0 };
    let mut bytes = encoded(&record);
    assert_eq!(bytes[..5], [0, 0, 0, 0, 1]);
    bytes[1..5].copy_from_slice(&[9, 8, 7, 6]);
    assert_eq!(ActivePower::decode(&bytes), Ok(record));
}

#[test]
fn malformed_readings_are_named() {
    let good = encoded(&ActivePower { identifier: "a", timestamp: Timestamp(1), value_in_w: 2.0 });
    for end in 0..good.len() {
        assert!(matches!(ActivePower::decode(&good[..end]), Err(Reject::Malformed(_))), "cut at {end}");
    }
    for (at, byte) in [(0, 1), (5, 0x7f), (5, 1), (6, 0xff)] {
        let mut bytes = good.clone();
        bytes[at] = byte;
        assert!(matches!(ActivePower::decode(&bytes), Err(Reject::Malformed(_))), "{byte} at {at}");
    }
    let longer = [good, vec![0]].concat();
    assert!(matches!(ActivePower::decode(&longer), Err(Reject::Malformed(_))));
}

#[test]
fn results_are_avro() {
    let mut stats = Stats::default();
    [3.0, 5.0, 10.0].into_iter().for_each(|value| stats.add(value));
    let window = Tumbling::new(60_000, 0).unwrap().of(Timestamp(90_000));
    let mut bytes = Vec::new();
    WindowStatisticsEncoder.encode(b"s_1", window, &stats, &mut bytes);
    let theirs = WindowedActivePowerRecord {
        identifier: "s_1".to_owned(),
        window_start: 60_000,
        window_end: 120_000,
        count: 3,
        sum_in_w: 18.0,
        mean_in_w: 6.0,
        min_in_w: 3.0,
        max_in_w: 10.0,
        population_variance: stats.population_variance(),
    };
    assert_eq!(bytes[5..], foreign(WindowStatistics::SCHEMA, &theirs));
    let ours = WindowStatistics::decode(&bytes).unwrap();
    assert_eq!((ours.count, ours.mean_in_w, ours.window), (3, 6.0, window));
}

proptest! {
    #[test]
    fn readings_are_written_and_read_as_by_an_independent_codec(
        identifier in ".{0,20}",
        timestamp in any::<i64>(),
        value_in_w in any::<f64>(),
    ) {
        let theirs = ActivePowerRecord { identifier: identifier.clone(), timestamp, value_in_w };
        let datum = foreign(ActivePower::SCHEMA, &theirs);
        let ours = ActivePower { identifier: &identifier, timestamp: Timestamp(timestamp), value_in_w };
        let bytes = encoded(&ours);
        prop_assert_eq!(&bytes[5..], &datum[..]);
        let back = ActivePower::decode(&bytes).unwrap();
        prop_assert_eq!((back.identifier, back.timestamp), (ours.identifier, ours.timestamp));
        prop_assert_eq!(back.value_in_w.to_bits(), value_in_w.to_bits());
    }

    #[test]
    fn random_bytes_are_read_or_named(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = ActivePower::decode(&bytes);
        let _ = WindowStatistics::decode(&bytes);
        let framed = [vec![0, 0, 0, 0, 1], bytes].concat();
        let _ = ActivePower::decode(&framed);
        let _ = WindowStatistics::decode(&framed);
    }
}
