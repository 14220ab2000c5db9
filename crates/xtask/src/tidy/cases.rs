use std::collections::BTreeSet;

use super::finding::Finding;
use super::source::Source;
use super::workspace::Workspace;

/// The numbers of the known faults of other group libraries, as `B1` to `B90`; what is left out was never given.
const CASES: [u32; 75] = [
    1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 23, 24, 25, 26, 27, 29, 30, 31, 32, 34, 35, 36,
    38, 39, 40, 42, 43, 44, 45, 46, 47, 49, 50, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 66, 67, 68, 69, 70, 71,
    72, 73, 74, 75, 76, 77, 78, 79, 80, 82, 83, 84, 86, 87, 89, 90,
];

/// Where the cases that cannot apply are listed, each with its reason.
const TABLE: &str = "crates/rebalance/tests/cases.md";

/// Checks that every case is the number of a test, or a line of the table that says why it cannot apply, not both.
pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    let tested: BTreeSet<u32> = workspace.sources.iter().flat_map(tested).collect();
    let excused = excused(workspace.text(TABLE).unwrap_or_default());
    let mut findings = Vec::new();
    for case in CASES {
        match (tested.contains(&case), excused.contains(&case)) {
            (false, false) => {
                findings.push(Finding::file(
                    TABLE,
                    format!("case B{case} has no test `b{case}_...`: write it, or why not"),
                ));
            }
            (true, true) => {
                findings.push(Finding::file(TABLE, format!("case B{case} has a test `b{case}_...`: drop its line")));
            }
            _ => {}
        }
    }
    let unknown = tested.union(&excused).filter(|case| !CASES.contains(case));
    findings.extend(unknown.map(|case| Finding::file(TABLE, format!("there is no case B{case}: mend the number"))));
    findings
}

/// The cases that tests of a file are named after: `fn b15_b71_the_later_generation` is about two.
fn tested(source: &Source) -> BTreeSet<u32> {
    let tests = source.code.match_indices("fn b").filter(|(at, _)| source.is_test(line_of(&source.code, *at)));
    let named = tests.flat_map(|(at, _)| source.code[at + 3..].split('(').next().unwrap_or_default().split('_'));
    named.filter_map(|word| word.strip_prefix('b')?.parse().ok()).collect()
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The cases that lines of the table begin with: `| B60 | ... |`.
fn excused(table: &str) -> BTreeSet<u32> {
    let first = |line: &str| line.strip_prefix("| B")?.split(' ').next()?.parse().ok();
    table.lines().filter_map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests_and_lines_of_the_table_count() {
        let text =
            "fn b7_no_test() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b4_b15_x() {}\n    fn bag() {}\n}\n";
        assert_eq!(tested(&Source::new("crates/a/src/a.rs", text)), BTreeSet::from([4, 15]));
        assert_eq!(excused("# B1\n| case | why |\n| B60 | none |\n| B6 and more | none |\n"), BTreeSet::from([6, 60]));
    }
}
