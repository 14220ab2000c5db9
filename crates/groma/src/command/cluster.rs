//! Reaching a Kafka from a command.

use crate::args::Cluster;
use crate::exit::{Done, Failure, Outcome};
use groma_bench::Interrupt;
use groma_client::{Admin, DEFAULT_BOOTSTRAP, Properties, Span};
use groma_explain::plain;
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

    /// Says that there is no such group.
    pub(crate) fn knows_no_group(&self, group: &str) -> Failure {
        let address = self.addresses().unwrap_or_default();
        Failure::new(format!("{address} knows no group `{group}`; see `groma group list --bootstrap {address}`"))
    }

    /// An admin client of the cluster. It gives up what is not answered for ten seconds: somebody waits at a terminal.
    pub(crate) async fn admin(&self) -> Result<Admin, Failure> {
        let mut client = self.properties()?.client;
        client.request_timeout = client.request_timeout.min(PATIENCE);
        Ok(Admin::connect(&client).await?)
    }
}

/// Does `work` on this thread, unless the process is asked to stop.
pub(crate) fn block_on(work: impl Future<Output = Outcome>) -> Outcome {
    let interrupt = Interrupt::listen()?;
    on_this_thread(interrupt.unless_asked(work))?.unwrap_or(Ok(Done::Interrupted))
}

/// Does `work` on this thread. Nothing that still runs then holds up the end: looking up a name may take long.
pub(crate) fn on_this_thread<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(done)
}

/// Prints one JSON document.
pub(crate) fn print_json(value: &impl Serialize) -> Outcome {
    println!("{}", serde_json::to_string_pretty(value)?);
    Ok(Done::Fine)
}

/// Prints `rows` under `header`, columns wide enough for their widest cell, numbers to the right. Nothing in a cell
/// steers the terminal.
pub(crate) fn print_table<const N: usize>(header: [&str; N], rows: &[[String; N]]) {
    let rows: Vec<[String; N]> =
        rows.iter().map(|row| std::array::from_fn(|column| plain(&row[column]).into_owned())).collect();
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).chain([header[column].len()]).max().unwrap_or_default()
    };
    let widths: [usize; N] = std::array::from_fn(width);
    print_row(&widths, &header.map(str::to_owned));
    for row in &rows {
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

/// How long one answer may take.
const PATIENCE: Span = Span::from_secs(10);

fn is_number(cell: &str) -> bool {
    cell == "-" || cell.parse::<f64>().is_ok()
}
