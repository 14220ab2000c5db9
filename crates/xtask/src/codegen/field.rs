use super::schema::{Definition, Field, Struct, Type};

/// One field of a struct as Rust.
pub(crate) struct Rust<'a> {
    definition: &'a Definition,
    owner: &'a Struct,
    field: &'a Field,
}

impl<'a> Rust<'a> {
    pub(crate) fn new(definition: &'a Definition, owner: &'a Struct, field: &'a Field) -> Self {
        Self { definition, owner, field }
    }

    /// The field's name, escaped where it is a keyword.
    pub(crate) fn name(&self) -> String {
        match snake(&self.field.name).as_str() {
            "type" => "r#type".to_owned(),
            name => name.to_owned(),
        }
    }

    pub(crate) fn doc(&self) -> String {
        let Field { kafka_type, versions, nullable, default, tag, .. } = self.field;
        let mut doc = format!("`{kafka_type}`, {}", versions.words(self.definition.versions));
        if let Some(tag) = tag {
            doc += &format!(", tag {tag}");
        }
        if !nullable.is_empty() && !nullable.covers(*versions) {
            doc += &format!(", null {}", nullable.words(self.definition.versions));
        }
        if let Some(default) = default.as_deref().filter(|text| !text.is_empty()) {
            doc += &format!(", default {default}");
        }
        doc + "."
    }

    pub(crate) fn type_name(&self) -> String {
        match (&self.field.ty, self.is_optional()) {
            (ty, false) => rust_type(ty),
            (ty, true) => format!("Option<{}>", rust_type(ty)),
        }
    }

    /// The default as an expression.
    pub(crate) fn default(&self) -> String {
        let text = self.field.default.as_deref().unwrap_or_default();
        match (&self.field.ty, self.is_optional()) {
            (Type::Records, _) => "None".to_owned(),
            (_, true) if text == "null" => "None".to_owned(),
            (ty, true) => format!("Some({})", plain_default(ty, "")),
            (ty, false) => plain_default(ty, text),
        }
    }

    /// Whether the default is what `Default` gives for the type.
    pub(crate) fn has_plain_default(&self) -> bool {
        let default = self.default();
        matches!(default.as_str(), "None" | "0" | "false" | "TopicId::NONE" | "Bytes::new()")
            || default.ends_with("::default()")
            || default == "String::new()"
            || default == "vec![]"
    }

    /// The fewest bytes the field takes in a version.
    pub(crate) fn size(&self, version: i16) -> usize {
        if self.field.tag.is_some() || !self.field.versions.contains(version) {
            return 0;
        }
        let compact = self.definition.flexible.contains(version);
        match &self.field.ty {
            Type::Bool => 1,
            Type::Number(_, size) => *size,
            Type::Uuid => 16,
            Type::Struct(_) if self.field.nullable.contains(version) => 1,
            Type::Struct(name) => self.definition.find(name).map_or(0, |item| size_of(self.definition, item, version)),
            _ if compact => 1,
            Type::String => 2,
            Type::Bytes | Type::Records | Type::Array(_) => 4,
        }
    }

    /// The expression that reads the field in its place: the default for tagged fields and versions without it.
    pub(crate) fn read(&self) -> String {
        if self.field.tag.is_some() {
            return self.default();
        }
        match self.field.versions.condition(self.owner.versions) {
            None => self.read_present(),
            Some(condition) => format!("if {condition} {{ {} }} else {{ {} }}", self.read_present(), self.default()),
        }
    }

    /// The match arm that reads a tagged field.
    pub(crate) fn read_tagged(&self, tag: u32) -> String {
        let guard = self.condition().map_or_else(String::new, |condition| format!(" if {condition}"));
        let read = self.read_present().replace("nullable_item", "nullable_tagged_item");
        format!("{tag}{guard} => value.{} = {read},", self.name())
    }

    /// The statement that writes the field in its place, or refuses what would be lost.
    pub(crate) fn write(&self) -> String {
        let absent = self.refuse_if_set();
        match (self.field.tag.is_some(), self.condition()) {
            (true, None) => String::new(),
            (true, Some(_)) => self.refuse_tagged(),
            (false, None) => self.write_present(),
            (false, Some(condition)) if absent.is_empty() => format!("if {condition} {{ {} }}", self.write_present()),
            (false, Some(condition)) => format!("if {condition} {{ {} }} else {absent}", self.write_present()),
        }
    }

    /// The statement that writes a tagged field unless it has its default.
    pub(crate) fn write_tagged(&self, tag: u32) -> String {
        let set = self.is_set();
        let guard = self.condition().map_or_else(|| set.clone(), |condition| format!("{condition} && {set}"));
        let body = self.write_present().replace("nullable_item", "nullable_tagged_item");
        let body = match body.strip_suffix("?;") {
            Some(fallible) => fallible.to_owned(),
            None => format!("{{ {body} Ok(()) }}"),
        };
        format!("if {guard} {{ tags.field({tag}, |w| {body})?; }}")
    }

    fn condition(&self) -> Option<String> {
        self.field.versions.condition(self.owner.versions)
    }

    fn is_optional(&self) -> bool {
        self.field.ty == Type::Records || !self.field.nullable.is_empty()
    }

    fn label(&self) -> String {
        format!("\"{}.{}\"", self.owner.name, snake(&self.field.name))
    }

    fn read_present(&self) -> String {
        let (plain, nullable) = match &self.field.ty {
            Type::Bool => ("r.bool()?".to_owned(), String::new()),
            Type::Number(name, _) => (format!("r.{name}()?"), String::new()),
            Type::Uuid => ("r.uuid()?".to_owned(), String::new()),
            Type::Records => return "r.records(form)?".to_owned(),
            Type::String => ("r.string(form)?".to_owned(), "r.nullable_string(form)?".to_owned()),
            Type::Bytes => ("r.bytes(form)?".to_owned(), "r.nullable_bytes(form)?".to_owned()),
            Type::Array(_) => ("r.array(form, version)?".to_owned(), "r.nullable_array(form, version)?".to_owned()),
            Type::Struct(_) => {
                ("Item::read(r, form, version)?".to_owned(), "r.nullable_item(form, version)?".to_owned())
            }
        };
        match self.nullable_condition() {
            Nullable::Never => plain,
            Nullable::Always => nullable,
            Nullable::When(condition) => format!("if {condition} {{ {nullable} }} else {{ Some({plain}) }}"),
        }
    }

    fn write_present(&self) -> String {
        let value = format!("self.{}", self.name());
        let (plain, nullable) = match &self.field.ty {
            Type::Bool => return format!("w.i8(i8::from({value}));"),
            Type::Number(name, _) => return format!("w.{name}({value});"),
            Type::Uuid => return format!("w.uuid({value});"),
            Type::Records => return format!("w.records(form, {value}.as_ref())?;"),
            Type::Struct(_) => return self.write_struct(&value),
            Type::String => ("w.string(form, ", "w.nullable_string(form, "),
            Type::Bytes => ("w.bytes(form, ", "w.nullable_bytes(form, "),
            Type::Array(_) => ("w.array(form, version, ", "w.nullable_array(form, version, "),
        };
        let required = format!("{plain}{value}.as_deref().ok_or(WireError::Missing {{ field: {} }})?)?;", self.label());
        let nullable = format!("{nullable}{value}.as_deref())?;");
        match self.nullable_condition() {
            Nullable::Never => format!("{plain}&{value})?;"),
            Nullable::Always => nullable,
            Nullable::When(condition) => format!("if {condition} {{ {nullable} }} else {{ {required} }}"),
        }
    }

    fn write_struct(&self, value: &str) -> String {
        let nullable = format!("w.nullable_item(form, version, {value}.as_ref())?;");
        match self.nullable_condition() {
            Nullable::Never => format!("{value}.write(w, form, version)?;"),
            Nullable::Always => nullable,
            Nullable::When(condition) => {
                let missing = format!("ok_or(WireError::Missing {{ field: {} }})?", self.label());
                let required = format!("{value}.as_ref().{missing}.write(w, form, version)?;");
                format!("if {condition} {{ {nullable} }} else {{ {required} }}")
            }
        }
    }

    fn nullable_condition(&self) -> Nullable {
        if self.field.nullable.is_empty() {
            return Nullable::Never;
        }
        self.field.nullable.condition(self.field.versions).map_or(Nullable::Always, Nullable::When)
    }

    fn refuse_if_set(&self) -> String {
        if self.field.ignorable {
            return String::new();
        }
        let set = self.is_set();
        format!("if {set} {{ return Err(WireError::Unsupported {{ field: {}, version }}); }}", self.label())
    }

    fn refuse_tagged(&self) -> String {
        match (self.field.ignorable, self.field.versions.absence(self.owner.versions)) {
            (false, Some(absence)) => self.refuse_if_set().replacen("if ", &format!("if {absence} && "), 1),
            _ => String::new(),
        }
    }

    /// The condition that the field has a value other than its default.
    fn is_set(&self) -> String {
        let (value, default) = (format!("self.{}", self.name()), self.default());
        match default.as_str() {
            "None" => format!("{value}.is_some()"),
            "false" => value,
            "true" => format!("!{value}"),
            "vec![]" | "String::new()" | "Bytes::new()" => format!("!{value}.is_empty()"),
            "Some(vec![])" | "Some(String::new())" | "Some(Bytes::new())" => {
                format!("{value}.as_ref().is_none_or(|value| !value.is_empty())")
            }
            _ => format!("{value} != {default}"),
        }
    }
}

enum Nullable {
    Never,
    Always,
    When(String),
}

/// The fewest bytes a struct takes in a version.
pub(crate) fn size_of(definition: &Definition, item: &Struct, version: i16) -> usize {
    let tags = usize::from(definition.flexible.contains(version));
    item.fields.iter().map(|field| Rust::new(definition, item, field).size(version)).sum::<usize>() + tags
}

/// `ProtocolType` and `protocolType` as `protocol_type`; runs of capitals are one word.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let after_small = index > 0 && !letters[index - 1].is_ascii_uppercase();
        let before_small = index > 0 && letters.get(index + 1).is_some_and(char::is_ascii_lowercase);
        if letter.is_ascii_uppercase() && (after_small || before_small) {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// The default of a type that cannot be null.
fn plain_default(ty: &Type, text: &str) -> String {
    match ty {
        Type::Bool if text == "true" => "true".to_owned(),
        Type::Bool => "false".to_owned(),
        Type::Number("f64", _) => "0.0".to_owned(),
        Type::Number(name, _) => number(name, text),
        Type::Uuid => "TopicId::NONE".to_owned(),
        Type::String if text.is_empty() => "String::new()".to_owned(),
        Type::String => format!("\"{text}\".to_owned()"),
        Type::Bytes | Type::Records => "Bytes::new()".to_owned(),
        Type::Array(_) => "vec![]".to_owned(),
        Type::Struct(name) => format!("{name}::default()"),
    }
}

fn number(name: &str, text: &str) -> String {
    match (name, text) {
        (_, "") => "0".to_owned(),
        ("i32", "0x7fffffff" | "2147483647") => "i32::MAX".to_owned(),
        ("i32", "-2147483648") => "i32::MIN".to_owned(),
        ("i64", "9223372036854775807") => "i64::MAX".to_owned(),
        _ => text.to_owned(),
    }
}

fn rust_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Number(name, _) => (*name).to_owned(),
        Type::Uuid => "TopicId".to_owned(),
        Type::String => "String".to_owned(),
        Type::Bytes => "Bytes".to_owned(),
        Type::Records => "Records".to_owned(),
        Type::Array(item) => format!("Vec<{}>", rust_type(item)),
        Type::Struct(name) => name.clone(),
    }
}
