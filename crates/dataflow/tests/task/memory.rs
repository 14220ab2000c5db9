//! No allocation per record, and none per result once the buffers have their size.

use crate::support::*;
use allocation_counter::measure;
use groma_dataflow::*;

#[test]
fn steps_and_flushes_allocate_nothing_once_warm() {
    let keys: Vec<String> = (0..1_000).map(|i| format!("sensor-{i}")).collect();
    let mut task = task(1_000_000, 0, Emission::Updates);
    let mut out = Outbox::new(3, 1 << 20);
    let batch_at = |second: i64| {
        let records: Vec<Input<'_>> =
            keys.iter().map(|key| (second * 1_000, Some(key.as_str()), Some(second as f64))).collect();
        fetched(second * 1_000, &records)
    };
    let mut turn = |second: i64, task: &mut Summing| {
        let batch = batch_at(second);
        let step = measure(|| {
            task.step(BatchView::new(&batch, usize::MAX), &mut out).unwrap();
        });
        let flush = measure(|| {
            task.flush(flush_id(1, second as u64), &mut out);
            while let Some(parcel) = out.take() {
                out.recycle(parcel.batch);
            }
        });
        (step.count_total, flush.count_total)
    };
    for second in 0..10 {
        turn(second, &mut task);
    }
    let (step, flush) = turn(10, &mut task);
    assert_eq!(step, 0);
    assert!(flush <= 2, "{flush}");
    for second in 998..1_003 {
        let (step, _) = turn(second, &mut task);
        assert!(step <= 20, "{step} allocations when a window of 1,000 keys opens");
    }
}
