use groma_client::ClientError;

use crate::BenchError;

/// A client's error in the benchmark's words.
pub(crate) fn kafka(bootstrap: &str) -> impl Fn(ClientError) -> BenchError + '_ {
    move |error| {
        let text = error.to_string();
        BenchError::Kafka(if text.contains(bootstrap) { text } else { format!("{bootstrap}: {text}") })
    }
}
