use bytes::Bytes;

use super::{Definition, Field, Random};

/// Valid bytes of a message, made up from its schema without the code under test.
///
/// They are canonical: written again, a correct reader and writer give the same bytes.
pub(crate) struct MadeUp<'a> {
    definition: &'a Definition,
    version: i16,
    compact: bool,
    random: Random,
    out: Vec<u8>,
}

/// Whether a value may be the default: a tagged field with its default is not canonical.
#[derive(Clone, Copy, PartialEq)]
enum Default {
    Allowed,
    Avoided,
}

impl<'a> MadeUp<'a> {
    pub(crate) fn new(definition: &'a Definition, version: i16, seed: u64) -> Self {
        let compact = definition.flexible.contains(&version);
        let random = Random::new(seed ^ ((version as u64) << 32) ^ (definition.name.len() as u64) << 48);
        Self { definition, version, compact, random, out: vec![] }
    }

    pub(crate) fn bytes(&mut self) -> Bytes {
        let definition = self.definition;
        self.structure(&definition.fields, Default::Allowed);
        Bytes::from(std::mem::take(&mut self.out))
    }

    fn structure(&mut self, fields: &[Field], default: Default) {
        let present: Vec<&Field> = fields.iter().filter(|field| field.versions.contains(&self.version)).collect();
        for field in present.iter().filter(|field| field.tag.is_none()) {
            self.field(field, default);
        }
        if !self.compact {
            return;
        }
        let mut tagged: Vec<&Field> = present.into_iter().filter(|field| field.tag.is_some()).collect();
        tagged.sort_by_key(|field| field.tag);
        tagged.retain(|_| self.random.once(2));
        self.uvarint(tagged.len() as u32);
        for field in tagged {
            self.tagged(field);
        }
    }

    fn tagged(&mut self, field: &Field) {
        self.uvarint(field.tag.expect("it is tagged"));
        let before = std::mem::take(&mut self.out);
        self.field(field, Default::Avoided);
        let content = std::mem::replace(&mut self.out, before);
        self.uvarint(content.len() as u32);
        self.out.extend(content);
    }

    fn field(&mut self, field: &Field, default: Default) {
        let nullable = field.nullable.contains(&self.version) || field.kind == "records";
        if nullable && default == Default::Allowed && self.random.once(3) {
            return self.null(field);
        }
        if !field.is_array {
            if nullable && !field.fields.is_empty() {
                self.out.push(1);
            }
            return self.value(field, default);
        }
        let count = self.random.below(4) + usize::from(default == Default::Avoided);
        self.length(count, 4);
        for _ in 0..count {
            self.value(field, Default::Allowed);
        }
    }

    fn value(&mut self, field: &Field, default: Default) {
        let random = self.random.next();
        match field.kind.as_str() {
            "bool" => self.out.push(u8::from(default == Default::Avoided || random & 1 == 1)),
            "int8" => self.number(i64::from(random as i8), 1, default),
            "int16" => self.number(i64::from(random as i16), 2, default),
            "int32" => self.number(i64::from(random as i32), 4, default),
            "int64" => self.number(random as i64, 8, default),
            "uuid" => {
                let id = self.random.bytes(16);
                self.out.extend(id);
            }
            "string" => self.string(default),
            "bytes" => self.blob(None),
            "records" => self.blob(Some(4090)),
            _ => self.structure(&field.fields, default),
        }
    }

    /// One value in four is at an edge of its type.
    fn number(&mut self, value: i64, width: usize, default: Default) {
        let value = match self.random.below(16) {
            _ if default == Default::Avoided => value & 0x2a | 2,
            0 => 0,
            1 => -1,
            2 => i64::MAX >> (64 - 8 * width),
            3 => i64::MIN >> (64 - 8 * width),
            _ => value,
        };
        self.out.extend(&value.to_be_bytes()[8 - width..]);
    }

    fn string(&mut self, default: Default) {
        let letters = ['a', 'Z', '0', '-', '.', '\0', 'é', '漢', '🜚'];
        let length = self.random.below(6) + usize::from(default == Default::Avoided);
        let length = if self.random.once(40) { 200 } else { length };
        let text: String = (0..length).map(|_| letters[self.random.below(letters.len())]).collect();
        self.length(text.len(), 2);
        self.out.extend(text.as_bytes());
    }

    /// Few bytes, or one time in four about as many as `large`.
    fn blob(&mut self, large: Option<usize>) {
        let length = match large {
            Some(large) if self.random.once(4) => large + self.random.below(12),
            _ => self.random.below(40),
        };
        self.length(length, 4);
        let bytes = self.random.bytes(length);
        self.out.extend(bytes);
    }

    fn null(&mut self, field: &Field) {
        if !field.is_array && !field.fields.is_empty() {
            return self.out.push(0xff);
        }
        match (self.compact, field.kind == "string" && !field.is_array) {
            (true, _) => self.out.push(0),
            (false, true) => self.out.extend([0xff; 2]),
            (false, false) => self.out.extend([0xff; 4]),
        }
    }

    fn length(&mut self, length: usize, width: usize) {
        match self.compact {
            true => self.uvarint(length as u32 + 1),
            false => self.out.extend(&(length as u64).to_be_bytes()[8 - width..]),
        }
    }

    fn uvarint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.out.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }
}
