"""Kafka's own command line tools, as an operator would use them."""

import json
import re
import subprocess

import kafka
from lib import brokers, members, topics, waiting
from lib.registry import test


def tool(name, *arguments, at=None, stdin=None, fails=False):
    """Runs a tool against the shared broker and returns what it printed."""
    command = kafka.tool(name, "--bootstrap-server", at or brokers.shared(), *arguments)
    done = subprocess.run(command, input=stdin, capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        raise AssertionError(f"{name} {' '.join(arguments)} ended with {done.returncode}: {done.stdout} {done.stderr}")
    return done.stdout + (done.stderr if fails else "")


def create(partitions, *arguments):
    topic = topics.name("tools")
    tool("topics", "--create", "--topic", topic, "--partitions", str(partitions), *arguments)
    return topic


def produce(topic, lines):
    tool("console-producer", "--topic", topic, stdin="\n".join(lines) + "\n")


def consume(topic, count, *arguments):
    printed = tool("console-consumer", "--topic", topic, "--from-beginning", "--max-messages", str(count), *arguments)
    return printed.splitlines()


@test(needs=("java",))
def kafka_topics():
    topic = create(3, "--config", "retention.ms=86400000")
    waiting.equal(topic in tool("topics", "--list").split(), True, "the topic is listed")
    described = tool("topics", "--describe", "--topic", topic)
    waiting.equal("PartitionCount: 3" in described and "retention.ms=86400000" in described, True, described)
    refusal = tool("topics", "--create", "--topic", topic, fails=True)
    waiting.equal("already exists" in refusal, True, f"reason for refusing the topic: {refusal}")
    tool("topics", "--delete", "--topic", topic)
    waiting.until(lambda: topic not in tool("topics", "--list").split(), lambda: f"{topic} to be gone")


@test(needs=("java",))
def kafka_adds_partitions():
    topic = create(1)
    tool("topics", "--alter", "--topic", topic, "--partitions", "4")
    waiting.until(
        lambda: "PartitionCount: 4" in tool("topics", "--describe", "--topic", topic), lambda: f"4 partitions of {topic}"
    )


@test(needs=("java",))
def kafka_console_and_offsets():
    topic = create(1)
    lines = [f"line {number}" for number in range(300)]
    produce(topic, lines)
    waiting.equal(consume(topic, 300), lines, "what the console consumer prints")
    waiting.equal(tool("get-offsets", "--topic", topic).strip(), f"{topic}:0:300", "latest offset")
    waiting.equal(tool("get-offsets", "--topic", topic, "--time", "earliest").strip(), f"{topic}:0:0", "earliest")
    waiting.equal(tool("get-offsets", "--topic", topic, "--time", "1000").strip(), f"{topic}:0:0", "offset at 1 s")


@test(needs=("java",), limit_s=180)
def kafka_consumer_groups():
    topic = create(1)
    group = topics.name("tools-group")
    produce(topic, ["a", "b", "c", "d"])
    waiting.equal(consume(topic, 3, "--group", group), ["a", "b", "c"], "records of the group")
    waiting.equal(group in tool("consumer-groups", "--list").split(), True, "the group is listed")
    row = described(group, topic)
    waiting.equal(row[3:6], ["3", "4", "1"], "committed offset, log end, lag")
    tool("consumer-groups", "--group", group, "--topic", topic, "--reset-offsets", "--to-earliest", "--execute")
    waiting.equal(described(group, topic)[3:6], ["0", "4", "4"], "offsets after the reset")
    tool("consumer-groups", "--group", group, "--delete")
    waiting.equal(group in tool("consumer-groups", "--list").split(), False, "the deleted group is listed")


def described(group, topic):
    """The row of a group's partition: group, topic, partition, committed, end, lag, ..."""
    printed = tool("consumer-groups", "--describe", "--group", group)
    rows = [line.split() for line in printed.splitlines() if line.startswith(group)]
    return next((row for row in rows if row[1] == topic), rows)


@test(needs=("java", "python"), limit_s=180)
def kafka_shows_who_holds_what():
    topic = topics.create(brokers.shared(), "held", 4)
    group = topics.name("held-group")
    pair = [members.start("librdkafka", str(n), brokers.shared(), group, topic, "range") for n in range(2)]
    waiting.until(lambda: [len(member.held) for member in pair] == [2, 2], lambda: f"shares of two: {pair}")
    state = tool("consumer-groups", "--describe", "--group", group, "--state")
    waiting.equal(re.search(r"\brange\b\s+Stable\s+2\b", state) is not None, True, f"assignor, state, members: {state}")
    verbose = tool("consumer-groups", "--describe", "--group", group, "--members", "--verbose")
    waiting.equal(len(re.findall(rf"{topic}:?\(?[\d,]+", verbose)) >= 2, True, f"each member's partitions: {verbose}")
    for member in pair:
        member.leave()


@test(needs=("java",), limit_s=180)
def kafka_verifiable_pair():
    topic = create(3)
    printed = tool("verifiable-producer", "--topic", topic, "--max-messages", "2000", "--acks", "-1")
    last = json.loads(printed.splitlines()[-1])
    waiting.equal((last["sent"], last["acked"]), (2000, 2000), "sent and acknowledged")
    group = topics.name("verifiable")
    printed = tool(
        "verifiable-consumer", "--topic", topic, "--group-id", group, "--max-messages", "2000", "--session-timeout", "60000"
    )
    events = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    consumed = sum(event["count"] for event in events if event["name"] == "records_consumed")
    waiting.equal(consumed, 2000, "consumed")
    failed = [event for event in events if event["name"] == "offsets_committed" and not event["success"]]
    waiting.equal(failed, [], "failed commits")


@test(needs=("java",), limit_s=180, cases=[("none",), ("lz4",), ("zstd",)])
def kafka_performance_tools(codec):
    at = brokers.shared()
    topic = create(3)
    count = 200_000
    size = ["--num-records", str(count), "--record-size", "100", "--throughput", "-1"]
    properties = [f"bootstrap.servers={at}", f"compression.type={codec}", "acks=all"]
    command = kafka.tool("producer-perf-test", "--topic", topic, *size, "--producer-props", *properties)
    done = subprocess.run(command, capture_output=True, text=True)
    waiting.equal(done.returncode, 0, f"exit code of the producer: {done.stdout[-400:]} {done.stderr[-400:]}")
    waiting.equal(f"{count} records sent" in done.stdout, True, f"its report: {done.stdout}")
    printed = tool("consumer-perf-test", "--topic", topic, "--num-records", str(count), "--timeout", "300000")
    waiting.equal(int(float(printed.splitlines()[-1].split(",")[4])) >= count, True, f"records read: {printed}")


@test(needs=("java",), limit_s=180)
def kafka_reads_our_segments():
    with brokers.own() as broker:
        topic = topics.name("dumped")
        tool("topics", "--create", "--topic", topic, at=broker.address)
        lines = [f"line {number}" for number in range(50)]
        tool("console-producer", "--topic", topic, at=broker.address, stdin="\n".join(lines) + "\n")
        broker.stop()
        logs = sorted(broker.data.rglob(f"{topic}-0/*.log"))
        waiting.equal([path.name for path in logs], ["00000000000000000000.log"], "segment files")
        command = kafka.tool("dump-log", "--files", str(logs[0]), "--print-data-log")
        done = subprocess.run(command, capture_output=True, text=True)
        waiting.equal(done.returncode, 0, f"exit code of dump-log: {done.stderr[-400:]}")
        waiting.equal(re.findall(r"payload: (.*)", done.stdout), lines, "payloads")
        waiting.equal("isvalid: false" in done.stdout, False, "a batch's checksum is wrong")


@test(needs=("java",))
def kafka_broker_api_versions():
    printed = tool("broker-api-versions")
    for name in ("Produce", "Fetch", "JoinGroup", "OffsetCommit", "InitProducerId"):
        waiting.equal(f"{name}(" in printed, True, f"{name} is listed in {printed}")


@test(needs=("rust", "java"), only=("groma",))
def generated_messages_are_those_of_kafkas_definitions():
    """Here, and not only beside the code: the jars are fetched for these tests."""
    done = subprocess.run([brokers.target() / "xtask", "codegen", "--check"], capture_output=True, text=True)
    waiting.equal(done.returncode, 0, f"exit code of codegen --check: {done.stderr}")
