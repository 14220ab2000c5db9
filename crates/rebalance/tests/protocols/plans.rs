//! What a leader of a group of tasks with state plans, report by report.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use groma_model::{Generation, MemberId, Span};
use groma_rebalance::embedded::tasks::{Assignment, Given, Job, Report, Role, TaskList, Tasks, Workplace, audit};
use groma_rebalance::embedded::{Council, Decision, Embedded, Grant, GrantChange, Offence, Rounds, Trail};
use groma_rebalance::protocol::MemberReport;
use groma_rebalance::tasks::CatchUp;

const END: u64 = 1_000_000;

fn tasks() -> Tasks {
    Tasks::new("tasks", CatchUp::default(), Span::from_secs(600))
}

fn list(count: usize) -> TaskList {
    TaskList::new((0..count).map(|number| (format!("t{number}"), Some(END)))).expect("told apart")
}

/// A report of a member that does these jobs, as `a0` or `w1`, and has state of all `count` tasks up to `position`.
fn report(generation: i32, jobs: &[&str], (count, position): (usize, u64)) -> Report {
    let job = |text: &&str| Job {
        task: text.replacen(['a', 's', 'w'], "t", 1),
        role: match text.as_bytes()[0] {
            b'a' => Role::Active,
            b's' => Role::Standby,
            _ => Role::WarmUp,
        },
    };
    let positions: BTreeMap<String, u64> = (0..count).map(|number| (format!("t{number}"), position)).collect();
    let jobs = jobs.iter().map(job).collect();
    Report { capacity: 1, generation: Some(Generation(generation)), jobs, positions, released: Some(BTreeSet::new()) }
}

fn lead(reports: &[(&str, Bytes)], list: &TaskList) -> Decision<Tasks> {
    lead_again(reports, list, &[])
}

fn members(reports: &[(&str, Bytes)]) -> Vec<MemberReport> {
    let report = |(name, report): &(&str, Bytes)| MemberReport {
        member: MemberId::from(*name),
        instance: None,
        metadata: report.clone(),
    };
    reports.iter().map(report).collect()
}

fn lead_again(reports: &[(&str, Bytes)], list: &TaskList, memory: &[(Generation, Given)]) -> Decision<Tasks> {
    let members = members(reports);
    let council = Council {
        protocol: "tasks",
        generation: Generation(9),
        members: &members,
        catalog: list,
        memory,
        trail: &Trail::default(),
        gathered: Span::ZERO,
    };
    tasks().lead(&council).expect("a decision")
}

fn granted(decision: &Decision<Tasks>, name: &str) -> (Vec<String>, Rounds) {
    let bytes = decision.assignments.iter().find(|(member, _)| *member == MemberId::from(name)).expect("a member");
    let Grant { change: GrantChange::Full(jobs), note: Some(note), .. } =
        tasks().grant("tasks", &bytes.1).expect("read")
    else {
        panic!("a full grant with a note")
    };
    let letter = |role| match role {
        Role::Active => 'a',
        Role::Standby => 's',
        Role::WarmUp => 'w',
    };
    (jobs.iter().map(|job| job.task.replacen('t', &letter(job.role).to_string(), 1)).collect(), note.rounds)
}

#[test]
fn what_another_still_runs_is_granted_only_when_that_has_given_it_up() {
    let ready = report(8, &["w2", "w3"], (4, END)).encode();
    let before = lead(&[("A", report(8, &["a0", "a1", "a2", "a3"], (0, 0)).encode()), ("B", ready.clone())], &list(4));
    assert_eq!(granted(&before, "A"), (vec!["a0".to_owned(), "a1".to_owned()], Rounds::Due));
    assert_eq!(granted(&before, "B").0, ["w2", "w3"], "it goes on with what it has until then");
    let after = lead(&[("A", report(8, &["a0", "a1"], (0, 0)).encode()), ("B", ready)], &list(4));
    assert_eq!(granted(&after, "B"), (vec!["a2".to_owned(), "a3".to_owned()], Rounds::Done));
}

#[test]
fn of_two_who_claim_a_task_the_later_claim_counts() {
    for (a, b, holder) in [(8, 7, "A"), (7, 8, "B")] {
        let claims = [("A", report(a, &["a0"], (0, 0)).encode()), ("B", report(b, &["a0"], (0, 0)).encode())];
        let plan = lead(&claims, &list(1));
        let runs = |name| granted(&plan, name).0 == ["a0"];
        assert_eq!((runs("A"), runs("B")), (holder == "A", holder == "B"));
    }
}

#[test]
fn who_has_caught_up_is_told_by_the_end_that_the_leader_knows() {
    for (behind, moves) in [(10_000, true), (10_001, false)] {
        let near = report(8, &["w2", "w3"], (4, END - behind)).encode();
        let plan = lead(&[("A", report(8, &["a0", "a1", "a2", "a3"], (0, 0)).encode()), ("B", near)], &list(4));
        assert_eq!(granted(&plan, "A").0.len(), if moves { 2 } else { 4 }, "{behind} behind");
    }
}

#[test]
fn capacity_is_reported() {
    let large = Report { capacity: 3, ..report(8, &[], (0, 0)) };
    let plan = lead(&[("A", report(8, &[], (0, 0)).encode()), ("B", large.encode())], &list(8));
    assert_eq!((granted(&plan, "A").0.len(), granted(&plan, "B").0.len()), (2, 6));
}

#[test]
fn a_report_that_cannot_be_read_is_named() {
    let plan = lead(&[("A", report(8, &[], (0, 0)).encode()), ("B", Bytes::from_static(b"?"))], &list(2));
    assert_eq!(plan.broken, [MemberId::from("B")]);
}

#[test]
fn positions_are_no_reason_for_a_round_and_state_that_comes_or_goes_is() {
    let far = Workplace { capacity: 1, positions: BTreeMap::from([("t0".to_owned(), END)]) };
    assert_eq!(far, Workplace { capacity: 1, ..Workplace::default() });
    assert_ne!(far, Workplace { capacity: 2, ..Workplace::default() });
    let stamp = |end: Option<u64>| tasks().stamp(&far, &TaskList::new([("t0".to_owned(), end)]).expect("one"));
    assert_eq!(stamp(Some(1)), stamp(Some(END)));
    assert_ne!(stamp(Some(1)), stamp(None));
}

#[test]
fn a_member_whose_report_cannot_be_read_is_given_nothing_and_all_runs_elsewhere() {
    let garbage = Bytes::from_static(b"\0\0\xff\xff");
    let fresh = || report(0, &[], (0, 0)).encode();
    let decision = lead(&[("a", garbage.clone()), ("b", fresh()), ("c", fresh()), ("d", garbage)], &list(4));
    let given = |name| granted(&decision, name).0.len();
    assert_eq!((given("a"), given("b"), given("c"), given("d")), (0, 2, 2, 0));
    assert_eq!(decision.broken, [MemberId::from("a"), MemberId::from("d")]);
}

/// A plan of generation 9 by which A runs t0 and B runs t1, as its leader remembers it.
fn shared() -> [(Generation, Given); 1] {
    let before = [("A", report(8, &["a0"], (2, END)).encode()), ("B", report(8, &["a1"], (2, END)).encode())];
    [(Generation(9), lead(&before, &list(2)).memory.expect("a memory"))]
}

fn job(task: &str) -> Job {
    Job { task: task.to_owned(), role: Role::Active }
}

#[test]
fn b89_a_member_that_claims_what_it_was_not_given_is_named() {
    let (a, b) = (report(9, &["a0", "a1"], (2, END)).encode(), report(9, &["a1"], (2, END)).encode());
    let plan = lead_again(&[("A", a.clone()), ("B", b.clone())], &list(2), &shared());
    assert_eq!(plan.offences, [Offence::Seized { member: MemberId::from("A"), resource: job("t1") }]);
    let honest = report(9, &["a0"], (2, END)).encode();
    assert_eq!(lead_again(&[("A", honest), ("B", b.clone())], &list(2), &shared()).offences, []);
    assert_eq!(lead_again(&[("A", a), ("B", b)], &list(2), &[]).offences, [], "who remembers nothing accuses nobody");
}

#[test]
fn b89_what_is_neither_claimed_nor_named_as_given_up_goes_to_nobody_else() {
    let b = report(9, &["a1"], (2, END)).encode();
    let silent = report(9, &[], (2, END));
    let plan = lead_again(&[("A", silent.clone().encode()), ("B", b.clone())], &list(2), &shared());
    assert_eq!(plan.offences, [Offence::Dropped { member: MemberId::from("A"), resource: job("t0") }]);
    assert_eq!((granted(&plan, "A").0, granted(&plan, "B").0), (vec!["a0".to_owned()], vec!["a1".to_owned()]));
    let named = Report { released: Some(BTreeSet::from(["t0".to_owned()])), ..silent.clone() };
    let older = Report { released: None, ..silent.clone() };
    let late = Report { generation: Some(Generation(8)), ..silent };
    for fair in [named, older, late] {
        let plan = lead_again(&[("A", fair.encode()), ("B", b.clone())], &list(2), &shared());
        assert_eq!(plan.offences, [], "{fair:?}");
    }
}

#[test]
fn b89_a_leader_that_gives_away_what_another_runs_is_named() {
    let reports = [("A", report(8, &["a0"], (2, END)).encode()), ("B", report(8, &[], (2, END)).encode())];
    let fair = lead(&reports, &list(2)).assignments;
    assert_eq!(audit(&members(&reports), &fair), []);
    let given = |task| Assignment { jobs: BTreeSet::from([job(task)]), note: None }.encode();
    let robbed = [(MemberId::from("A"), given("t1")), (MemberId::from("B"), given("t0"))];
    let (holder, member) = (MemberId::from("A"), MemberId::from("B"));
    assert_eq!(audit(&members(&reports), &robbed), [Offence::GrantedHeld { holder, member, resource: job("t0") }]);
}
