use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Generation, Span};
use groma_rebalance::embedded::tasks::{Assignment, Job, Report, Role, TaskList, Tasks, Workplace};
use groma_rebalance::member::Input;
use groma_rebalance::policy::{PolicyName, PolicySettings};
use groma_rebalance::tasks::CatchUp;
use proptest::prelude::*;

use crate::band::Band;

const END: u64 = 1_000_000;
const PROBING: Span = Span::from_secs(20);

fn worker(standbys: u32) -> Tasks {
    Tasks::new("tasks", CatchUp { standbys, ..CatchUp::default() }, PROBING)
}

fn tasks(count: usize) -> TaskList {
    TaskList::new((0..count).map(|number| (format!("task-{number}"), Some(END)))).expect("told apart")
}

fn workplace(positions: BTreeMap<String, u64>) -> Workplace {
    Workplace { capacity: 1, positions }
}

fn join(band: &mut Band<Tasks>, number: u64, standbys: u32) {
    band.join(number, worker(standbys), (workplace(BTreeMap::new()), tasks(8)));
}

/// Every member's state of what it does is complete.
fn catch_up(band: &mut Band<Tasks>) {
    for number in band.numbers() {
        let positions = band.held(number).into_iter().map(|job| (job.task, END)).collect();
        band.put(number, Input::Subscribe(workplace(positions)));
    }
}

fn active(band: &Band<Tasks>, number: u64) -> Vec<String> {
    band.held(number).into_iter().filter(|job| job.role == Role::Active).map(|job| job.task).collect()
}

/// No task is run twice, and none is kept by whoever runs it.
fn assert_exclusive(band: &Band<Tasks>) {
    let mut runs: BTreeSet<String> = BTreeSet::new();
    for number in band.numbers() {
        for task in active(band, number) {
            assert!(runs.insert(task.clone()), "{task} is run twice");
            assert_eq!(band.held(number).iter().filter(|job| job.task == task).count(), 1, "{task} is kept twice");
        }
    }
}

fn wait(band: &mut Band<Tasks>, span: Span) {
    for _ in 0..span.0.div_ceil(1_000_000_000) {
        band.wait(Span::from_secs(1));
        assert_exclusive(band);
    }
}

#[test]
fn a_newcomer_warms_up_and_then_takes_its_share() {
    let mut band = Band::new();
    join(&mut band, 1, 0);
    wait(&mut band, Span::from_secs(5));
    assert_eq!(active(&band, 1).len(), 8);
    catch_up(&mut band);
    join(&mut band, 2, 0);
    wait(&mut band, Span::from_secs(5));
    assert_eq!((active(&band, 1).len(), active(&band, 2).len()), (8, 0), "it runs nothing it has no state of");
    assert_eq!(band.held(2).iter().filter(|job| job.role == Role::WarmUp).count(), 2);
    let mut rounds = 0;
    while active(&band, 2).len() < 4 {
        rounds += 1;
        assert!(rounds <= 8 / 2 + 1, "it converges");
        catch_up(&mut band);
        wait(&mut band, Span::from_secs(30));
    }
    assert_eq!(active(&band, 1).len(), 4);
    let steps = band.steps.len();
    catch_up(&mut band);
    wait(&mut band, Span::from_secs(60));
    assert_eq!(band.steps.len(), steps, "it is quiet");
}

#[test]
fn a_newcomer_builds_up_no_more_state_at_a_time_than_the_cost_of_a_round() {
    let mut settings = PolicySettings::of(PolicyName::Incremental);
    let seconds = |text: &str| text.parse().map(Span::from_secs).map_err(|_| "give seconds".to_owned());
    settings.set("rebalance.cost-per-round", "150", seconds).expect("a setting");
    let worker = || Tasks::new("tasks", CatchUp { warmups: settings.limit(), ..CatchUp::default() }, PROBING);
    let mut band = Band::new();
    band.join(1, worker(), (workplace(BTreeMap::new()), tasks(8)));
    wait(&mut band, Span::from_secs(5));
    catch_up(&mut band);
    band.join(2, worker(), (workplace(BTreeMap::new()), tasks(8)));
    wait(&mut band, Span::from_secs(5));
    let warm = |band: &Band<Tasks>| -> Vec<String> { band.held(2).into_iter().map(|job| job.task).collect() };
    let first = warm(&band);
    assert_eq!(first.len(), 1, "a task costs 101: two would be above 150");
    band.put(2, Input::Subscribe(workplace(BTreeMap::from([(first[0].clone(), 600_000)]))));
    wait(&mut band, Span::from_secs(30));
    let both = warm(&band);
    assert_eq!((both.len(), both.contains(&first[0])), (2, true), "what is left of the first costs 41");
    for _ in 0..4 {
        catch_up(&mut band);
        wait(&mut band, Span::from_secs(30));
    }
    assert_eq!((active(&band, 1).len(), active(&band, 2).len()), (4, 4));
}

#[test]
fn a_standby_takes_over_in_one_round_when_its_active_dies() {
    let mut band = Band::new();
    (1..=3).for_each(|number| join(&mut band, number, 1));
    wait(&mut band, Span::from_secs(5));
    for _ in 0..6 {
        catch_up(&mut band);
        wait(&mut band, Span::from_secs(30));
    }
    let lost = active(&band, 1);
    let heirs: BTreeMap<String, u64> = [2, 3]
        .into_iter()
        .flat_map(|n| band.held(n).into_iter().map(move |job| (job, n)))
        .filter(|(job, _)| job.role == Role::Standby && lost.contains(&job.task))
        .map(|(job, number)| (job.task, number))
        .collect();
    assert_eq!(heirs.len(), lost.len(), "each has a standby");
    catch_up(&mut band);
    band.kill(1);
    wait(&mut band, Span::from_secs(60));
    for (task, heir) in heirs {
        assert!(active(&band, heir).contains(&task), "{task} is taken over where its state is");
    }
}

fn jobs() -> impl Strategy<Value = BTreeSet<Job>> {
    let role = prop_oneof![Just(Role::Active), Just(Role::Standby), Just(Role::WarmUp)];
    proptest::collection::btree_set(("[a-z]{0,5}", role).prop_map(|(task, role)| Job { task, role }), 0..8)
}

proptest! {
    #[test]
    fn reports_and_assignments_are_read_as_written_and_refused_when_cut(
        jobs in jobs(), capacity in 0_u32..9, generation in proptest::option::of(0_i32..9),
        positions in proptest::collection::btree_map("[a-z]{0,5}", any::<u64>(), 0..5),
        released in proptest::option::of(proptest::collection::btree_set("[a-z]{0,5}", 0..5)),
    ) {
        let report = Report { capacity, generation: generation.map(Generation), jobs: jobs.clone(), positions, released };
        let bytes = report.encode();
        prop_assert_eq!(Report::decode(&bytes), Ok(report));
        prop_assert!((0..bytes.len()).all(|end| Report::decode(&bytes[..end]).is_err()));
        let assignment = Assignment { jobs, note: Some(Bytes::from_static(b"x")) };
        let bytes = assignment.encode();
        prop_assert_eq!(Assignment::decode(&bytes), Ok(assignment));
        prop_assert!((1..bytes.len()).all(|end| Assignment::decode(&bytes.slice(..end)).is_err()));
    }

    #[test]
    fn random_bytes_are_no_danger(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        let _ = Report::decode(&bytes);
        let _ = Assignment::decode(&bytes.into());
    }
}
