"""What a broker acknowledged outlives its death, and an idempotent producer repeats nothing over it."""

from lib import brokers, feed, topics, waiting
from lib.registry import test
from tests.records import read_all

PARTITIONS = 3


def deaths(die):
    """A producer sends on while the broker dies and comes back, twice: all is there, once and in order."""
    with brokers.own() as broker:
        topic = topics.create(broker.address, "numbers", PARTITIONS)
        feeding = feed.Feed(broker.address, topic, PARTITIONS, pause_s=0.0005)
        for _ in range(2):
            goal = feeding.count() + 1000
            waiting.until(lambda: feeding.count() >= goal, lambda: f"{goal} acknowledged, {feeding.count()} are")
            die(broker)
            broker.start()
        goal = feeding.count() + 1000
        waiting.until(lambda: feeding.count() >= goal, lambda: f"{goal} acknowledged, {feeding.count()} are")
        acknowledged = feeding.finish()
        found = read_all(broker.address, topic, PARTITIONS, len(acknowledged))
        waiting.equal(len(found), len(acknowledged), "records in the log")
        for message in found:
            at = (message.partition(), message.offset())
            waiting.equal(message.value().decode(), acknowledged.get(at), f"value at {at}")
        for partition in range(PARTITIONS):
            numbers = [int(message.value()) for message in found if message.partition() == partition]
            waiting.equal(numbers == sorted(numbers), True, f"order in partition {partition}")
        print(f"note: {len(found)} records")


@test(needs=("python",), limit_s=180)
def records_outlive_a_restart():
    deaths(brokers.Broker.stop)


@test(needs=("python",), limit_s=240)
def records_outlive_kill_9():
    deaths(brokers.Broker.kill)


@test(needs=("python",), limit_s=180)
def committed_offsets_outlive_kill_9():
    import confluent_kafka
    from confluent_kafka import TopicPartition

    with brokers.own() as broker:
        topic = topics.create(broker.address, "commits", 1)
        consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.address, "group.id": "g"}, logger=None)
        consumer.commit(offsets=[TopicPartition(topic, 0, 42)], asynchronous=False)
        broker.kill()
        broker.start()
        found = consumer.committed([TopicPartition(topic, 0)], timeout=60)
        waiting.equal(found[0].offset, 42, "committed offset")
        consumer.close()
