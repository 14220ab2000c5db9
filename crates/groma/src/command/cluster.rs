//! Reaching a Kafka from a command.

use crate::args::Cluster;
use crate::exit::{Done, Failure, Outcome};
use groma_client::{Admin, DEFAULT_BOOTSTRAP, Properties};
use serde::Serialize;

impl Cluster {
    /// The client settings that the arguments name.
    pub(crate) fn properties(&self) -> Result<Properties, Failure> {
        let properties = match &self.client_config {
            Some(file) => Properties::from_file(file, self.bootstrap.as_deref())?,
            None => Properties::new(self.bootstrap.as_deref().unwrap_or(DEFAULT_BOOTSTRAP)),
        };
        Ok(properties)
    }

    /// The addresses that are asked, as one could type them.
    pub(crate) fn addresses(&self) -> Result<String, Failure> {
        Ok(self.properties()?.client.bootstrap.join(","))
    }

    /// An admin client of the cluster.
    pub(crate) async fn admin(&self) -> Result<Admin, Failure> {
        Ok(Admin::connect(&self.properties()?.client).await?)
    }
}

/// Runs `work` on a runtime of this thread.
pub(crate) fn block_on(work: impl Future<Output = Outcome>) -> Outcome {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Prints one JSON document.
pub(crate) fn print_json(value: &impl Serialize) -> Outcome {
    println!("{}", serde_json::to_string_pretty(value)?);
    Ok(Done::Fine)
}

/// Prints `rows` under `header`, columns wide enough for their widest cell, numbers to the right.
pub(crate) fn print_table<const N: usize>(header: [&str; N], rows: &[[String; N]]) {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).chain([header[column].len()]).max().unwrap_or_default()
    };
    let widths: [usize; N] = std::array::from_fn(width);
    print_row(&widths, &header.map(str::to_owned));
    for row in rows {
        print_row(&widths, row);
    }
}

fn print_row<const N: usize>(widths: &[usize; N], cells: &[String; N]) {
    let padded: Vec<String> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| if is_number(cell) { format!("{cell:>width$}") } else { format!("{cell:<width$}") })
        .collect();
    println!("{}", padded.join("  ").trim_end());
}

fn is_number(cell: &str) -> bool {
    cell == "-" || cell.parse::<f64>().is_ok()
}
