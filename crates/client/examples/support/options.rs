use std::collections::HashMap;

/// The `--name value` pairs of the command line.
pub(crate) fn options() -> Result<HashMap<String, String>, String> {
    let mut options = HashMap::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let bare = name.strip_prefix("--").ok_or_else(|| format!("{name} is not an option"))?.to_owned();
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        options.insert(bare, value);
    }
    Ok(options)
}
