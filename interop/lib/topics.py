"""Topics and groups of the tests."""

import uuid

from lib import waiting


def name(stem):
    """A name no other test uses."""
    return f"{stem}-{uuid.uuid4().hex[:8]}"


def admin(bootstrap):
    from confluent_kafka.admin import AdminClient  # only where it is installed

    return AdminClient({"bootstrap.servers": bootstrap}, logger=None)


def create(bootstrap, stem, partitions, **config):
    """Creates a topic and waits until each partition has a leader."""
    from confluent_kafka.admin import NewTopic

    topic = name(stem)
    client = admin(bootstrap)
    for done in client.create_topics([NewTopic(topic, partitions, 1, config=config)]).values():
        done.result()

    def ready():
        found = client.list_topics(topic, timeout=waiting.left()).topics[topic]
        return len(found.partitions) == partitions and all(p.leader >= 0 for p in found.partitions.values())

    waiting.until(ready, lambda: f"topic {topic} to have {partitions} partitions with leaders")
    return topic
