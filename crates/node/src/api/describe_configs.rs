use groma_wire::ErrorCode;
use groma_wire::messages::{
    DescribeConfigsRequest, DescribeConfigsResource, DescribeConfigsResourceResult, DescribeConfigsResponse,
    DescribeConfigsResult, DescribeConfigsSynonym,
};

use crate::call::{Call, Refusal};
use crate::node::Node;
use crate::settings::{BROKER_KEYS, BrokerKey, Settings};
use crate::topic::{TOPIC_KEYS, Topic, TopicKey};

const TOPIC: i8 = 2;
const BROKER: i8 = 4;

/// Set for the topic.
pub(super) const TOPIC_SOURCE: i8 = 1;
/// Set at the broker's start.
const BROKER_SOURCE: i8 = 4;
/// Set by nobody.
pub(super) const DEFAULT_SOURCE: i8 = 5;

impl Node {
    pub(super) fn describe_configs(&mut self, call: Call, request: DescribeConfigsRequest) {
        let results = request.resources.iter().map(|resource| self.described_configs(resource, &request)).collect();
        self.answer(call, &DescribeConfigsResponse { results, ..Default::default() });
    }

    fn described_configs(
        &self,
        asked: &DescribeConfigsResource,
        request: &DescribeConfigsRequest,
    ) -> DescribeConfigsResult {
        let mut result = DescribeConfigsResult {
            resource_type: asked.resource_type,
            resource_name: asked.resource_name.clone(),
            ..Default::default()
        };
        match self.configs_of(asked) {
            Ok(configs) => result.configs = configs,
            Err(refusal) => {
                result.error_code = refusal.code.code();
                result.error_message = refusal.message;
            }
        }
        if let Some(keys) = &asked.configuration_keys {
            result.configs.retain(|config| keys.contains(&config.name));
        }
        if !request.include_synonyms {
            result.configs.iter_mut().for_each(|config| config.synonyms.clear());
        }
        result
    }

    fn configs_of(&self, asked: &DescribeConfigsResource) -> Result<Vec<DescribeConfigsResourceResult>, Refusal> {
        match asked.resource_type {
            TOPIC => {
                let topic = self.topics.named(&asked.resource_name).ok_or(ErrorCode::UnknownTopicOrPartition)?;
                Ok(TOPIC_KEYS.iter().map(|key| topic_config(&self.identity.settings, topic, key)).collect())
            }
            BROKER => {
                let id = self.identity.settings.broker_id;
                if !matches!(asked.resource_name.as_str(), "") && asked.resource_name != id.to_string() {
                    let message = format!("Unexpected broker id, expected {id}, but received {}", asked.resource_name);
                    return Err(Refusal::because(ErrorCode::InvalidRequest, message));
                }
                Ok(BROKER_KEYS.iter().map(|key| broker_config(&self.identity.settings, key)).collect())
            }
            other => {
                let message = format!("resource type {other} has no settings here; 2 (topic) and 4 (broker) have");
                Err(Refusal::because(ErrorCode::InvalidRequest, message))
            }
        }
    }
}

fn topic_config(settings: &Settings, topic: &Topic, key: &TopicKey) -> DescribeConfigsResourceResult {
    let mut synonyms = Vec::new();
    let given = topic.config.given().get(key.name);
    if let Some(value) = given {
        synonyms.push(synonym(key.name, value.clone(), TOPIC_SOURCE));
    }
    let inherited = key.synonym.and_then(|name| BROKER_KEYS.iter().find(|key| key.name == name));
    let by_broker = inherited.map(|key| (key, broker_source(settings, key)));
    if let Some((key, BROKER_SOURCE)) = by_broker {
        synonyms.push(synonym(key.name, (key.get)(settings), BROKER_SOURCE));
    }
    let default = key.synonym.unwrap_or(key.name);
    synonyms.push(synonym(default, (key.default)(&Settings::default()), DEFAULT_SOURCE));
    let config_source = match (given, by_broker) {
        (Some(_), _) => TOPIC_SOURCE,
        (None, Some((_, source))) => source,
        (None, None) => DEFAULT_SOURCE,
    };
    DescribeConfigsResourceResult {
        name: key.name.to_owned(),
        value: Some(given.cloned().unwrap_or_else(|| (key.default)(settings))),
        config_source,
        synonyms,
        config_type: key.kind.code(),
        ..Default::default()
    }
}

fn broker_config(settings: &Settings, key: &BrokerKey) -> DescribeConfigsResourceResult {
    let config_source = broker_source(settings, key);
    let mut synonyms = vec![synonym(key.name, (key.get)(&Settings::default()), DEFAULT_SOURCE)];
    if config_source == BROKER_SOURCE {
        synonyms.insert(0, synonym(key.name, (key.get)(settings), BROKER_SOURCE));
    }
    DescribeConfigsResourceResult {
        name: key.name.to_owned(),
        value: Some((key.get)(settings)),
        read_only: true,
        config_source,
        synonyms,
        config_type: key.kind.code(),
        ..Default::default()
    }
}

fn broker_source(settings: &Settings, key: &BrokerKey) -> i8 {
    if (key.get)(settings) == (key.get)(&Settings::default()) { DEFAULT_SOURCE } else { BROKER_SOURCE }
}

fn synonym(name: &str, value: String, source: i8) -> DescribeConfigsSynonym {
    DescribeConfigsSynonym { name: name.to_owned(), value: Some(value), source }
}
