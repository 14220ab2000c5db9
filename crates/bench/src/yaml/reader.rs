use serde::de::value::{StrDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::fault::{Fault, Step};
use super::tree::{Entry, Node, Scalar, Value};

/// Reads settings out of a part of a document; whatever does not fit is told with its place.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    node: &'t Node,
}

impl<'t> Reader<'t> {
    pub(super) const fn of(node: &'t Node) -> Self {
        Self { node }
    }

    fn text(self) -> Option<&'t str> {
        match &self.node.value {
            Value::Scalar { text, .. } => Some(text),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let read = match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Scalar { kind: Scalar::Bool(value), .. } => visitor.visit_bool(*value),
            Value::Scalar { kind: Scalar::Unsigned(value), .. } => visitor.visit_u64(*value),
            Value::Scalar { kind: Scalar::Signed(value), .. } => visitor.visit_i64(*value),
            Value::Scalar { kind: Scalar::Float(value), .. } => visitor.visit_f64(*value),
            Value::Scalar { kind: Scalar::Text, text } => visitor.visit_str(text),
            Value::List(items) => visitor.visit_seq(Items { rest: items.iter() }),
            Value::Map(entries) => visitor.visit_map(Entries { rest: entries.iter(), value: None }),
        };
        read.map_err(|fault: Fault| fault.at(self.node))
    }

    /// Names and words may look like numbers.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text() {
            Some(text) => visitor.visit_str(text).map_err(|fault: Fault| fault.at(self.node)),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let word: StrDeserializer<'_, Fault> = self.text().unwrap_or_default().into_deserializer();
        word.deserialize_enum(name, variants, visitor).map_err(|fault: Fault| fault.at(self.node))
    }

    /// Settings have names: serde would take them from a list by their order as well.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.node.value {
            Value::Map(_) => self.deserialize_any(visitor),
            _ => Err(Fault::unfit().at(self.node)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Items<'t> {
    rest: std::slice::Iter<'t, Node>,
}

impl<'t> SeqAccess<'t> for Items<'t> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(node) = self.rest.next() else { return Ok(None) };
        seed.deserialize(Reader { node }).map(Some).map_err(|fault| fault.at(node).under(Step::Index))
    }
}

struct Entries<'t> {
    rest: std::slice::Iter<'t, Entry>,
    value: Option<&'t Entry>,
}

impl<'t> MapAccess<'t> for Entries<'t> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some(entry) = self.rest.next() else { return Ok(None) };
        self.value = Some(entry);
        let key: StringDeserializer<Fault> = entry.key.clone().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|fault| fault.on(entry.line))
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some(Entry { key, node, .. }) = self.value.take() else { unreachable!("a key comes before its value") };
        seed.deserialize(Reader { node }).map_err(|fault| fault.at(node).under(Step::Key(key.clone())))
    }
}
