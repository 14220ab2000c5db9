use super::field::{Rust, size_of};
use super::schema::{Definition, Kind, Struct};

/// The Rust of a whole definition: its structs, and the trait of the message.
pub(crate) fn definition(definition: &Definition) -> String {
    let structs = definition.structs.iter().map(|item| whole(definition, item));
    structs.chain([message(definition)]).collect::<Vec<_>>().join("\n")
}

fn whole(definition: &Definition, item: &Struct) -> String {
    let fields: Vec<Rust<'_>> = item.fields.iter().map(|field| Rust::new(definition, item, field)).collect();
    let by_hand = !fields.iter().all(Rust::has_plain_default);
    [
        declaration(definition, item, &fields),
        if by_hand { default(item, &fields) } else { String::new() },
        codec(definition, item),
    ]
    .join("\n")
}

fn declaration(definition: &Definition, item: &Struct, fields: &[Rust<'_>]) -> String {
    let derived = if fields.iter().all(Rust::has_plain_default) { ", Default" } else { "" };
    let mut out = format!("/// {}\n#[derive(Clone, Debug, PartialEq, Eq{derived})]\n", doc(definition, item));
    out += &format!("pub struct {} {{\n", item.name);
    for field in fields {
        out += &format!("/// {}\npub {}: {},\n", field.doc(), field.name(), field.type_name());
    }
    out + "}\n"
}

fn doc(definition: &Definition, item: &Struct) -> String {
    let Definition { name, versions, .. } = definition;
    if item.name != *name {
        return format!("A part of [`{name}`], {}.", item.versions.words(*versions));
    }
    let flexible = match definition.flexible.and(*versions) {
        none if none.is_empty() => "never flexible".to_owned(),
        some => format!(
            "flexible {}",
            if some.low == versions.low { "in all".to_owned() } else { format!("since {}", some.low) }
        ),
    };
    let range = if versions.low == versions.high {
        format!("version {}", versions.low)
    } else {
        format!("versions {} to {}", versions.low, versions.high)
    };
    format!("Kafka's `{name}`, {range}, {flexible}.")
}

fn default(item: &Struct, fields: &[Rust<'_>]) -> String {
    let values: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name(), field.default())).collect();
    format!("impl Default for {} {{\nfn default() -> Self {{\nSelf {{ {} }}\n}}\n}}\n", item.name, values.join(", "))
}

fn codec(definition: &Definition, item: &Struct) -> String {
    let size = item.versions.versions().map(|version| size_of(definition, item, version)).min().unwrap_or(0);
    let (read, write) = (read(definition, item), write(definition, item));
    let arguments = |body: &str| {
        let of = |name: &str| if mentions(body, name) { name.to_owned() } else { format!("_{name}") };
        format!("{}: Form, {}: i16", of("form"), of("version"))
    };
    format!(
        "impl Item for {} {{\nconst MIN_SIZE: usize = {size};\n\n\
         fn read(r: &mut Reader, {}) -> Result<Self, WireError> {{\n{read}\n}}\n\n\
         fn write(&self, w: &mut Writer, {}) -> Result<(), WireError> {{\n{write}\nOk(())\n}}\n}}\n",
        item.name,
        arguments(&read),
        arguments(&write)
    )
}

fn read(definition: &Definition, item: &Struct) -> String {
    let fields = item.fields.iter().map(|field| {
        let rust = Rust::new(definition, item, field);
        format!("{}: {}", rust.name(), rust.read())
    });
    let literal = format!("Self {{ {} }}", fields.collect::<Vec<_>>().join(", "));
    if definition.flexible.and(definition.versions).is_empty() {
        return format!("Ok({literal})");
    }
    let arms: Vec<String> = tagged(item).map(|(tag, index)| rust(definition, item, index).read_tagged(tag)).collect();
    if arms.is_empty() {
        return format!("let value = {literal};\nr.skip_tags(form)?;\nOk(value)");
    }
    format!(
        "let mut value = {literal};\nr.tags(form, |tag, r| {{ match tag {{ {} _ => return Ok(false), }} Ok(true) }})?;\n\
         Ok(value)",
        arms.join("\n")
    )
}

fn write(definition: &Definition, item: &Struct) -> String {
    let mut lines: Vec<String> = item.fields.iter().map(|field| Rust::new(definition, item, field).write()).collect();
    let tags: Vec<String> = tagged(item).map(|(tag, index)| rust(definition, item, index).write_tagged(tag)).collect();
    if !definition.flexible.and(definition.versions).is_empty() {
        lines.push(match tags.is_empty() {
            true => "w.no_tags(form);".to_owned(),
            false => format!("if form == Form::Compact {{\nlet mut tags = w.tags();\n{}\n}}", tags.join("\n")),
        });
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// The tagged fields by rising tag: tag and place.
fn tagged(item: &Struct) -> impl Iterator<Item = (u32, usize)> {
    let mut found: Vec<(u32, usize)> =
        item.fields.iter().enumerate().filter_map(|(index, field)| Some((field.tag?, index))).collect();
    found.sort_unstable();
    found.into_iter()
}

fn rust<'a>(definition: &'a Definition, item: &'a Struct, index: usize) -> Rust<'a> {
    Rust::new(definition, item, &item.fields[index])
}

fn message(definition: &Definition) -> String {
    let Definition { name, versions, .. } = definition;
    let api = name.trim_end_matches("Request").trim_end_matches("Response");
    let since = match definition.flexible.and(*versions) {
        none if none.is_empty() => "i16::MAX".to_owned(),
        _ => definition.flexible.low.to_string(),
    };
    let (kind, key) = match definition.kind {
        Kind::Data => ("Data", String::new()),
        _ => ("Message", format!("const KEY: ApiKey = ApiKey::{api};\n")),
    };
    let mut out = format!(
        "impl {kind} for {name} {{\nconst NAME: &'static str = \"{name}\";\n{key}\
         const VERSIONS: RangeInclusive<i16> = {}..={};\nconst FLEXIBLE_SINCE: i16 = {since};\n}}\n",
        versions.low, versions.high
    );
    if definition.kind == Kind::Request {
        out += &format!("\nimpl Request for {name} {{\ntype Response = {api}Response;\n}}\n");
    }
    out
}

/// Whether `name` occurs in `body` as a word.
pub(crate) fn mentions(body: &str, name: &str) -> bool {
    let part_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    body.match_indices(name)
        .any(|(at, _)| !body[..at].ends_with(part_of_word) && !body[at + name.len()..].starts_with(part_of_word))
}
