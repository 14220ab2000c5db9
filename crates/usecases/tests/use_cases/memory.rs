use allocation_counter::measure;
use groma_usecases::UseCase;
use groma_usecases::speed::StepWork;

#[test]
fn no_record_costs_an_allocation() {
    for use_case in UseCase::ALL {
        let mut work = StepWork::new(use_case);
        let mut batches = |count: usize| -> usize { (0..count).map(|_| work.step().unwrap()).sum() };
        batches(2_000);
        let mut records = 0;
        let info = measure(|| records = batches(1_000));
        assert!(info.count_total * 1_000 <= records as u64, "{use_case}: {info:?} for {records} records");
    }
}
