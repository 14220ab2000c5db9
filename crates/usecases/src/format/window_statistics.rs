use groma_dataflow::{Reject, Stats, Window, WindowEncoder};
use groma_model::Timestamp;

use super::avro::{AvroReader, put_double, put_frame, put_long, put_string};

/// UC2's result for one sensor and window.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowStatistics {
    /// The sensor.
    pub identifier: String,
    /// The window.
    pub window: Window,
    /// Number of readings.
    pub count: i64,
    /// Their sum in watts.
    pub sum_in_w: f64,
    /// Sum by count.
    pub mean_in_w: f64,
    /// The least.
    pub min_in_w: f64,
    /// The greatest.
    pub max_in_w: f64,
    /// Mean squared distance from the mean, in square watts.
    pub population_variance: f64,
}

/// Writes [`WindowStatistics`] straight out of the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowStatisticsEncoder;

/// Largest relative difference at which two figures count as equal.
const TOLERANCE: f64 = 1e-9;

impl WindowStatistics {
    /// The Avro schema.
    pub const SCHEMA: &'static str = r#"{"type":"record","name":"WindowedActivePowerRecord","namespace":"io.groma","fields":[{"name":"identifier","type":"string"},{"name":"windowStart","type":"long"},{"name":"windowEnd","type":"long"},{"name":"count","type":"long"},{"name":"sumInW","type":"double"},{"name":"meanInW","type":"double"},{"name":"minInW","type":"double"},{"name":"maxInW","type":"double"},{"name":"populationVariance","type":"double"}]}"#;

    /// Reads a record's value.
    ///
    /// # Errors
    /// [`Reject::Malformed`] says what is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Self, Reject> {
        let mut reader = AvroReader::open(bytes)?;
        let statistics = Self {
            identifier: reader.string()?.to_owned(),
            window: Window { start: Timestamp(reader.long()?), end: Timestamp(reader.long()?) },
            count: reader.long()?,
            sum_in_w: reader.double()?,
            mean_in_w: reader.double()?,
            min_in_w: reader.double()?,
            max_in_w: reader.double()?,
            population_variance: reader.double()?,
        };
        reader.finish()?;
        Ok(statistics)
    }

    /// Whether both say the same, floating-point figures within 1e-9 of the larger.
    ///
    /// A variance is taken relative to the squared mean where that is larger: below, rounding of the inputs rules.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let scale = self.mean_in_w * self.mean_in_w;
        self.identifier == other.identifier
            && self.window == other.window
            && self.count == other.count
            && near(self.sum_in_w, other.sum_in_w, 0.0)
            && near(self.mean_in_w, other.mean_in_w, 0.0)
            && near(self.min_in_w, other.min_in_w, 0.0)
            && near(self.max_in_w, other.max_in_w, 0.0)
            && near(self.population_variance, other.population_variance, scale * f64::EPSILON)
    }
}

impl WindowEncoder<Stats> for WindowStatisticsEncoder {
    fn encode(&self, key: &[u8], window: Window, state: &Stats, into: &mut Vec<u8>) {
        put_frame(into);
        put_string(into, key);
        put_long(into, window.start.0);
        put_long(into, window.end.0);
        put_long(into, state.count() as i64);
        for figure in [state.sum(), state.mean(), state.min(), state.max(), state.population_variance()] {
            put_double(into, figure);
        }
    }
}

fn near(a: f64, b: f64, slack: f64) -> bool {
    a == b || (a - b).abs() <= slack.max(TOLERANCE * a.abs().max(b.abs()))
}
