use super::finding::Finding;

const PUBLISHED: [&str; 8] =
    ["description", "version", "edition", "rust-version", "license", "repository", "keywords", "categories"];
const UNPUBLISHED: [&str; 2] = ["description", "license"];

/// Checks that a crate could be published as it is.
pub(super) fn check(folder: &str, manifest: &str) -> Vec<Finding> {
    let path = format!("crates/{folder}/Cargo.toml");
    let package = section(manifest, "[package]");
    let has = |key: &str| {
        package.lines().any(|line| line.starts_with(&format!("{key} ")) || line.starts_with(&format!("{key}.")))
    };
    let keys: &[&str] = if package.contains("publish = false") { &UNPUBLISHED } else { &PUBLISHED };
    let mut findings: Vec<Finding> = keys
        .iter()
        .filter(|key| !has(key))
        .map(|key| Finding::file(&path, format!("[package] lacks `{key}`: add it, or `{key}.workspace = true`")))
        .collect();
    if !section(manifest, "[lints]").contains("workspace = true") {
        findings.push(Finding::file(&path, "add `[lints]` with `workspace = true`"));
    }
    findings
}

fn section<'a>(manifest: &'a str, name: &str) -> &'a str {
    let Some((_, rest)) = manifest.split_once(name) else { return "" };
    rest.split("\n[").next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_publishing_needs_is_asked_for() {
        let bare = "[package]\nname = \"x\"\n\n[dependencies]\n";
        assert_eq!(check("x", bare).len(), PUBLISHED.len() + 1);
        let private = "[package]\ndescription = \"x\"\nlicense = \"y\"\npublish = false\n\n[lints]\nworkspace = true\n";
        assert!(check("x", private).is_empty());
    }
}
