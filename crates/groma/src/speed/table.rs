use super::{Figure, assign, engine, micro, records, startup};
use crate::args::Speed;
use crate::command::{on_this_thread, print_json};
use crate::exit::{Done, Failure, Outcome};
use groma_bench::{Interrupt, Screen};
use groma_usecases::UseCase;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The figures of a part; none when the process is asked to stop.
type Measured = Result<Option<Vec<Figure>>, Failure>;

/// What is measured in one go: the names of its figures, in order, and how.
struct Part {
    names: Vec<String>,
    measure: Box<dyn Fn(&Interrupt) -> Measured>,
}

impl Part {
    /// A part that needs processes of its own.
    fn new(names: &[&str], measure: impl Fn(&Interrupt) -> Measured + 'static) -> Self {
        Self { names: names.iter().copied().map(str::to_owned).collect(), measure: Box::new(measure) }
    }

    /// A part that needs nothing but a thread.
    fn computed(name: &str, measure: impl Fn() -> Result<Figure, Failure> + Send + Sync + 'static) -> Self {
        let measure = Arc::new(measure);
        Self::new(&[name], move |stop| {
            let measure = Arc::clone(&measure);
            compute(stop, move || measure())
        })
    }
}

/// Every part, in the order in which it is measured.
fn parts() -> Vec<Part> {
    let mut parts = vec![
        Part::computed("batch-read", || Ok(micro::batch_read())),
        Part::computed("batch-write", || Ok(micro::batch_write())),
        Part::computed("step-uc1", || micro::step("step-uc1", UseCase::Uc1)),
        Part::computed("step-uc2", || micro::step("step-uc2", UseCase::Uc2)),
    ];
    parts.extend(assign::parts().into_iter().map(|(name, measure)| Part::computed(&name, measure)));
    parts.extend([
        Part::new(&["broker-start", "broker-rss"], |stop| wait(stop, startup::broker())),
        Part::new(&["produce", "produce-broker-cpu"], |stop| wait(stop, records::produce())),
        Part::new(&["consume", "consume-broker-cpu"], |stop| wait(stop, records::consume())),
        Part::new(&["uc2"], |stop| wait(stop, async { Ok([engine::uc2().await?]) })),
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
    let interrupt = Interrupt::listen()?;
    let mut figures = Vec::with_capacity(chosen.len());
    for part in chosen {
        if screen == Screen::Progress {
            eprintln!("measuring {}", part.names.join(" and "));
        }
        let Some(mut measured) = (part.measure)(&interrupt)? else { return Ok(Done::Interrupted) };
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

/// Measures with processes, which end with what is dropped.
fn wait<const N: usize>(interrupt: &Interrupt, work: impl Future<Output = Result<[Figure; N], Failure>>) -> Measured {
    let measured = on_this_thread(interrupt.unless_asked(work))?;
    measured.map(|figures| figures.map(Vec::from)).transpose()
}

/// Measures on a thread of its own, which is left to itself when the process is asked to stop.
fn compute(interrupt: &Interrupt, work: impl FnOnce() -> Result<Figure, Failure> + Send + 'static) -> Measured {
    let (sender, measured) = oneshot::channel();
    std::thread::Builder::new().name("speed".to_owned()).spawn(move || drop(sender.send(work())))?;
    let measured = on_this_thread(interrupt.unless_asked(measured))?;
    measured.map(|measured| measured?.map(|figure| vec![figure])).transpose()
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
