"""Records of every shape go in and come out the same, with each client's producer and consumer."""

import asyncio
import json
import subprocess

from lib import brokers, members, topics, waiting
from lib.registry import test

CODECS = [("none",), ("gzip",), ("snappy",), ("lz4",), ("zstd",)]
TIME_MS = 1_600_000_000_000


def shapes():
    """Key, value, headers and timestamp of records with every corner: nothing, empty, binary, large."""
    yield b"k", b"v", [], TIME_MS
    yield None, b"no key", [], TIME_MS + 1
    yield b"no value", None, [], TIME_MS + 2
    yield b"", b"", [], TIME_MS + 3
    yield b"headers", b"x", [("a", b"1"), ("a", b"2"), ("empty", b""), ("nothing", None)], TIME_MS + 4
    yield bytes(range(256)), bytes(range(256)) * 64, [], TIME_MS + 5
    yield b"large", b"0123456789" * 60_000, [], TIME_MS + 6
    for number in range(500):
        yield str(number).encode(), f"value {number}".encode() * 10, [], TIME_MS + 100 + number


def read_all(bootstrap, topic, partitions, count):
    """Reads `count` records of a topic from its start without a group, with librdkafka."""
    import confluent_kafka

    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "unused", "enable.auto.commit": False, "check.crcs": True},
        logger=None,
    )
    consumer.assign([confluent_kafka.TopicPartition(topic, p, 0) for p in range(partitions)])
    found = []

    def enough():
        while batch := consumer.consume(10_000, timeout=0.1):
            errors = [str(message.error()) for message in batch if message.error()]
            waiting.equal(errors, [], "errors of the consumer")
            found.extend(batch)
        return len(found) >= count

    waiting.until(enough, lambda: f"{count} records of {topic}, {len(found)} read")
    consumer.close()
    return found


def deliver(producer, topic, records):
    """Produces with librdkafka and fails on any refusal."""
    refused = []
    for key, value, headers, timestamp in records:
        producer.produce(
            topic,
            value,
            key,
            headers=headers,
            timestamp=timestamp,
            on_delivery=lambda error, _: refused.append(str(error)) if error else None,
        )
        producer.poll(0)
    waiting.equal(producer.flush(waiting.left()), 0, "records without an answer")
    waiting.equal(refused, [], "refused records")


@test(needs=("python",), cases=CODECS)
def librdkafka_records(codec):
    import confluent_kafka

    at = brokers.shared()
    topic = topics.create(at, "shapes", 1)
    producer = confluent_kafka.Producer(
        {"bootstrap.servers": at, "compression.type": codec, "acks": "all", "linger.ms": 20}, logger=None
    )
    sent = list(shapes())
    deliver(producer, topic, sent)
    found = read_all(at, topic, 1, len(sent))
    for offset, (record, message) in enumerate(zip(sent, found, strict=True)):
        got = (message.key(), message.value(), message.headers() or [], message.timestamp()[1])
        waiting.equal(got, record, f"record {offset}")
        waiting.equal(message.offset(), offset, "offset")


@test(needs=("python",), cases=CODECS)
def aiokafka_records(codec):
    asyncio.run(aiokafka_round_trip(codec))


async def aiokafka_round_trip(codec):
    import aiokafka

    at = brokers.shared()
    topic = topics.create(at, "shapes", 1)
    sent = [(key, value, [h for h in headers if h[1] is not None], at_ms) for key, value, headers, at_ms in shapes()]
    compression = None if codec == "none" else codec
    async with aiokafka.AIOKafkaProducer(
        bootstrap_servers=at, compression_type=compression, enable_idempotence=True
    ) as producer:
        waits = [
            await producer.send(topic, value, key, headers=headers, timestamp_ms=at_ms)
            for key, value, headers, at_ms in sent
        ]
        waiting.equal([(await each).offset for each in waits], list(range(len(sent))), "acknowledged offsets")
    async with aiokafka.AIOKafkaConsumer(topic, bootstrap_servers=at, auto_offset_reset="earliest") as consumer:
        for record in sent:
            message = await consumer.getone()
            got = (message.key, message.value, list(message.headers), message.timestamp)
            waiting.equal(got, record, f"record {message.offset}")


def kcat(*arguments, stdin=None):
    done = subprocess.run(["kcat", "-b", brokers.shared(), *arguments], input=stdin, capture_output=True, text=True)
    waiting.equal(done.returncode, 0, f"exit code of kcat {' '.join(arguments)}: {done.stderr[-300:]}")
    return done.stdout


@test(needs=("kcat",), cases=CODECS)
def kcat_records(codec):
    topic = topics.name("kcat")
    lines = [f"{number}:value {number}" for number in range(2000)]
    kcat("-P", "-t", topic, "-K:", "-z", codec, "-X", "acks=all", stdin="\n".join(lines) + "\n")
    printed = kcat("-C", "-t", topic, "-o", "beginning", "-e", "-q", "-K:")
    waiting.equal(printed.splitlines(), lines, "what kcat reads back")


@test(needs=("kcat",))
def kcat_metadata_and_offsets():
    topic = topics.name("kcat")
    kcat("-P", "-t", topic, stdin="one\ntwo\nthree\n")
    found = json.loads(kcat("-L", "-J", "-t", topic))
    waiting.equal([t["topic"] for t in found["topics"]], [topic], "topics")
    waiting.equal([p["partition"] for p in found["topics"][0]["partitions"]], [0], "partitions")
    waiting.equal(kcat("-Q", "-t", f"{topic}:0:0"), f"{topic} [0] offset 0\n", "offset at time 0")
    waiting.equal(kcat("-C", "-t", topic, "-o", "-1", "-e", "-q"), "three\n", "the last record")
    waiting.equal(kcat("-C", "-t", topic, "-o", "1", "-c", "1", "-q"), "two\n", "the record at offset 1")


def crossing(writer, reader):
    """Records written by one client are read by the other."""
    at = brokers.shared()
    topic = topics.create(at, "crossing", 3)
    count = 3000
    writer(at, topic, count)
    group = topics.name("group")
    member = members.start(reader, "0", at, group, topic, "range")

    def complete():
        member.check_alive()
        return member.count() >= count

    waiting.until(complete, lambda: f"{count} records in {member}")
    waiting.equal(sorted(int(value) for *_, value in member.read()), list(range(count)), "values read")
    member.leave()
    waiting.until(lambda: member.process.poll() is not None, lambda: f"{member} to end")


def produce_with_groma(codec):
    def produce(at, topic, count):
        command = [str(members.example("produce")), "--bootstrap", at, "--topic", topic, "--count", str(count)]
        done = subprocess.run([*command, "--compression", codec], capture_output=True, text=True)
        waiting.equal(done.returncode, 0, f"exit code of our producer: {done.stderr[-300:]}")
        last = json.loads(done.stdout.splitlines()[-1])
        waiting.equal(last, {"event": "produced", "acknowledged": count}, "our producer's last line")

    return produce


def produce_with_librdkafka(codec):
    def produce(at, topic, count):
        import confluent_kafka

        producer = confluent_kafka.Producer({"bootstrap.servers": at, "compression.type": codec}, logger=None)
        numbers = (str(number).encode() for number in range(count))
        deliver(producer, topic, ((number, number, [], TIME_MS) for number in numbers))

    return produce


@test(needs=lambda reader, _: ("python", "rust", members.NEEDS[reader]), cases=[("librdkafka", *c) for c in CODECS] + [("java", "zstd"), ("groma", "lz4")])
def groma_writes_for(reader, codec):
    crossing(produce_with_groma(codec), reader)


@test(needs=("python", "rust"), cases=CODECS)
def groma_reads_what_librdkafka_writes(codec):
    crossing(produce_with_librdkafka(codec), "groma")
