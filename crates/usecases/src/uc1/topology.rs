use groma_dataflow::{Counting, Decode, Pipeline, Sink, Task};
use groma_model::Partition;

use crate::Settings;
use crate::format::{ActivePowerDecoder, JsonEncoder};

/// The task whose documents go to the output topic.
pub fn to_topic(partition: Partition, settings: &Settings) -> impl Task + use<> {
    let chain = Decode::<ActivePowerDecoder, _>::new(Sink::new(JsonEncoder));
    Pipeline::new(partition, settings.rejects, chain)
}

/// The task whose documents are counted and summed up in a checksum.
pub fn to_count(partition: Partition, settings: &Settings) -> impl Task + use<> {
    let chain = Decode::<ActivePowerDecoder, _>::new(Counting::new(JsonEncoder));
    Pipeline::new(partition, settings.rejects, chain)
}
