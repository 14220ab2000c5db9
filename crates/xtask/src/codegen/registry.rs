use super::catalog::Module;
use super::schema::{Definition, Kind};
use super::span::Span;

/// The list of every message, for tests that go through all of them.
pub(crate) fn registry(modules: &[Module]) -> String {
    let lines: String = definitions(modules)
        .map(|definition| match definition.kind {
            Kind::Data => format!("data::<{}>(),\n", definition.name),
            _ => format!("message::<{}>(),\n", definition.name),
        })
        .collect();
    format!(
        "{}
use groma_wire::messages::*;

use super::{{Entry, data, message}};

/// Every message and record known.
pub(crate) fn registry() -> Vec<Entry> {{
    vec![{lines}]
}}
",
        super::run::NOTICE
    )
}

/// The definitions as a compact table, from which tests make up valid bytes without the generated code.
///
/// One line a definition, `Name LOW-HIGH FLEXIBLE`, then one line a field, indented by its depth:
/// `Name type versions nullable tag`, with `-` for none.
pub(crate) fn table(modules: &[Module]) -> String {
    let mut out = String::from("# Written by `cargo xtask codegen`.\n");
    for definition in definitions(modules) {
        let Definition { name, versions, flexible, .. } = definition;
        out += &format!("{name} {} {}\n", span(*versions), span(flexible.and(*versions)));
        fields(definition, name, 1, &mut out);
    }
    out
}

fn fields(definition: &Definition, owner: &str, depth: usize, out: &mut String) {
    for field in definition.find(owner).into_iter().flat_map(|item| &item.fields) {
        let tag = field.tag.map_or_else(|| "-".to_owned(), |tag| tag.to_string());
        let indent = " ".repeat(depth);
        let (versions, nullable) = (span(field.versions), span(field.nullable));
        *out += &format!("{indent}{} {} {versions} {nullable} {tag}\n", field.name, field.kafka_type);
        if let Some(nested) = field.ty.nested() {
            fields(definition, nested, depth + 1, out);
        }
    }
}

fn definitions(modules: &[Module]) -> impl Iterator<Item = &Definition> {
    modules.iter().flat_map(|module| &module.definitions)
}

fn span(span: Span) -> String {
    if span.is_empty() { "-".to_owned() } else { format!("{}-{}", span.low, span.high) }
}
