use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::jar::Jars;
use super::{api, catalog, registry};

/// The first line of each generated file.
pub(crate) const NOTICE: &str =
    "// Written by `cargo xtask codegen` from the definitions of Kafka 4.4.0; do not edit.\n";

/// What to do with the generated files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    Check,
}

/// Writes the generated code, or compares it with `--check`; see the module's documentation.
///
/// # Errors
/// One sentence for the user: a jar is missing, a definition is not understood, or the committed code differs.
pub(crate) fn run<I: Iterator<Item = String>>(mut args: I) -> Result<(), String> {
    let (mut mode, mut folder) = (Mode::Write, None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--check" => mode = Mode::Check,
            "--jars" => folder = Some(PathBuf::from(args.next().ok_or("--jars wants a folder")?)),
            other => return Err(format!("codegen does not know `{other}`; it takes --check and --jars DIR")),
        }
    }
    let files = files(&mut Jars::open(folder.as_deref())?)?;
    match mode {
        Mode::Write => write(&files),
        Mode::Check => compare(&files),
    }
}

/// A generated file: its place below `crates/wire`, and its text.
type Generated = (String, String);

fn files(jars: &mut Jars) -> Result<Vec<Generated>, String> {
    let modules = catalog::modules(jars)?;
    let mut sources = vec![
        ("src/messages/mod.rs".to_owned(), api::root(&modules)),
        ("src/messages/api_key.rs".to_owned(), api::source(&modules)),
        ("tests/support/registry.rs".to_owned(), registry::registry(&modules)),
    ];
    sources.extend(modules.iter().map(|module| (format!("src/messages/{}.rs", module.name), module.source())));
    let mut files = sources
        .into_iter()
        .map(|(path, source)| Ok((path, formatted(&source)?)))
        .collect::<Result<Vec<_>, String>>()?;
    files.push(("tests/support/schema.txt".to_owned(), registry::table(&modules)));
    Ok(files)
}

fn write(files: &[Generated]) -> Result<(), String> {
    for (path, text) in files {
        let path = wire().join(path);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    println!("{} files written below {}", files.len(), wire().display());
    Ok(())
}

fn compare(files: &[Generated]) -> Result<(), String> {
    let differs = |(path, text): &&Generated| fs::read_to_string(wire().join(path)).ok().as_deref() != Some(text);
    match files.iter().find(differs) {
        Some((path, _)) => {
            Err(format!("crates/wire/{path} differs from the definitions: run `cargo run -p xtask -- codegen`"))
        }
        None => Ok(()),
    }
}

fn wire() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../wire")
}

fn formatted(source: &str) -> Result<String, String> {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(config)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("rustfmt cannot be started ({error}): `rustup component add rustfmt`"))?;
    let mut input = child.stdin.take().ok_or("rustfmt has no input")?;
    input.write_all(source.as_bytes()).map_err(|error| format!("rustfmt does not take its input: {error}"))?;
    drop(input);
    let output = child.wait_with_output().map_err(|error| format!("rustfmt failed: {error}"))?;
    if !output.status.success() {
        return Err(format!("rustfmt refuses the generated code: {source}"));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_code_is_what_the_definitions_give() {
        if !Jars::are_at_hand() {
            println!("left out: Kafka's jars are not in Maven's local repository");
            return;
        }
        assert_eq!(run(["--check".to_owned()].into_iter()), Ok(()));
    }
}
