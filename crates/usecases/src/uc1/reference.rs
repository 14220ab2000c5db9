use crate::household::Reading;

/// The documents that UC1 owes for `readings`, sorted; results are right when they are the same multiset.
pub fn reference<'a>(readings: impl IntoIterator<Item = &'a Reading>) -> Vec<String> {
    let mut documents: Vec<String> = readings
        .into_iter()
        .map(|reading| {
            let value = java_double(reading.value_in_w);
            format!(
                r#"{{"identifier":"{}","timestamp":{},"valueInW":{value}}}"#,
                reading.identifier, reading.timestamp.0
            )
        })
        .collect();
    documents.sort();
    documents
}

/// Java's `Double.toString` for numbers whose shortest form has two digits or more.
fn java_double(value: f64) -> String {
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        let text = format!("{value}");
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let text = format!("{value:e}").to_uppercase();
    if text.contains('.') { text } else { text.replacen('E', ".0E", 1) }
}
