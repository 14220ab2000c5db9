use super::finding::Finding;

/// Words that must not stand in any text, in two halves so that this table does not hold them.
const BANNED: [(&str, &str, &str); 8] = [
    ("/wo", "rk/", "a path of one machine: use a path from the workspace's root"),
    ("/ro", "ot/", "a path of one machine: use a path from the workspace's root"),
    ("/ho", "me/", "a path of one machine: use a path from the workspace's root"),
    ("index.cra", "tes.io", "a registry's address: ordinary clients know it"),
    ("static.cra", "tes.io", "a registry's address: ordinary clients know it"),
    ("py", "pi.org", "a registry's address: ordinary clients know it"),
    ("registry.np", "mjs", "a registry's address: ordinary clients know it"),
    ("repo1.mav", "en", "a registry's address: ordinary clients know it"),
];

/// Finds machine paths and registry addresses in a text; lock files are left to their tools.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if path.ends_with(".lock") || path.ends_with("-lock.json") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for (first, second, why) in BANNED {
            let word = format!("{first}{second}");
            if line.contains(&word) {
                findings.push(Finding::at(path, at + 1, format!("`{word}`: {why}")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_are_found_outside_lock_files() {
        let text = format!("a\nsee {}{}\n", "/ho", "me/me");
        assert_eq!(check("README.md", &text)[0].line, 2);
        assert!(check("Cargo.lock", &text).is_empty());
    }
}
