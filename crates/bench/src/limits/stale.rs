use std::fs;
use std::path::Path;

use super::cage::remove;
use super::mounts::Controllers;

/// The folder of one benchmark's groups, named after its process so that leftovers can be told from groups in use.
pub(super) fn folder_name() -> String {
    format!("{PREFIX}{}", std::process::id())
}

/// Removes the groups of benchmarks that were killed.
pub(super) fn sweep(controllers: &Controllers) {
    for tree in controllers.mounts() {
        let Ok(entries) = fs::read_dir(&tree.mount) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let owner = name.to_str().and_then(|n| n.strip_prefix(PREFIX)).and_then(|id| id.parse::<u32>().ok());
            if owner.is_some_and(|id| !Path::new(&format!("/proc/{id}")).exists()) {
                remove_tree(&entry.path());
            }
        }
    }
}

fn remove_tree(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove(&entry.path());
        }
    }
    remove(path);
}

const PREFIX: &str = "groma-";
