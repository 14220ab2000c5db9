use super::program::{Folder, run};

fn last_lines(stdout: &str, count: usize) -> Vec<&str> {
    let lines: Vec<&str> = stdout.lines().collect();
    lines[lines.len().saturating_sub(count)..].to_vec()
}

#[test]
fn schedules_keep_every_property_and_end_with_two_lines() {
    let ended = run(&["sim", "run", "--seeds", "0..40", "--quiet"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let lines = last_lines(&ended.stdout, 2);
    assert_eq!(ended.stdout.lines().count(), 2);
    assert!(lines[0].contains(" rounds, ") && lines[0].ends_with(" moves"), "{lines:?}");
    assert_eq!(lines[1], "40 schedules, 0 violations");
}

#[test]
fn every_schedule_has_its_faults_and_members_that_come_or_go() {
    let ended = run(&["sim", "run", "--seeds", "100..140", "--quiet", "--json"]);
    let tally: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a document");
    assert_eq!((ended.code, tally["schedules"].as_u64()), (Some(0), Some(40)));
    assert!(tally["least_faults"].as_u64() >= Some(5), "{tally}");
    assert!(tally["least_membership_changes"].as_u64() >= Some(2), "{tally}");
}

#[test]
fn a_seed_tells_the_same_story_byte_for_byte() {
    let arguments = ["sim", "run", "--seed", "5", "--members", "4", "--policy", "two-round"];
    let (first, second) = (run(&arguments), run(&arguments));
    assert_eq!(first.code, Some(0));
    assert!(first.stdout.lines().count() > 20, "{}", first.stdout);
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn a_broken_rule_is_noticed_and_made_small() {
    let ended = run(&["sim", "run", "--seeds", "0..40", "--break", "no-withholding", "--policy", "two-round"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("made small: "), "{}", ended.stdout);
    assert!(ended.stdout.contains("schedule.keeping(&["), "{}", ended.stdout);
    assert!(!ended.stdout.ends_with(" 0 violations\n"), "{}", ended.stdout);
}

#[test]
fn a_rule_that_a_policy_does_not_have_cannot_be_broken_under_it() {
    let ended = run(&["sim", "run", "--seeds", "0..40", "--break", "no-end", "--policy", "eager"]);
    let said =
        "groma: the policy `eager` does not have the rule `no-end`; break it under deferred, deferred+incremental\n";
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(2), "", said));
    let ended = run(&["sim", "run", "--seeds", "0..40", "--break", "no-end", "--quiet"]);
    assert_eq!(ended.code, Some(1), "without --policy those that have it are run: {ended:?}");
}

#[test]
fn scenarios_are_compared_in_a_table_and_a_picture() {
    let folder = Folder::new("compare");
    let file = folder.place("compare.svg");
    let ended = run(&["sim", "compare", "--scenario", "scale-up", "--picture", &file]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let row = |policy: &str| ended.stdout.lines().find(|line| line.contains(policy)).unwrap().to_owned();
    assert!(row("eager").contains(" 200 ") && row("two-round").contains(" 18 "), "{}", ended.stdout);
    let picture = std::fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg "));
    for head in ["lost", "stopped", "moved", "rounds", "balanced after"] {
        assert!(picture.contains(&format!(">{head}</text>")), "{head}");
    }
    assert_eq!(picture.matches("<rect class=\"bar\"").count(), 5 * 5, "a bar for each policy and cost");
    let nowhere = run(&["sim", "compare", "--scenario", "scale-up", "--picture", "/proc/no/such"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(nowhere.stderr.contains("/proc/no/such"), "{nowhere:?}");
}

#[test]
fn wrong_words_are_refused_with_the_right_ones() {
    for (arguments, word) in [
        (["--policy", "x"], "two-round"),
        (["--faults", "rain"], "coordinator"),
        (["--members", "0"], "3..50"),
        (["--seeds", "9..3"], "0..1000"),
        (["--break", "bones"], "no-withholding"),
    ] {
        let ended = run(&["sim", "run", arguments[0], arguments[1]]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ended.stderr.contains(word), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn a_search_by_two_threads_holds_where_that_of_one_does() {
    let scope = ["--members", "2", "--resources", "2", "--crashes", "1", "--policy", "deferred", "--quiet", "--json"];
    for threads in ["1", "2"] {
        let ended = run(&[&["sim", "exhaust", "--threads", threads], &scope[..]].concat());
        let rows: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a document");
        assert_eq!((ended.code, rows[0]["verdict"].as_str()), (Some(0), Some("holds")), "{rows}");
        assert!(rows[0]["states"].as_u64() > Some(10_000), "{rows}");
    }
}

#[test]
fn a_broken_rule_is_told_as_a_story_whoever_finds_it() {
    let scope = ["--members", "2", "--resources", "2", "--crashes", "1", "--policy", "two-round", "--quiet"];
    for threads in ["1", "2"] {
        let ended = run(&[&["sim", "exhaust", "--break", "no-withholding", "--threads", threads], &scope[..]].concat());
        assert_eq!(ended.code, Some(1), "{}", ended.stdout);
        assert!(
            ended.stdout.contains("A starts") && ended.stdout.contains("VIOLATION of GrantedFree"),
            "{}",
            ended.stdout
        );
    }
}
