//! Writes `crates/wire/src/messages` from the message definitions that Kafka ships as JSON inside its jars.
//!
//! ```text
//! mvn dependency:get -Dartifact=org.apache.kafka:kafka-clients:4.4.0
//! mvn dependency:get -Dartifact=org.apache.kafka:kafka-group-coordinator:4.4.0
//! cargo run -p xtask -- codegen            # write
//! cargo run -p xtask -- codegen --check    # compare, fails when the committed code differs
//! ```
//! The jars are looked for in Maven's local repository, or in the folder given by `--jars DIR`. Names, types and versions
//! of fields are taken as facts; the descriptions in the definitions are not copied. Nothing but the generated code is
//! kept: neither the jars nor the definitions.
//! A unit test runs the comparison whenever the jars are in the local repository, and says so when they are not.
//!
//! - [`jar`]: finds the jars and reads the definitions out of them.
//! - [`schema`]: a definition as typed values.
//! - [`span`]: ranges of versions.
//! - [`field`]: one field as Rust: type, default, reading, writing.
//! - [`structs`]: one struct as Rust.
//! - [`api`]: the table of APIs.
//! - [`catalog`]: which definitions are wanted, and the modules they go to.

mod api;
mod catalog;
mod field;
mod jar;
mod registry;
mod run;
mod schema;
mod span;
mod structs;

pub(crate) use run::run;
