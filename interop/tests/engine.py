"""Our stream engine on any Kafka: foreign tools see its tasks, a kill counts nothing twice."""

import re
import signal
import struct
import subprocess
import threading

import kafka
from lib import brokers, topics, waiting
from lib.registry import test
from tests.command_line import groma
from tests.records import TIME_MS, deliver, read_all

PARTITIONS = 4
SENSORS = 40
READINGS = 500
# Each policy with what it needs to come to an end within a test.
POLICIES = {
    "eager": [],
    "two-round": [],
    "deferred": ["rebalance.max-delay=2s"],
    "incremental": ["rebalance.moves-per-round=1", "rebalance.interval=1s"],
    "deferred+incremental": ["rebalance.max-delay=2s", "rebalance.moves-per-round=1", "rebalance.interval=1s"],
}


class Instance:
    """An engine instance as a child process."""

    def __init__(self, at, group, settings):
        arguments = [part for setting in settings for part in ("--set", setting)]
        command = [brokers.binary(), "instance", "uc2", "--group", group, "--bootstrap", at, *arguments]
        self.said = []
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            preexec_fn=kafka.die_with_parent,
        )
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        for line in self.process.stdout:
            self.said.append(line.rstrip())

    def wait_ready(self):
        def ready():
            waiting.equal(self.process.poll(), None, f"exit code of an instance that said {self.said[-5:]}")
            return "ready" in self.said

        waiting.until(ready, lambda: f"an instance to be ready: {self.said[-5:]}")


def reading(sensor, timestamp, watts):
    """A measurement as UC2 reads it: Avro in Confluent framing."""
    return b"\0" + struct.pack(">i", 1) + avro_string(sensor) + avro_long(timestamp) + struct.pack("<d", watts)


def avro_long(value):
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value & ~0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def avro_string(text):
    return avro_long(len(text)) + text.encode()


def read_long(data, at):
    shift = value = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (value >> 1) ^ -(value & 1), at


def statistics(data):
    """What UC2 writes: ((sensor, window start), (count, sum, mean, min, max, variance))."""
    length, at = read_long(data, 5)
    sensor = data[at : at + length].decode()
    start, at = read_long(data, at + length)
    _end, at = read_long(data, at)
    count, at = read_long(data, at)
    return (sensor, start), (count, *struct.unpack_from("<5d", data, at))


def feed(at, topic, numbers, reference):
    """Sends readings and adds to the reference: what each window must say in the end."""
    import confluent_kafka

    producer = confluent_kafka.Producer({"bootstrap.servers": at, "compression.type": "lz4"}, logger=None)
    records = []
    for number in numbers:
        timestamp = TIME_MS + number * 100
        for sensor in range(SENSORS):
            name, watts = f"s_{sensor}", float((number * 7 + sensor * 13) % 1000)
            records.append((name.encode(), reading(name, timestamp, watts), [], timestamp))
            count, total = reference.get((name, timestamp // 5000 * 5000), (0, 0.0))
            reference[(name, timestamp // 5000 * 5000)] = (count + 1, total + watts)
    deliver(producer, topic, records)


def results(at, topic):
    """The last value of each sensor and window: (count, sum)."""
    return {key: figures[:2] for key, figures in (statistics(m.value()) for m in read_end(at, topic))}


def read_end(at, topic):
    from confluent_kafka import TopicPartition
    from confluent_kafka.admin import OffsetSpec

    admin = topics.admin(at)
    asked = {TopicPartition(topic, partition): OffsetSpec.latest() for partition in range(PARTITIONS)}
    count = sum(found.result(waiting.left()).offset for found in admin.list_offsets(asked).values())
    return read_all(at, topic, PARTITIONS, count)


@test(needs=("python", "rust", "java"), limit_s=180, cases=[(policy,) for policy in POLICIES])
def engine_survives_kill_9_in_sight_of_kafkas_tools(policy):
    at = brokers.shared()
    source = topics.create(at, "engine-in", PARTITIONS, **{"retention.ms": "-1"})
    sink = topics.create(at, "engine-out", PARTITIONS, **{"retention.ms": "-1"})
    group = topics.name("engine")
    settings = [f"input={source}", f"output={sink}", "window=5s", "commit=200ms", f"rebalance.policy={policy}"]
    settings += POLICIES[policy]
    settings += ["session.timeout=6s", "heartbeat.interval=500ms", "progress=off"]
    instances = [Instance(at, group, settings) for _ in range(2)]
    for instance in instances:
        instance.wait_ready()
    waiting.until(lambda: len(tasks_by_tool(group, source)) == PARTITIONS, lambda: f"{PARTITIONS} tasks of {group}")
    reference = {}
    feed(at, source, range(READINGS // 2 - 13), reference)
    waiting.until(lambda: counted(at, sink) > 0, lambda: "the first results")
    instances[0].process.kill()
    feed(at, source, range(READINGS // 2 - 13, READINGS), reference)
    waiting.until(
        lambda: results(at, sink) == reference,
        lambda: f"{READINGS * SENSORS} counted readings, {counted(at, sink)} are: {instances[1].said[-5:]}",
    )
    instances[1].process.send_signal(signal.SIGTERM)
    waiting.until(lambda: instances[1].process.poll() is not None, lambda: "the instance to end on SIGTERM")
    waiting.equal(instances[1].process.returncode, 0, f"exit code of an instance that said {instances[1].said[-5:]}")


def counted(at, topic):
    return sum(count for count, _ in results(at, topic).values())


def tasks_by_tool(group, topic):
    """The partitions of the input that Kafka's own tool says members of the group hold."""
    command = kafka.tool("consumer-groups", "--bootstrap-server", brokers.shared())
    done = subprocess.run([*command, "--describe", "--group", group, "--members", "--verbose"], capture_output=True, text=True)
    found = set()
    for part in re.findall(rf"{re.escape(topic)}[-(:]+([\d,]+)", done.stdout):
        found |= {int(number) for number in part.split(",")}
    if not found:
        print(done.stdout, done.stderr)
    return found


@test(needs=("rust",))
def our_load_generator_feeds_any_kafka():
    topic = topics.name("load")
    arguments = ["--rate", "2000", "--keys", "50", "--duration", "2s", "--topic", topic, "--partitions", "4", "--json"]
    report = groma("load", *arguments)
    print(f"note: {report}")
    described = groma("topic", "describe", topic, "--json")
    waiting.equal(sum(p["end_offset"] - p["start_offset"] for p in described["partitions"]), 4000, "records written")
    configs = {setting["key"]: setting["value"] for setting in described["configs"]}
    waiting.equal(configs.get("retention.ms"), "-1", "replayed times stay, whatever their age")
    waiting.equal(configs.get("retention.bytes"), "-1", "records stay, however many")
