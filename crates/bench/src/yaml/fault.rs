use std::fmt;

use groma_model::nearest;
use serde::de;
use serde_saphyr::Error;

use super::tree::{Node, Value};

/// What a key takes.
#[derive(Clone, Debug)]
pub(crate) struct Hint {
    /// Goes on after "give".
    pub(crate) wanted: String,
    /// The key with a value that would do.
    pub(crate) example: &'static str,
}

/// What is wrong with a value that could be read.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    /// Where, such as `limits.cpu` or `sut[1].rate`.
    pub(super) place: String,
    what: What,
}

/// Something that does not fit, and where.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Keys and indexes from the inside out.
    path: Vec<Step>,
    line: Option<usize>,
    /// What is there, for people.
    given: Option<String>,
    what: What,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String),
    Index,
}

#[derive(Clone, Debug)]
enum What {
    /// There is no such key.
    Unknown { key: String, known: &'static [&'static str] },
    /// A key that is needed is not there.
    Missing { key: &'static str },
    /// The value is not what the key takes.
    Unfit,
    /// A sentence of its own.
    Said(String),
}

impl Wrong {
    /// The value is not what the key takes.
    pub(crate) fn unfit(place: impl Into<String>) -> Self {
        Self { place: place.into(), what: What::Unfit }
    }

    /// The value is wrong for a reason of its own, which names the mend.
    pub(crate) fn because(place: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { place: place.into(), what: What::Said(sentence.into()) }
    }

    pub(super) fn fault(self, found: Option<&Node>, line: Option<usize>) -> Fault {
        let steps = self.place.split(['.', '[']).rev();
        let step = |step: &str| if step.ends_with(']') { Step::Index } else { Step::Key(step.to_owned()) };
        Fault { path: steps.map(step).collect(), line, given: found.map(given), what: self.what }
    }
}

impl Fault {
    const fn new(what: What) -> Self {
        Self { path: Vec::new(), line: None, given: None, what }
    }

    /// A value that is not what its key takes.
    pub(super) const fn unfit() -> Self {
        Self::new(What::Unfit)
    }

    /// The fault lies at or in `node`.
    pub(super) fn at(mut self, node: &Node) -> Self {
        self.line = self.line.or(Some(node.line));
        self.given.get_or_insert_with(|| given(node));
        self
    }

    /// The fault lies on this line.
    pub(super) fn on(mut self, line: usize) -> Self {
        self.line = self.line.or(Some(line));
        self
    }

    /// The fault lies in the part behind `step`.
    pub(super) fn under(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    /// One sentence.
    pub(super) fn sentence(&self, hint: impl Fn(&str) -> Option<Hint>) -> String {
        let place = self.place();
        let line = self.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        match &self.what {
            What::Unknown { key, known } => {
                let inside = if place.is_empty() { String::new() } else { format!(" in `{place}`") };
                let mend = match nearest(key, known.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("leave it out, or use one of {}", known.join(", ")),
                };
                format!("{line}`{key}`{inside} is unknown; {mend}")
            }
            What::Missing { key } => {
                let place = if place.is_empty() { (*key).to_owned() } else { format!("{place}.{key}") };
                format!("{line}`{place}` is missing; give {}", wanted(hint(&place)))
            }
            What::Unfit => {
                let has = if matches!(self.path.first(), Some(Step::Index)) { "has" } else { "is" };
                let given = self.given.as_deref().unwrap_or("nothing");
                let whole = if place.is_empty() { "the file".to_owned() } else { format!("`{place}`") };
                format!("{line}{whole} {has} {given}; give {}", wanted(hint(&place)))
            }
            What::Said(sentence) => format!("{line}`{place}`: {sentence}"),
        }
    }

    fn place(&self) -> String {
        let keys = self.path.iter().rev().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index => None,
        });
        keys.collect::<Vec<_>>().join(".")
    }
}

fn wanted(hint: Option<Hint>) -> String {
    hint.map_or_else(
        || "keys with values, one a line".to_owned(),
        |Hint { wanted, example }| format!("{wanted}, such as `{example}`"),
    )
}

fn given(node: &Node) -> String {
    match &node.value {
        Value::Null => "nothing".to_owned(),
        Value::Scalar { text, .. } if text.chars().count() > QUOTED => {
            format!("`{}...`", text.chars().take(QUOTED).collect::<String>())
        }
        Value::Scalar { text, .. } => format!("`{text}`"),
        Value::List(items) if items.is_empty() => "an empty list".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Map(_) => "keys with values".to_owned(),
    }
}

/// What is no YAML, with its line.
pub(super) fn syntax(error: &Error, text: &str) -> String {
    let line = error.location().and_then(|location| usize::try_from(location.line()).ok()).unwrap_or(0);
    let written = line.checked_sub(1).and_then(|index| text.lines().nth(index)).map(str::trim).unwrap_or_default();
    let at = if line > 0 { format!("line {line}: ") } else { String::new() };
    let quoted = if written.is_empty() || written.chars().count() > QUOTED {
        "the text here".to_owned()
    } else {
        format!("`{written}`")
    };
    let error = error.without_snippet();
    match error {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("a key");
            return format!("{at}`{key}` is given a second time; keep one of the two");
        }
        Error::MultipleDocuments { .. } => {
            return format!("{at}a second document begins; leave one of the two");
        }
        _ => {}
    }
    if let Some(index) = text.lines().position(|line| line.starts_with('\t')) {
        return format!("line {}: a tab indents it; YAML takes spaces only", index + 1);
    }
    let cause = error.to_string();
    let cause = cause.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let cause = cause.split(" at line ").next().unwrap_or_default();
    format!("{at}{quoted} is no YAML ({cause}); check brackets, quotes, colons and indentation")
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(|_| None))
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::new(What::Unfit)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(What::Unknown { key: field.to_owned(), known: expected })
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(What::Missing { key: field })
    }
}

/// Letters of a value that are said again.
const QUOTED: usize = 60;
