use super::finding::Finding;
use super::source::Source;

/// How a crate behaves: see the first section of ARCHITECTURE.md.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Takes time and input as values and returns values.
    Decides,
    /// A thin shell around a deciding crate.
    Does,
    /// Never shipped.
    Develops,
}

struct Rule {
    folder: &'static str,
    kind: Kind,
    may_use: &'static [&'static str],
}

/// Who may depend on whom. Dependencies of tests alone are free.
const TABLE: &[Rule] = &[
    Rule { folder: "model", kind: Kind::Decides, may_use: &[] },
    Rule { folder: "wire", kind: Kind::Decides, may_use: &["model"] },
    Rule { folder: "rebalance", kind: Kind::Decides, may_use: &["model", "wire"] },
    Rule { folder: "explain", kind: Kind::Decides, may_use: &["model", "wire", "rebalance"] },
    Rule { folder: "session", kind: Kind::Decides, may_use: &["model", "wire", "rebalance"] },
    Rule { folder: "node", kind: Kind::Decides, may_use: &["model", "wire", "rebalance", "explain"] },
    Rule { folder: "dataflow", kind: Kind::Decides, may_use: &["model", "wire"] },
    Rule { folder: "usecases", kind: Kind::Decides, may_use: &["model", "wire", "dataflow"] },
    Rule { folder: "scalability", kind: Kind::Decides, may_use: &[] },
    Rule {
        folder: "sim",
        kind: Kind::Decides,
        may_use: &["model", "wire", "rebalance", "session", "node", "dataflow"],
    },
    Rule { folder: "client", kind: Kind::Does, may_use: &["model", "wire", "rebalance", "explain", "session"] },
    Rule { folder: "broker", kind: Kind::Does, may_use: &["model", "wire", "node"] },
    Rule {
        folder: "streams",
        kind: Kind::Does,
        may_use: &["model", "wire", "rebalance", "dataflow", "usecases", "client"],
    },
    Rule {
        folder: "bench",
        kind: Kind::Does,
        may_use: &["model", "wire", "usecases", "scalability", "client", "streams"],
    },
    Rule {
        folder: "groma",
        kind: Kind::Does,
        may_use: &[
            "model",
            "wire",
            "rebalance",
            "explain",
            "session",
            "node",
            "dataflow",
            "usecases",
            "scalability",
            "sim",
            "client",
            "broker",
            "streams",
            "bench",
        ],
    },
    Rule { folder: "xtask", kind: Kind::Develops, may_use: &[] },
];

/// Parts of a crate that alone may use another: (crate, used crate's path, where in the crate, why).
const INNER: [(&str, &str, &[&str], &str); 1] = [(
    "rebalance",
    "groma_wire",
    &["/src/rpc/", "/src/embedded/", "/src/rpc.rs"],
    "the rules of a group know no wire format: translate in `rpc` or `embedded`",
)];

/// What a crate of this folder is; none when the table lacks it.
pub(super) fn kind(folder: &str) -> Option<Kind> {
    TABLE.iter().find(|rule| rule.folder == folder).map(|rule| rule.kind)
}

/// Checks one crate's manifest against the table.
pub(super) fn check_manifest(folder: &str, manifest: &str) -> Vec<Finding> {
    let path = format!("crates/{folder}/Cargo.toml");
    let Some(rule) = TABLE.iter().find(|rule| rule.folder == folder) else {
        return vec![Finding::file(&path, "this crate is not in the dependency table: add it to tidy/edges.rs")];
    };
    let mut findings = Vec::new();
    let mut section = "";
    for (at, line) in manifest.lines().enumerate() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        }
        let used = line.strip_prefix("groma-").filter(|_| section == "dependencies" || section == "build-dependencies");
        let Some(used) = used.map(|rest| rest.split(['.', ' ', '=']).next().unwrap_or(rest)) else { continue };
        if !rule.may_use.contains(&used) {
            let allowed = rule.may_use.join(", ");
            let sentence =
                format!("`{folder}` may not depend on `{used}` (it may use: {allowed}); pass a value instead");
            findings.push(Finding::at(&path, at + 1, sentence));
        }
    }
    findings
}

/// Checks that a crate is used only in the parts that may know it.
pub(super) fn check_source(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, used, parts, why) in INNER {
        let applies = source.crate_folder() == Some(folder) && !parts.iter().any(|part| source.path.contains(part));
        if applies {
            let lines = source.production().filter(|(_, code)| code.contains(used));
            findings.extend(lines.map(|(line, _)| Finding::at(&source.path, line, format!("`{used}` here: {why}"))));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forbidden_edge_is_named_with_its_line() {
        let found = check_manifest("model", "[package]\n\n[dependencies]\ngroma-wire.workspace = true\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 4);
        assert!(found[0].sentence.contains("`model` may not depend on `wire`"));
    }

    #[test]
    fn dependencies_of_tests_are_free() {
        assert!(check_manifest("model", "[dev-dependencies]\ngroma-wire.workspace = true\n").is_empty());
        assert!(check_manifest("wire", "[dependencies]\ngroma-model = { path = \"x\" }\n").is_empty());
    }

    #[test]
    fn an_unknown_crate_is_asked_for() {
        assert_eq!(check_manifest("new", "").len(), 1);
    }

    #[test]
    fn the_rules_of_a_group_know_no_wire_format() {
        let text = "use groma_wire::Records;\n";
        assert_eq!(check_source(&Source::new("crates/rebalance/src/member/x.rs", text)).len(), 1);
        assert!(check_source(&Source::new("crates/rebalance/src/rpc/x.rs", text)).is_empty());
        assert!(check_source(&Source::new("crates/node/src/x.rs", text)).is_empty());
    }
}
