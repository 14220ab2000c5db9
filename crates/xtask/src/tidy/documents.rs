use super::finding::Finding;
use super::workspace::Workspace;

/// Files that must be there, and words that each must hold.
const REQUIRED: [(&str, &[&str]); 9] = [
    ("README.md", &["./run demo", "./run test"]),
    ("ARCHITECTURE.md", &[]),
    ("GLOSSARY.md", &[]),
    ("CONTRIBUTING.md", &["cargo xtask tidy"]),
    ("CHANGELOG.md", &[]),
    ("LICENSE", &["Apache License"]),
    ("data/README.md", &["Creative Commons Attribution 4.0", "UCI"]),
    ("interop/README.md", &[]),
    (".ci/run", &["./run test"]),
];

/// Checks that the documents are there, that the code map is complete, and that links lead somewhere.
pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, words) in REQUIRED {
        let Some(text) = workspace.text(path) else {
            findings.push(Finding::file(path, "this document is missing: write it"));
            continue;
        };
        let missing = words.iter().filter(|word| !text.contains(**word));
        findings.extend(missing.map(|word| Finding::file(path, format!("must mention `{word}`"))));
    }
    findings.extend(code_map(workspace));
    let pages = workspace.texts.iter().filter(|(path, _)| path.ends_with(".md"));
    findings.extend(pages.flat_map(|(path, text)| links(path, text, &workspace.paths)));
    findings
}

fn code_map(workspace: &Workspace) -> Vec<Finding> {
    let map = workspace.text("ARCHITECTURE.md").unwrap_or_default();
    let missing = workspace.crates().filter(|folder| !map.contains(&format!("`{folder}`")));
    let sentence = |folder| format!("the code map lacks crate `{folder}`: add its line");
    missing.map(|folder| Finding::file("ARCHITECTURE.md", sentence(folder))).collect()
}

/// Links of a page to files that are not there.
fn links(page: &str, text: &str, paths: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for part in line.split("](").skip(1) {
            let target = part.split([')', '#', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.contains(':') && !leads(page, target, paths) {
                findings.push(Finding::at(page, at + 1, format!("link to `{target}`, which is not there")));
            }
        }
    }
    findings
}

fn leads(page: &str, target: &str, paths: &[String]) -> bool {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    let full = parts.join("/");
    paths.iter().any(|path| *path == full || path.starts_with(&format!("{full}/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_link_is_found_with_its_line() {
        let paths = ["docs/demo.svg".to_owned(), "docs/a.md".to_owned()];
        let text = "![x](demo.svg) [y](../docs/a.md#part)\n[z](gone.md) [w](https://example.org) [d](../docs/)\n";
        let found = links("docs/b.md", text, &paths);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].line, 2);
    }
}
