//! The committed JSON Schema of benchmark files is the one the types give.

use std::path::Path;

#[test]
fn the_committed_schema_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/schema.json");
    let generated = groma_bench::definition::schema();
    if std::env::var_os("GROMA_UPDATE").is_some() {
        std::fs::write(&path, &generated).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, generated, "run this test once with GROMA_UPDATE=1 and commit benchmarks/schema.json");
}
