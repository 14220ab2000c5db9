use groma_dataflow::{Decode, Map, Pipeline, StatsAggregate, Task, TextKey, Windowed};
use groma_model::Partition;

use crate::Settings;
use crate::format::{ActivePower, ActivePowerDecoder, WindowStatisticsEncoder};

/// The task of one input partition: grouped by the record's key, timed by the record's timestamp.
pub fn task(partition: Partition, settings: &Settings) -> impl Task + use<> {
    let statistics = Windowed::new(settings.windows, settings.emission, StatsAggregate, WindowStatisticsEncoder);
    let power = |reading: &ActivePower<'_>| Ok(reading.value_in_w);
    let chain = Decode::<ActivePowerDecoder, _>::new(Map::new(power, TextKey::new(statistics)));
    Pipeline::new(partition, settings.rejects, chain)
}
