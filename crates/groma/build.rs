//! Hands what the program is built from and with to `groma --version` and to results.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/refs/heads");
    let commit = said(Command::new("git").args(["rev-parse", "--short=12", "HEAD"]));
    println!("cargo::rustc-env=GROMA_COMMIT={}", commit.as_deref().unwrap_or("unknown commit"));
    let compiler = std::env::var_os("RUSTC").and_then(|rustc| said(Command::new(rustc).arg("--version")));
    let compiler = compiler.as_deref().map_or("unknown", |text| text.trim_start_matches("rustc "));
    println!("cargo::rustc-env=GROMA_RUSTC={compiler}");
}

/// What a command prints, where it works.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
