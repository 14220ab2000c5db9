"""Group members of every client as child processes, behind one view: what they hold and what they have read."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import kafka
from lib import brokers, install, waiting

HERE = Path(__file__).resolve().parent.parent
# Those of the coordinator (KIP-848, `group.protocol=consumer`).
COORDINATOR_ASSIGNORS = ("uniform",)
JAVA_ASSIGNORS = {
    "range": "org.apache.kafka.clients.consumer.RangeAssignor",
    "roundrobin": "org.apache.kafka.clients.consumer.RoundRobinAssignor",
    "sticky": "org.apache.kafka.clients.consumer.StickyAssignor",
    "cooperative-sticky": "org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
}


def example(name):
    """An example binary of our client."""
    return brokers.target() / "examples" / name


class Member:
    """A member of a consumer group. Its output is read as it comes; `held` and `records` follow it."""

    def __init__(self, name, command, parse):
        self.name = name
        self.held = set()
        self.records = {}
        self.events = []
        self.error_lines = []
        self.parse = parse
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            preexec_fn=kafka.die_with_parent,
        )
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self.follow, args=(stream,), daemon=True).start()

    def follow(self, stream):
        for line in stream:
            try:
                events = list(self.parse(line))
            except ValueError:
                events = []
            with self.lock:
                if not events and not line.startswith("% Reached end"):
                    self.error_lines = [*self.error_lines[-30:], line.rstrip()]
                for event in events:
                    self.apply(*event)

    def apply(self, kind, partitions, values):
        """Takes one event in: `assigned`, `revoked` and `lost` with partitions, `records` with {offset: value}."""
        if kind == "assigned":
            self.held |= set(partitions)
        elif kind in ("revoked", "lost"):
            self.held -= set(partitions)
        elif kind == "records":
            self.records.setdefault(partitions[0], []).extend(values.items())
            return
        self.events.append((kind, tuple(partitions)))

    def given_up(self, since):
        """The partitions this member gave up after its first `since` events, in order of giving up."""
        with self.lock:
            return [p for kind, partitions in self.events[since:] if kind in ("revoked", "lost") for p in partitions]

    def count(self):
        with self.lock:
            return sum(len(records) for records in self.records.values())

    def read(self):
        """All that this member has read: a list of (partition, offset, value)."""
        with self.lock:
            return [(p, offset, value) for p, records in self.records.items() for offset, value in records]

    def check_alive(self):
        """Fails when the member has ended by itself."""
        if self.process.poll() is not None:
            raise AssertionError(f"a member ended by itself: {self}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def leave(self):
        """Asks the member to leave the group and end."""
        self.process.send_signal(signal.SIGTERM)

    def __repr__(self):
        with self.lock:
            tail = " | ".join(self.error_lines[-6:])
            ended = f", ended with {self.process.returncode}" if self.process.poll() is not None else ""
            return f"{self.name} holds {sorted(self.held)} after {self.events[-8:]}{ended}; said: {tail}"


def from_json(line):
    """Lines of our own member programs."""
    fields = json.loads(line)
    kind = fields["event"]
    if kind in ("assigned", "revoked", "lost"):
        yield kind, fields["partitions"], None
    elif kind == "records":
        first = fields.get("first_offset")
        offsets = fields["offsets"] if first is None else range(first, first + len(fields["values"]))
        yield kind, [fields["partition"]], dict(zip(offsets, fields["values"]))


def from_verifiable(line):
    """Lines of Kafka's verifiable consumer."""
    fields = json.loads(line)
    kind = fields["name"]
    if kind in ("partitions_assigned", "partitions_revoked", "partitions_lost"):
        yield kind.removeprefix("partitions_"), [p["partition"] for p in fields["partitions"]], None
    elif kind == "record_data":
        yield "records", [fields["partition"]], {fields["offset"]: fields["value"]}


KCAT_EAGER = re.compile(r"% Group \S+ rebalanced \(memberid [^)]*\): (assigned|revoked)(.*)")
KCAT_COOPERATIVE = re.compile(r"% Group \S+ rebalanced: incremental (assignment|revoke) of [^)]*\)[^:]*: (.*)")
KCAT_KINDS = {"assigned": "assigned", "revoked": "revoked", "assignment": "assigned", "revoke": "revoked"}


def from_kcat(line):
    """kcat's records (`partition offset value`) and what it says of a rebalance."""
    rebalanced = KCAT_EAGER.match(line) or KCAT_COOPERATIVE.match(line)
    if rebalanced:
        partitions = [int(number) for number in re.findall(r"\[(\d+)\]", rebalanced[2])]
        yield KCAT_KINDS[rebalanced[1]], partitions, None
    elif not line.startswith("%"):
        partition, offset, value = line.split(" ", 2)
        yield "records", [int(partition)], {int(offset): value.rstrip("\n")}


def command(client, group, topic, assignor, instance=None):
    """The command line of a member and the parser of what it prints."""
    python_arguments = ["--group", group, "--topic", topic, "--assignor", assignor]
    return {
        "librdkafka": lambda at: [install.interpreter(), str(HERE / "members" / "librdkafka.py"), "--bootstrap", at]
        + python_arguments,
        "aiokafka": lambda at: [install.interpreter(), str(HERE / "members" / "aio.py"), "--bootstrap", at]
        + python_arguments,
        "groma": lambda at: [str(example("member")), "--bootstrap", at, *python_arguments],
        "java": lambda at: verifiable_consumer(at, group, topic, assignor, instance),
        "kcat": lambda at: kcat(at, group, topic, assignor),
    }[client]


def verifiable_consumer(at, group, topic, assignor, instance):
    arguments = ["--bootstrap-server", at, "--group-id", group, "--topic", topic, "--verbose"]
    arguments += ["--group-instance-id", instance] if instance else []
    if assignor in COORDINATOR_ASSIGNORS:
        return kafka.tool("verifiable-consumer", *arguments, "--group-protocol", "consumer", "--group-remote-assignor", assignor)
    strategy, session_ms = JAVA_ASSIGNORS[assignor], "300000" if instance else "6000"
    return kafka.tool("verifiable-consumer", *arguments, "--session-timeout", session_ms, "--assignment-strategy", strategy)


def kcat(at, group, topic, assignor):
    settings = [
        f"partition.assignment.strategy={assignor}",
        "session.timeout.ms=6000",
        "heartbeat.interval.ms=500",
        "auto.commit.interval.ms=200",
        "auto.offset.reset=earliest",
        "topic.metadata.refresh.interval.ms=2000",
        "reconnect.backoff.max.ms=1000",
    ]
    extra = [part for setting in settings for part in ("-X", setting)]
    return [shutil.which("kcat"), "-b", at, *extra, "-E", "-u", "-f", "%p %o %s\\n", "-G", group, topic]


PARSERS = {
    "librdkafka": from_json,
    "aiokafka": from_json,
    "groma": from_json,
    "java": from_verifiable,
    "kcat": from_kcat,
}
NEEDS = {"librdkafka": "python", "aiokafka": "python", "groma": "rust", "java": "java", "kcat": "kcat"}


def start(client, name, at, group, topic, assignor, instance=None):
    """Starts a member of a group with one of the clients; `instance` is a stable identity, which only Java's takes."""
    return Member(f"{client} {name}", command(client, group, topic, assignor, instance)(at), PARSERS[client])
