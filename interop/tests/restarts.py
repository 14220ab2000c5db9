"""What a broker acknowledged outlives its death, and an idempotent producer repeats nothing over it."""

import json
import subprocess

from lib import brokers, feed, members, topics, waiting
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
        found = consumer.committed([TopicPartition(topic, 0)], timeout=waiting.left())
        waiting.equal(found[0].offset, 42, "committed offset")
        consumer.close()


def stored(broker, topic):
    """The bytes of a topic in the broker's data folder."""
    return sum(path.stat().st_size for path in broker.data.rglob(f"{topic}-*/*.log"))


@test(needs=("python", "rust"), limit_s=240, cases=[("restart",), ("kill",)])
def our_producer_outlives_its_broker(death):
    count = 2_000_000
    with brokers.own() as broker:
        topic = topics.create(broker.address, "numbers", PARTITIONS)
        command = [str(members.example("produce")), "--bootstrap", broker.address, "--topic", topic]
        producer = subprocess.Popen(
            [*command, "--count", str(count)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        waiting.until(lambda: stored(broker, topic) > 0, lambda: "the first records", poll_s=0.001)
        broker.stop() if death == "restart" else broker.kill()
        early = producer.poll() is not None
        broker.start()
        printed, complaints = producer.communicate()
        waiting.equal(producer.returncode, 0, f"exit code of our producer: {complaints[-500:]}")
        waiting.equal(json.loads(printed.splitlines()[-1])["acknowledged"], count, "acknowledged records")
        found = read_all(broker.address, topic, PARTITIONS, count)
        numbers = [[int(m.value()) for m in found if m.partition() == p] for p in range(PARTITIONS)]
        waiting.equal(sorted(n for each in numbers for n in each) == list(range(count)), True, "each number once")
        waiting.equal([each == sorted(each) for each in numbers], [True] * PARTITIONS, "order in each partition")
        print(f"note: {'ended before the broker died' if early else 'died under it'}")
