use super::catalog::Module;
use super::schema::{Definition, Kind};

/// The table of APIs: keys, versions, names.
pub(crate) fn source(modules: &[Module]) -> String {
    let requests: Vec<&Definition> = modules
        .iter()
        .flat_map(|module| &module.definitions)
        .filter(|definition| definition.kind == Kind::Request)
        .collect();
    let lines = |line: &dyn Fn(&str, &Definition) -> String| -> String {
        requests.iter().map(|request| line(request.name.trim_end_matches("Request"), request)).collect()
    };
    let variants =
        lines(&|api, request| format!("/// Key {}, versions {}.\n{api},\n", request.key.unwrap_or(-1), range(request)));
    let all = lines(&|api, _| format!("Self::{api},"));
    let from = lines(&|api, request| format!("{} => Some(Self::{api}),\n", request.key.unwrap_or(-1)));
    let code = lines(&|api, request| format!("Self::{api} => {},\n", request.key.unwrap_or(-1)));
    let versions = lines(&|api, _| format!("Self::{api} => {api}Request::VERSIONS,\n"));
    let since = lines(&|api, _| format!("Self::{api} => {api}Request::FLEXIBLE_SINCE,\n"));
    let names = lines(&|api, _| format!("Self::{api} => \"{api}\",\n"));
    let imports = lines(&|api, _| format!("{api}Request,"));
    format!(
        "{notice}
use std::fmt;
use std::ops::RangeInclusive;

use super::{{{imports}}};
use crate::Message;

/// The APIs of Kafka's protocol that are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApiKey {{ {variants} }}

impl ApiKey {{
    /// Every API known, in rising order of keys.
    pub const ALL: &[Self] = &[{all}];

    /// The API of a key on the wire, if it is known.
    pub const fn from_i16(key: i16) -> Option<Self> {{
        match key {{ {from} _ => None }}
    }}

    /// The key on the wire.
    pub const fn code(self) -> i16 {{
        match self {{ {code} }}
    }}

    /// The versions known, which are those that Kafka 4.4 serves.
    pub const fn versions(self) -> RangeInclusive<i16> {{
        match self {{ {versions} }}
    }}

    /// The first flexible version (KIP-482), `i16::MAX` if there is none.
    pub const fn flexible_since(self) -> i16 {{
        match self {{ {since} }}
    }}

    /// Kafka's name of the API.
    pub const fn name(self) -> &'static str {{
        match self {{ {names} }}
    }}
}}

impl fmt::Display for ApiKey {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        f.write_str(self.name())
    }}
}}
",
        notice = super::run::NOTICE
    )
}

/// The root of the generated modules.
pub(crate) fn root(modules: &[Module]) -> String {
    let mut names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).chain(["api_key"]).collect();
    names.sort_unstable();
    let declare: String = names.iter().map(|name| format!("mod {name};\n")).collect();
    let export: String = names.iter().map(|name| format!("pub use {name}::*;\n")).collect();
    format!(
        "{}
//! Kafka's requests, responses and records, one module for each pair, all re-exported here.
//!
//! Structs and fields are named as in Kafka's definitions; a nested struct whose name occurs in several messages has its
//! message's name in front. `Default` gives the defaults of the definitions. A field that a version does not have reads
//! as its default; writing a version that cannot carry a field is an error unless Kafka marks the field as ignorable.

#![expect(clippy::struct_excessive_bools, reason = \"Kafka's definitions say which fields there are\")]

{declare}
{export}",
        super::run::NOTICE
    )
}

fn range(definition: &Definition) -> String {
    let (low, high) = (definition.versions.low, definition.versions.high);
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}
