use super::civil_time;
use super::reading::Reading;

/// The readings in the text of a household file, header included.
pub fn rows(text: &str) -> Rows<'_> {
    Rows { lines: text.lines(), number: 0, waiting: Vec::new(), empty: 0 }
}

/// See [`rows`]. Ends after the first malformed row.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    lines: std::str::Lines<'a>,
    number: u64,
    waiting: Vec<Reading>,
    empty: u64,
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the household file has a malformed {field}")]
pub struct RowError {
    /// The line, from 1.
    pub line: u64,
    /// Which field.
    pub field: &'static str,
}

/// Sensors, the column of each, and the watts of one unit in it.
const SENSORS: [(&str, usize, f64); 4] =
    [("household", 1, 1_000.0), ("sub_meter_1", 5, 60.0), ("sub_meter_2", 6, 60.0), ("sub_meter_3", 7, 60.0)];

impl Rows<'_> {
    /// Empty cells left out so far.
    pub const fn empty_cells(&self) -> u64 {
        self.empty
    }

    fn read(&mut self, line: &str) -> Result<(), RowError> {
        let fault = |field| RowError { line: self.number, field };
        let mut cells = [""; 8];
        let mut parts = line.split(',');
        for cell in &mut cells {
            *cell = parts.next().unwrap_or_default().trim();
        }
        let timestamp = civil_time::parse(cells[0]).ok_or_else(|| fault("time"))?;
        for (identifier, column, unit) in SENSORS {
            if cells[column].is_empty() {
                self.empty += 1;
                continue;
            }
            let amount: f64 = cells[column].parse().map_err(|_| fault(identifier))?;
            let identifier = identifier.to_owned();
            self.waiting.push(Reading { identifier, timestamp, value_in_w: amount * unit });
        }
        Ok(())
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Reading, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() {
            let line = self.lines.next()?;
            self.number += 1;
            let is_header = self.number == 1 && line.starts_with("date_time");
            if is_header || line.trim().is_empty() {
                continue;
            }
            if let Err(error) = self.read(line) {
                self.lines = "".lines();
                self.waiting.clear();
                return Some(Err(error));
            }
            self.waiting.reverse();
        }
        self.waiting.pop().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Timestamp;

    use super::*;

    const HEADER: &str = "date_time,Global_active_power,Global_reactive_power,Voltage,Global_intensity,Sub_metering_1,Sub_metering_2,Sub_metering_3\n";

    #[test]
    fn a_row_gives_four_readings() {
        let text = format!("{HEADER}1970-01-01 00:01:00,0.326,0.128,243.15,1.4,1.0,0.0,2.0\n");
        let readings: Vec<Reading> = rows(&text).map(Result::unwrap).collect();
        let values: Vec<(&str, f64)> = readings.iter().map(|r| (r.identifier.as_str(), r.value_in_w)).collect();
        assert_eq!(values, [("household", 326.0), ("sub_meter_1", 60.0), ("sub_meter_2", 0.0), ("sub_meter_3", 120.0)]);
        assert!(readings.iter().all(|reading| reading.timestamp == Timestamp(60_000)));
    }

    #[test]
    fn empty_cells_are_left_out_and_counted() {
        let text = format!("{HEADER}1970-01-01 00:00:00,,,,,,,\n1970-01-01 00:01:00,1,0,0,0,,5,\n");
        let mut rows = rows(&text);
        let names: Vec<String> = rows.by_ref().map(|reading| reading.unwrap().identifier).collect();
        assert_eq!((names, rows.empty_cells()), (vec!["household".to_owned(), "sub_meter_2".to_owned()], 6));
    }

    #[test]
    fn a_malformed_row_is_named() {
        let text = format!("{HEADER}1970-01-01 00:00:00,x,0,0,0,0,0,0\n");
        let results: Vec<_> = rows(&text).collect();
        assert_eq!(results, [Err(RowError { line: 2, field: "household" })]);
    }
}
