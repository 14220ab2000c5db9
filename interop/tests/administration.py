"""Topics, settings, offsets and groups as administrators' clients see them, and limits as producers meet them."""

import concurrent.futures

from lib import brokers, topics, waiting
from lib.registry import test
from tests.records import TIME_MS, deliver, read_all


def error_code(future):
    """The code with which a request was refused, or None."""
    from confluent_kafka import KafkaException

    try:
        future.result(waiting.left())
    except KafkaException as refusal:
        return refusal.args[0].name()
    except concurrent.futures.TimeoutError:
        return "no answer in time"
    return None


@test(needs=("python",))
def topics_are_made_described_and_deleted():
    from confluent_kafka.admin import ConfigResource, NewTopic

    at = brokers.shared()
    admin = topics.admin(at)
    topic = topics.create(at, "admin", 3, **{"retention.ms": "12345000"})
    again = admin.create_topics([NewTopic(topic, 3, 1)])[topic]
    waiting.equal(error_code(again), "TOPIC_ALREADY_EXISTS", "creating a topic twice")
    bad = admin.create_topics([NewTopic("not a name!", 1, 1)])["not a name!"]
    waiting.equal(error_code(bad), "TOPIC_EXCEPTION", "creating a topic of an unlawful name")
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    entries = admin.describe_configs([resource])[resource].result(waiting.left())
    waiting.equal(entries["retention.ms"].value, "12345000", "retention.ms")
    waiting.equal(entries["cleanup.policy"].value, "delete", "cleanup.policy")
    admin.delete_topics([topic])[topic].result(waiting.left())
    waiting.until(lambda: topic not in admin.list_topics(timeout=waiting.left()).topics, lambda: f"{topic} to be gone")
    gone = admin.delete_topics([topic])[topic]
    waiting.equal(error_code(gone), "UNKNOWN_TOPIC_OR_PART", "deleting a topic twice")


@test(needs=("python",))
def a_dry_run_makes_no_topic():
    from confluent_kafka.admin import NewTopic

    admin = topics.admin(brokers.shared())
    topic = topics.name("dry")
    waiting.equal(error_code(admin.create_topics([NewTopic(topic, 3, 1)], validate_only=True)[topic]), None, "dry run")
    waiting.equal(topic in admin.list_topics(timeout=waiting.left()).topics, False, "the topic is there")


@test(needs=("python",))
def the_cluster_describes_itself():
    admin = topics.admin(brokers.shared())
    cluster = admin.describe_cluster().result(waiting.left())
    waiting.equal(len(cluster.nodes), 1, "nodes")
    waiting.equal(f"{cluster.nodes[0].host}:{cluster.nodes[0].port}", brokers.shared(), "address of the node")
    waiting.equal(cluster.controller is not None, True, "there is a controller")


@test(needs=("python",))
def producing_makes_an_unknown_topic():
    import confluent_kafka

    at = brokers.shared()
    topic = topics.name("made-on-demand")
    producer = confluent_kafka.Producer({"bootstrap.servers": at}, logger=None)
    deliver(producer, topic, [(b"k", b"v", [], TIME_MS)])
    waiting.equal([m.value() for m in read_all(at, topic, 1, 1)], [b"v"], "values")


@test(needs=("python",))
def offsets_are_found_by_time():
    import confluent_kafka
    from confluent_kafka import TopicPartition
    from confluent_kafka.admin import OffsetSpec

    at = brokers.shared()
    topic = topics.create(at, "times", 1, **{"retention.ms": "-1"})
    producer = confluent_kafka.Producer({"bootstrap.servers": at, "linger.ms": 0}, logger=None)
    for number in range(10):
        deliver(producer, topic, [(None, str(number * 100 + each).encode(), [], TIME_MS + number * 1000 + each) for each in range(50)])
    admin = topics.admin(at)
    expected = {
        OffsetSpec.earliest(): 0,
        OffsetSpec.latest(): 500,
        OffsetSpec.for_timestamp(TIME_MS): 0,
        OffsetSpec.for_timestamp(TIME_MS + 3000): 150,
        OffsetSpec.for_timestamp(TIME_MS + 3017): 167,
        OffsetSpec.for_timestamp(TIME_MS + 3500): 200,
        OffsetSpec.max_timestamp(): 499,
        OffsetSpec.for_timestamp(TIME_MS + 10_000_000): -1,
    }
    for spec, offset in expected.items():
        partition = TopicPartition(topic, 0)
        found = admin.list_offsets({partition: spec})[partition].result(waiting.left())
        waiting.equal(found.offset, offset, f"offset at {spec}")


@test(needs=("python",))
def committed_offsets_are_kept_and_moved():
    import confluent_kafka
    from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition

    at = brokers.shared()
    topic = topics.create(at, "commits", 2)
    group = topics.name("group")
    consumer = confluent_kafka.Consumer({"bootstrap.servers": at, "group.id": group}, logger=None)
    offsets = [TopicPartition(topic, 0, 7, metadata="note"), TopicPartition(topic, 1, 9)]
    consumer.commit(offsets=offsets, asynchronous=False)
    found = consumer.committed([TopicPartition(topic, 0), TopicPartition(topic, 1)], timeout=waiting.left())
    waiting.equal([(p.offset, p.metadata) for p in found], [(7, "note"), (9, None)], "committed offsets")
    consumer.close()
    admin = topics.admin(at)
    moved = ConsumerGroupTopicPartitions(group, [TopicPartition(topic, 0, 3)])
    admin.alter_consumer_group_offsets([moved])[group].result(waiting.left())
    listed = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)])[group].result(waiting.left())
    waiting.equal({p.partition: p.offset for p in listed.topic_partitions}, {0: 3, 1: 9}, "offsets after the move")
    groups = {g.group_id: g.state.name for g in admin.list_consumer_groups().result(waiting.left()).valid}
    waiting.equal(groups.get(group), "EMPTY", "state of the group")
    admin.delete_consumer_groups([group])[group].result(waiting.left())
    groups = [g.group_id for g in admin.list_consumer_groups().result(waiting.left()).valid]
    waiting.equal(group in groups, False, "the group is there after it was deleted")


@test(needs=("python",))
def a_record_over_the_limit_is_refused():
    import confluent_kafka

    at = brokers.shared()
    topic = topics.create(at, "limits", 1)
    producer = confluent_kafka.Producer({"bootstrap.servers": at, "message.max.bytes": 8_000_000}, logger=None)
    refused = []
    producer.produce(topic, b"x" * 3_000_000, on_delivery=lambda error, _: refused.append(error and error.name()))
    producer.flush(waiting.left())
    waiting.equal(refused, ["MSG_SIZE_TOO_LARGE"], "answer to a record of 3 MB")
    deliver(producer, topic, [(b"k", b"still served", [], TIME_MS)])


@test(needs=("python",))
def an_offset_out_of_range_is_reset_by_policy():
    import confluent_kafka

    at = brokers.shared()
    topic = topics.create(at, "range", 1)
    producer = confluent_kafka.Producer({"bootstrap.servers": at}, logger=None)
    deliver(producer, topic, [(None, str(number).encode(), [], TIME_MS) for number in range(10)])
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": at, "group.id": topics.name("group"), "auto.offset.reset": "earliest"}, logger=None
    )
    consumer.assign([confluent_kafka.TopicPartition(topic, 0, 1000)])
    found = []
    waiting.until(lambda: found.extend(consumer.consume(100, 0.2)) or len(found) >= 10, lambda: f"10 records: {found}")
    waiting.equal([int(message.value()) for message in found], list(range(10)), "values from the start")
    consumer.close()
