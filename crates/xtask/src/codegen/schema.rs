use serde_json::Value;

use super::span::Span;

/// A definition: a request, a response, or another record.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) key: Option<i16>,
    pub(crate) kind: Kind,
    pub(crate) versions: Span,
    pub(crate) flexible: Span,
    /// The definition's own struct first, then those nested in it.
    pub(crate) structs: Vec<Struct>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Response,
    Data,
}

#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// The versions of the definition in which this struct occurs.
    pub(crate) versions: Span,
    pub(crate) fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kafka_type: String,
    pub(crate) ty: Type,
    pub(crate) versions: Span,
    pub(crate) nullable: Span,
    pub(crate) default: Option<String>,
    pub(crate) ignorable: bool,
    pub(crate) tag: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    /// An integer or float, by the name it has in Rust and in `Reader` and `Writer`.
    Number(&'static str, usize),
    Uuid,
    String,
    Bytes,
    Records,
    Array(Box<Self>),
    Struct(String),
}

impl Definition {
    /// Reads a definition in the JSON dialect of Kafka, which has line comments.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let plain: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let json: Value = serde_json::from_str(&plain).map_err(|error| error.to_string())?;
        let name = text_of(&json, "name")?;
        let mut versions = Span::parse(&text_of(&json, "validVersions")?)?;
        if json["latestVersionUnstable"] == true {
            versions.high -= 1;
        }
        let mut found = Self {
            kind: Kind::of(&json),
            key: key_of(&json),
            flexible: flexible_of(&json)?,
            versions,
            structs: vec![],
            name,
        };
        found.collect(&found.name.clone(), &json["fields"], versions)?;
        for common in json["commonStructs"].as_array().into_iter().flatten() {
            let within = Span::parse(&text_of(common, "versions")?)?.and(versions);
            found.collect(&text_of(common, "name")?, &common["fields"], within)?;
        }
        Ok(found)
    }

    /// Leaves only `versions`, for a response whose request has fewer.
    pub(crate) fn restrict(&mut self, versions: Span) {
        self.versions = self.versions.and(versions);
        for item in &mut self.structs {
            item.versions = item.versions.and(versions);
            item.fields.retain_mut(|field| {
                field.versions = field.versions.and(versions);
                !field.versions.is_empty()
            });
        }
    }

    /// Gives a nested struct another name.
    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        for item in &mut self.structs {
            if item.name == from {
                to.clone_into(&mut item.name);
            }
            item.fields.iter_mut().for_each(|field| field.ty.rename(from, to));
        }
    }

    /// The struct of a name; the schema of one definition is closed.
    pub(crate) fn find(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|item| item.name == name)
    }

    fn collect(&mut self, name: &str, fields: &Value, within: Span) -> Result<(), String> {
        let place = self.structs.len();
        self.structs.push(Struct { name: name.to_owned(), versions: within, fields: vec![] });
        for json in fields.as_array().into_iter().flatten() {
            let field = Field::parse(json, within)?;
            if field.versions.is_empty() {
                continue;
            }
            if let (Some(nested), false) = (field.ty.nested(), json["fields"].is_null()) {
                self.collect(nested, &json["fields"], field.versions)?;
            }
            self.structs[place].fields.push(field);
        }
        Ok(())
    }
}

impl Kind {
    fn of(json: &Value) -> Self {
        match json["type"].as_str() {
            Some("request") => Self::Request,
            Some("response") => Self::Response,
            _ => Self::Data,
        }
    }
}

impl Field {
    fn parse(json: &Value, within: Span) -> Result<Self, String> {
        let kafka_type = text_of(json, "type")?;
        let versions = Span::parse(&text_of(json, "versions")?)?.and(within);
        let field = Self {
            name: text_of(json, "name")?,
            ty: Type::parse(&kafka_type),
            kafka_type,
            versions,
            nullable: optional_span(json, "nullableVersions")?.and(versions),
            default: default_of(json),
            ignorable: json["ignorable"] == true,
            tag: json["tag"].as_u64().map(|tag| tag as u32),
        };
        if field.tag.is_some() && !optional_span(json, "taggedVersions")?.covers(versions) {
            return Err(format!("{} is tagged in some versions only, which is not supported", field.name));
        }
        Ok(field)
    }
}

impl Type {
    fn parse(text: &str) -> Self {
        match text {
            "bool" => Self::Bool,
            "int8" => Self::Number("i8", 1),
            "int16" => Self::Number("i16", 2),
            "uint16" => Self::Number("u16", 2),
            "int32" => Self::Number("i32", 4),
            "int64" => Self::Number("i64", 8),
            "float64" => Self::Number("f64", 8),
            "uuid" => Self::Uuid,
            "string" => Self::String,
            "bytes" => Self::Bytes,
            "records" => Self::Records,
            other => match other.strip_prefix("[]") {
                Some(item) => Self::Array(Box::new(Self::parse(item))),
                None => Self::Struct(other.to_owned()),
            },
        }
    }

    pub(crate) fn nested(&self) -> Option<&str> {
        match self {
            Self::Struct(name) => Some(name),
            Self::Array(item) => item.nested(),
            _ => None,
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        match self {
            Self::Struct(name) if name == from => to.clone_into(name),
            Self::Array(item) => item.rename(from, to),
            _ => {}
        }
    }
}

fn text_of(json: &Value, key: &str) -> Result<String, String> {
    json[key].as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is missing in {json}"))
}

fn key_of(json: &Value) -> Option<i16> {
    json["apiKey"].as_i64().and_then(|key| i16::try_from(key).ok())
}

fn flexible_of(json: &Value) -> Result<Span, String> {
    Span::parse(&text_of(json, "flexibleVersions")?)
}

fn optional_span(json: &Value, key: &str) -> Result<Span, String> {
    json[key].as_str().map_or(Ok(Span::NONE), Span::parse)
}

/// The default's text; a bare `null` is none, as to Kafka's own generator, whose null is the text "null".
fn default_of(json: &Value) -> Option<String> {
    match json.get("default")? {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_owned()),
        other => Some(other.to_string()),
    }
}
