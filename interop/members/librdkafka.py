"""A group member on confluent-kafka (librdkafka): tells on stdout, in JSON lines, what happens to it."""

import argparse
import json
import signal
import sys

import confluent_kafka

RUNNING = True
COMMIT_EVERY = 500


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def stop(*_):
    global RUNNING
    RUNNING = False


def numbers(partitions):
    return sorted(partition.partition for partition in partitions)


def commit(consumer):
    try:
        consumer.commit(asynchronous=False)
    except confluent_kafka.KafkaException as error:
        if error.args[0].code() != confluent_kafka.KafkaError._NO_OFFSET:
            say("commit_failed", reason=str(error))


def revoked(consumer, partitions):
    commit(consumer)
    say("revoked", partitions=numbers(partitions))


def take(consumer, messages):
    runs = {}
    for message in messages:
        if message.error():
            say("error", reason=str(message.error()))
        else:
            runs.setdefault(message.partition(), []).append(message)
    for partition, run in runs.items():
        values = [message.value().decode() for message in run]
        say("records", partition=partition, offsets=[message.offset() for message in run], values=values)
    if runs:
        commit(consumer)


def main():
    parser = argparse.ArgumentParser()
    for name in ("bootstrap", "group", "topic", "assignor"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, stop)
    consumer = confluent_kafka.Consumer(
        {
            "bootstrap.servers": options.bootstrap,
            "group.id": options.group,
            "partition.assignment.strategy": options.assignor,
            "session.timeout.ms": 6000,
            "heartbeat.interval.ms": 500,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "topic.metadata.refresh.interval.ms": 2000,
            "reconnect.backoff.max.ms": 1000,
        },
        logger=None,
    )
    consumer.subscribe(
        [options.topic],
        on_assign=lambda _, partitions: say("assigned", partitions=numbers(partitions)),
        on_revoke=revoked,
        on_lost=lambda _, partitions: say("lost", partitions=numbers(partitions)),
    )
    while RUNNING:
        take(consumer, consumer.consume(COMMIT_EVERY, timeout=0.1))
    consumer.close()
    say("left")


if __name__ == "__main__":
    sys.exit(main())
