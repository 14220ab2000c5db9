use super::{Figure, assign, engine, micro, records, startup};
use crate::args::Speed;
use crate::command::print_json;
use crate::exit::{Done, Failure, Outcome};
use groma_bench::Screen;
use groma_usecases::UseCase;

/// What is measured in one go: the names of its figures, in order, and how.
struct Part {
    names: Vec<String>,
    measure: Box<dyn Fn() -> Result<Vec<Figure>, Failure>>,
}

impl Part {
    fn new(names: &[&str], measure: impl Fn() -> Result<Vec<Figure>, Failure> + 'static) -> Self {
        Self { names: names.iter().copied().map(str::to_owned).collect(), measure: Box::new(measure) }
    }
}

/// Every part, in the order in which it is measured.
fn parts() -> Vec<Part> {
    let mut parts = vec![
        Part::new(&["batch-read"], || Ok(vec![micro::batch_read()])),
        Part::new(&["batch-write"], || Ok(vec![micro::batch_write()])),
        Part::new(&["step-uc1"], || Ok(vec![micro::step("step-uc1", UseCase::Uc1)?])),
        Part::new(&["step-uc2"], || Ok(vec![micro::step("step-uc2", UseCase::Uc2)?])),
    ];
    for (name, measure) in assign::parts() {
        parts.push(Part::new(&[&name], move || Ok(vec![measure()?])));
    }
    parts.extend([
        Part::new(&["broker-start", "broker-rss"], || Ok(wait(startup::broker())?.into())),
        Part::new(&["produce", "produce-broker-cpu"], || Ok(wait(records::produce())?.into())),
        Part::new(&["consume", "consume-broker-cpu"], || Ok(wait(records::consume())?.into())),
        Part::new(&["uc2"], || Ok(vec![wait(engine::uc2())?])),
    ]);
    parts
}

/// Measures the parts whose names begin with one of the prefixes, or all.
pub(crate) fn run(arguments: &Speed, screen: Screen) -> Outcome {
    let parts = parts();
    let chosen: Vec<&Part> =
        parts.iter().filter(|part| part.names.iter().any(|name| is_chosen(name, &arguments.prefixes))).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = parts.iter().flat_map(|part| &part.names).map(String::as_str).collect();
        return Err(Failure::new(format!(
            "no part's name begins with `{}`; there are {}",
            arguments.prefixes.join("` or `"),
            names.join(", ")
        )));
    }
    let mut figures = Vec::with_capacity(chosen.len());
    for part in chosen {
        if screen == Screen::Progress {
            eprintln!("measuring {}", part.names.join(" and "));
        }
        let mut measured = (part.measure)()?;
        measured.retain(|figure| is_chosen(&figure.name, &arguments.prefixes));
        if !arguments.json.json {
            measured.iter().for_each(|figure| println!("{}", figure.line()));
        }
        figures.append(&mut measured);
    }
    if arguments.json.json {
        return print_json(&figures);
    }
    Ok(Done::Fine)
}

fn wait<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
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
