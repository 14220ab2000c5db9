use std::collections::BTreeMap;

use super::jar::Jars;
use super::schema::Definition;
use super::{field, structs};

/// The APIs wanted; each has a request and a response.
pub(crate) const APIS: &[&str] = &[
    "Produce",
    "Fetch",
    "ListOffsets",
    "Metadata",
    "OffsetCommit",
    "OffsetFetch",
    "FindCoordinator",
    "JoinGroup",
    "Heartbeat",
    "LeaveGroup",
    "SyncGroup",
    "DescribeGroups",
    "ListGroups",
    "ApiVersions",
    "CreateTopics",
    "DeleteTopics",
    "InitProducerId",
    "DescribeConfigs",
    "CreatePartitions",
    "DeleteGroups",
    "OffsetDelete",
    "DescribeCluster",
    "ConsumerGroupHeartbeat",
    "ConsumerGroupDescribe",
];

/// Definitions outside of requests and responses, by the module they go to.
const DATA: &[(&str, &[&str])] = &[
    ("consumer_protocol", &["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"]),
    ("group_metadata", &["GroupMetadataKey", "GroupMetadataValue"]),
    ("offset_commit_record", &["OffsetCommitKey", "OffsetCommitValue"]),
    (
        "consumer_group_record",
        &[
            "ConsumerGroupMetadataKey",
            "ConsumerGroupMetadataValue",
            "ConsumerGroupMemberMetadataKey",
            "ConsumerGroupMemberMetadataValue",
            "ConsumerGroupTargetAssignmentMetadataKey",
            "ConsumerGroupTargetAssignmentMetadataValue",
            "ConsumerGroupTargetAssignmentMemberKey",
            "ConsumerGroupTargetAssignmentMemberValue",
            "ConsumerGroupCurrentMemberAssignmentKey",
            "ConsumerGroupCurrentMemberAssignmentValue",
        ],
    ),
];

/// A module of generated code.
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) definitions: Vec<Definition>,
}

/// Every definition wanted, with struct names that differ from each other.
pub(crate) fn modules(jars: &mut Jars) -> Result<Vec<Module>, String> {
    let mut modules = vec![];
    for api in APIS {
        let request = jars.definition(&format!("{api}Request"))?;
        let mut response = jars.definition(&format!("{api}Response"))?;
        response.restrict(request.versions);
        modules.push(Module { name: field::snake(api), definitions: vec![request, response] });
    }
    for (name, wanted) in DATA {
        let definitions = wanted.iter().map(|name| jars.definition(name)).collect::<Result<_, _>>()?;
        modules.push(Module { name: (*name).to_owned(), definitions });
    }
    tell_apart(&mut modules);
    Ok(modules)
}

impl Module {
    /// The module's source.
    pub(crate) fn source(&self) -> String {
        let body = self.definitions.iter().map(structs::definition).collect::<Vec<_>>().join("\n");
        let used = |names: &[&str]| -> Vec<String> {
            names.iter().filter(|name| structs::mentions(&body, name)).map(|name| (*name).to_owned()).collect()
        };
        let ours =
            used(&["ApiKey", "Data", "Form", "Item", "Message", "Reader", "Records", "Request", "WireError", "Writer"]);
        let mut out = format!("{}\nuse std::ops::RangeInclusive;\n\n", super::run::NOTICE);
        if structs::mentions(&body, "Bytes") {
            out += "use bytes::Bytes;\n";
        }
        if structs::mentions(&body, "TopicId") {
            out += "use groma_model::TopicId;\n";
        }
        out + &format!("\nuse crate::{{{}}};\n\n{body}", ours.join(", "))
    }
}

/// Kafka nests structs in their message, so that two messages may use one name; here the message's name goes in front.
fn tell_apart(modules: &mut [Module]) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for item in modules.iter().flat_map(|module| &module.definitions).flat_map(|definition| &definition.structs) {
        *uses.entry(item.name.clone()).or_default() += 1;
    }
    for definition in modules.iter_mut().flat_map(|module| &mut module.definitions) {
        for (name, _) in uses.iter().filter(|(_, count)| **count > 1) {
            definition.rename(name, &format!("{}{name}", definition.name));
        }
    }
}
