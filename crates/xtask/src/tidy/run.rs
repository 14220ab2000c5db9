use std::fs;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::ratchet::{Entry, Ratchet};
use super::workspace::Workspace;
use super::{calls, cases, documents, edges, layout, metadata, places, size};

/// `cargo xtask tidy [--lower]`: prints each check with its findings, and fails when there are any.
pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let root = root();
    let workspace = Workspace::read(&root)?;
    match args.next().as_deref() {
        None => report(&checks(&workspace)?),
        Some("--lower") => lower(&root, &workspace),
        Some(other) => Err(format!("unknown argument {other:?}: tidy [--lower]")),
    }
}

type Check = (&'static str, Vec<Finding>);

fn checks(workspace: &Workspace) -> Result<Vec<Check>, String> {
    let ratchet = Ratchet::parse(workspace.text(Ratchet::PATH).unwrap_or_default())?;
    let sources = &workspace.sources;
    let of_manifests = |check: fn(&str, &str) -> Vec<Finding>| {
        let manifest = |folder: &str| workspace.text(&format!("crates/{folder}/Cargo.toml")).unwrap_or_default();
        workspace.crates().flat_map(|folder| check(folder, manifest(folder))).collect::<Vec<_>>()
    };
    let inner_edges = sources.iter().flat_map(edges::check_source);
    Ok(vec![
        ("layout", sources.iter().flat_map(layout::check).collect()),
        ("edges", of_manifests(edges::check_manifest).into_iter().chain(inner_edges).collect()),
        ("size", size::check(&oversized(workspace), &ratchet)),
        ("calls", sources.iter().flat_map(calls::check).collect()),
        ("places", workspace.texts.iter().flat_map(|(path, text)| places::check(path, text)).collect()),
        ("documents", documents::check(workspace)),
        ("cases", cases::check(workspace)),
        ("metadata", of_manifests(metadata::check)),
    ])
}

fn oversized(workspace: &Workspace) -> Vec<Entry> {
    workspace.sources.iter().flat_map(size::oversized).collect()
}

fn report(checks: &[Check]) -> Result<(), String> {
    for (name, findings) in checks {
        println!("{} tidy {name}", if findings.is_empty() { "ok    " } else { "FAILED" });
        for finding in findings {
            println!("    {finding}");
        }
    }
    let failed = checks.iter().filter(|(_, findings)| !findings.is_empty()).count();
    println!("tidy: {} passed, {failed} failed", checks.len() - failed);
    if failed == 0 { Ok(()) } else { Err("the workspace is not tidy: see the findings above".to_owned()) }
}

fn lower(root: &Path, workspace: &Workspace) -> Result<(), String> {
    let Some(text) = workspace.text(Ratchet::PATH) else { return Ok(()) };
    let lowered = Ratchet::parse(text)?.lowered(&oversized(workspace));
    fs::write(root.join(Ratchet::PATH), lowered).map_err(|error| format!("cannot write {}: {error}", Ratchet::PATH))
}

/// The workspace's root, two folders above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_tidy() {
        let found = checks(&Workspace::read(&root()).unwrap()).unwrap();
        let findings: Vec<String> = found.iter().flat_map(|(_, found)| found).map(Finding::to_string).collect();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
}
