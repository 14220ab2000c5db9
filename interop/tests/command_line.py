"""Our command line looks at any Kafka: topics and groups, also those of foreign clients."""

import json
import subprocess

from lib import brokers, members, topics, waiting
from lib.registry import test
from tests.records import TIME_MS, deliver


def groma(*arguments, at=None, code=0):
    """Runs a command of ours and returns its JSON document, or what it said on stderr when it must fail."""
    command = [brokers.binary(), *arguments, "--bootstrap", at or brokers.shared()]
    done = subprocess.run(command, capture_output=True, text=True)
    waiting.equal(done.returncode, code, f"exit code of {' '.join(arguments)}: {done.stdout} {done.stderr}")
    if code:
        return done.stderr.strip()
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


@test(needs=("rust",))
def groma_topics():
    topic = topics.name("cli")
    groma("topic", "create", topic, "--partitions", "3", "--set", "retention.ms=-1")
    names = [each["name"] for each in groma("topic", "list", "--json")]
    waiting.equal(topic in names, True, f"the topic is in {names}")

    def described():
        return groma("topic", "describe", topic, "--json")

    waiting.until(lambda: len(described()["partitions"]) == 3, lambda: f"3 partitions: {described()}")
    refusal = groma("topic", "create", topic, code=2)
    waiting.equal(topic in refusal, True, f"the refusal names the topic: {refusal}")
    groma("topic", "delete", topic)
    waiting.until(
        lambda: topic not in [each["name"] for each in groma("topic", "list", "--json")], lambda: f"{topic} to be gone"
    )


@test(needs=("rust", "python"))
def groma_sees_a_foreign_group():
    import confluent_kafka

    at = brokers.shared()
    topic = topics.create(at, "seen", 4)
    producer = confluent_kafka.Producer({"bootstrap.servers": at}, logger=None)
    deliver(producer, topic, [(str(n).encode(), str(n).encode(), [], TIME_MS) for n in range(100)])
    group = topics.name("seen-group")
    pair = [members.start("librdkafka", str(n), at, group, topic, "cooperative-sticky") for n in range(2)]
    waiting.until(lambda: [len(member.held) for member in pair] == [2, 2], lambda: f"shares of two: {pair}")
    waiting.until(lambda: sum(member.count() for member in pair) >= 100, lambda: f"100 records: {pair}")

    def lag():
        found = groma("group", "describe", group, "--json")
        return [row["lag"] for row in found["partitions"] if row["end_offset"]], found

    waiting.until(lambda: set(lag()[0]) == {0}, lambda: f"no lag: {lag()[1]}")
    found = lag()[1]
    waiting.equal((found["state"], found["assignor"]), ("Stable", "cooperative-sticky"), "state and assignor")
    holds = sorted(sorted(member["partitions"]) for member in found["members"])
    expected = sorted(sorted(f"{topic}-{partition}" for partition in member.held) for member in pair)
    waiting.equal(holds, expected, "who holds what")
    waiting.equal(group in [each["group"] for each in groma("group", "list", "--json")], True, "the group is listed")
    for member in pair:
        member.leave()


@test(needs=("rust",))
def groma_names_what_is_not_there():
    waiting.equal("no-such-topic" in groma("topic", "describe", "no-such-topic", code=2), True, "the topic is named")
    waiting.equal("no-such-group" in groma("group", "describe", "no-such-group", code=2), True, "the group is named")
    refusal = groma("topic", "list", at="127.0.0.1:1", code=2)
    waiting.equal("127.0.0.1:1" in refusal and "\n" not in refusal, True, f"one line with the address: {refusal}")
