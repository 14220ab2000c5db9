use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::NonFiniteFloatPolicy;

use super::fault::{Hint, Wrong, syntax};
use super::reader::Reader;

/// A YAML document with the line of each of its parts.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: Node,
}

/// A part of a document.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Counted from 1.
    pub(super) line: usize,
    /// First byte in the text, and how many.
    span: (usize, usize),
    pub(super) value: Value,
}

/// What a part is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Scalar { kind: Scalar, text: String },
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key of a map and what it holds.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    /// The key's.
    pub(super) line: usize,
    pub(super) node: Node,
}

/// What a scalar was understood as; its text is kept beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text,
}

impl Tree {
    /// Reads `text`; `hint` says what each key takes.
    ///
    /// # Errors
    /// One sentence with the line of what is no YAML.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let options = serde_saphyr::options! { non_finite_float_policy: NonFiniteFloatPolicy::PassThrough };
        let read = serde_saphyr::from_str_with_options(text, options);
        let mut root: Node = read.map_err(|error| syntax(&error, text))?;
        root.keep_spelling(text);
        Ok(Self { root })
    }

    /// The settings that the document gives.
    ///
    /// # Errors
    /// One sentence for the first key or value that does not fit.
    pub(crate) fn read<T: DeserializeOwned>(&self, hint: fn(&str) -> Option<Hint>) -> Result<T, String> {
        T::deserialize(Reader::of(&self.root)).map_err(|fault| fault.sentence(hint))
    }

    /// What is wrong with a value that was read, with its line where the document gives it.
    pub(crate) fn sentence(&self, wrong: Wrong, hint: fn(&str) -> Option<Hint>) -> String {
        let (found, line) = self.find(&wrong.place);
        wrong.fault(found, line).sentence(hint)
    }

    /// The part at `place`, such as `sut[1].rate`, and the line of it or of the last part before it that is there.
    fn find(&self, place: &str) -> (Option<&Node>, Option<usize>) {
        let (mut node, mut line, mut rest) = (&self.root, None, place);
        while !rest.is_empty() {
            match node.step(rest) {
                Some((next, at, left)) => (node, line, rest) = (next, Some(at), left),
                None => return (None, line),
            }
        }
        (Some(node), line)
    }
}

impl Node {
    /// The part that `place` begins with, its line, and what is left of `place`. Keys may hold dots themselves.
    fn step<'p>(&self, place: &'p str) -> Option<(&Self, usize, &'p str)> {
        match &self.value {
            Value::Map(entries) => entries.iter().find_map(|entry| {
                let rest = place.strip_prefix(entry.key.as_str())?;
                let rest = if rest.starts_with('[') { Some(rest) } else { after_dot(rest) };
                Some((&entry.node, entry.line, rest?))
            }),
            Value::List(items) => {
                let (index, rest) = place.strip_prefix('[')?.split_once(']')?;
                let item = items.get(index.parse::<usize>().ok()?)?;
                Some((item, item.line, after_dot(rest)?))
            }
            Value::Null | Value::Scalar { .. } => None,
        }
    }

    /// Numbers keep the digits that were written: a version `1.10` is not `1.1`.
    fn keep_spelling(&mut self, whole: &str) {
        match &mut self.value {
            Value::Null => {}
            Value::Scalar { kind: Scalar::Text, .. } => {}
            Value::Scalar { text, .. } => {
                let written = whole.get(self.span.0..self.span.0.saturating_add(self.span.1)).map(str::trim);
                if let Some(written) = written.filter(|written| !written.is_empty() && !written.contains('\n')) {
                    written.clone_into(text);
                }
            }
            Value::List(items) => items.iter_mut().for_each(|item| item.keep_spelling(whole)),
            Value::Map(entries) => entries.iter_mut().for_each(|entry| entry.node.keep_spelling(whole)),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value, defined, .. } = Spanned::<Value>::deserialize(deserializer)?;
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let span = defined.span();
        let span = (span.byte_offset().map_or(usize::MAX, size), span.byte_len().map_or(0, size));
        Ok(Self { line: size(defined.line()), span, value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(scalar(Scalar::Bool(value), value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(scalar(Scalar::Unsigned(value), value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Ok(scalar(Scalar::Signed(value), value)),
        }
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(scalar(Scalar::Float(value), value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(scalar(Scalar::Text, text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some((key, node)) = entries.next_entry::<Spanned<String>, Node>()? {
            let line = usize::try_from(key.defined.line()).unwrap_or(usize::MAX);
            map.push(Entry { key: key.value, line, node });
        }
        Ok(Value::Map(map))
    }
}

fn after_dot(rest: &str) -> Option<&str> {
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

fn scalar(kind: Scalar, text: impl ToString) -> Value {
    Value::Scalar { kind, text: text.to_string() }
}
