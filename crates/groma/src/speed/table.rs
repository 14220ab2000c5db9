use super::{Figure, micro};
use crate::args::Speed;
use crate::command::print_json;
use crate::exit::{Done, Failure, Outcome};
use groma_bench::Screen;

/// A part by its name, and how to measure it.
struct Part {
    name: &'static str,
    measure: fn() -> Result<Figure, Failure>,
}

/// Every part, in the order in which it is measured.
const PARTS: &[Part] = &[
    Part { name: "batch-read", measure: || Ok(micro::batch_read()) },
    Part { name: "batch-write", measure: || Ok(micro::batch_write()) },
];

/// Measures the parts whose names begin with one of the prefixes, or all.
pub(crate) fn run(arguments: &Speed, screen: Screen) -> Outcome {
    let chosen: Vec<&Part> = PARTS.iter().filter(|part| is_chosen(part.name, &arguments.prefixes)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = PARTS.iter().map(|part| part.name).collect();
        return Err(Failure::new(format!(
            "no part's name begins with `{}`; there are {}",
            arguments.prefixes.join("` or `"),
            names.join(", ")
        )));
    }
    let mut figures = Vec::with_capacity(chosen.len());
    for part in chosen {
        if screen == Screen::Progress {
            eprintln!("measuring {}", part.name);
        }
        let figure = (part.measure)()?;
        if !arguments.json.json {
            println!("{}", figure.line());
        }
        figures.push(figure);
    }
    if arguments.json.json {
        return print_json(&figures);
    }
    Ok(Done::Fine)
}

fn is_chosen(name: &str, prefixes: &[String]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
}

impl Figure {
    fn line(&self) -> String {
        format!("{:<40} {:>16} {}", self.name, grouped(self.value), self.unit)
    }
}

/// A number with its thousands set apart, three digits after the point where it is small.
fn grouped(value: f64) -> String {
    if value.abs() < 1000.0 {
        return format!("{value:.3}");
    }
    let digits = format!("{value:.0}");
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digit.is_ascii_digit() {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(grouped(123_456.0), "123,456");
        assert_eq!(grouped(12.5), "12.500");
    }

    #[test]
    fn prefixes_choose_parts() {
        assert!(is_chosen("step-uc2", &[]));
        assert!(is_chosen("step-uc2", &["step".into()]));
        assert!(!is_chosen("produce", &["step".into()]));
    }
}
