#!/usr/bin/env python3
"""Apache Kafka from Maven, for tests: one KRaft node, or one of its tools.

  interop/kafka.py broker [--listen HOST:PORT] [--data DIR] [--set key=value]...
  interop/kafka.py tool NAME [ARGUMENT]...        for example: tool topics --bootstrap-server 127.0.0.1:9092 --list
  interop/kafka.py classpath

`broker` keeps the contract of `groma broker`: the first line on stdout, once it accepts, is `listening on HOST:PORT`;
port 0 picks one; SIGTERM stops it. Its own log goes to DIR/kafka.log.
"""

import argparse
import fcntl
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
JARS = HERE.parent / ".cache" / "kafka-4.4.0"
START_LIMIT_S = 600
STOP_LIMIT_S = 150

TOOLS = {
    "broker-api-versions": "org.apache.kafka.tools.BrokerApiVersionsCommand",
    "configs": "org.apache.kafka.tools.ConfigCommand",
    "console-consumer": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "console-producer": "org.apache.kafka.tools.ConsoleProducer",
    "consumer-groups": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "consumer-perf-test": "org.apache.kafka.tools.ConsumerPerformance",
    "dump-log": "org.apache.kafka.tools.DumpLogSegments",
    "get-offsets": "org.apache.kafka.tools.GetOffsetShell",
    "producer-perf-test": "org.apache.kafka.tools.ProducerPerformance",
    "storage": "kafka.tools.StorageTool",
    "topics": "org.apache.kafka.tools.TopicCommand",
    "verifiable-consumer": "org.apache.kafka.tools.VerifiableConsumer",
    "verifiable-producer": "org.apache.kafka.tools.VerifiableProducer",
}


class Missing(Exception):
    """Something that Apache Kafka needs is not on this machine; the text says what and how to get it."""


def classpath():
    """The class path of Kafka's jars, fetched by Maven the first time (54 MB, kept under .cache/)."""
    if not shutil.which("java"):
        raise Missing("java is missing: apt-get install openjdk-17-jre-headless")
    JARS.parent.mkdir(exist_ok=True)
    with open(JARS.parent / "kafka.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (JARS / "complete").exists():
            fetch()
    return f"{JARS}/*"


def fetch():
    if not shutil.which("mvn"):
        raise Missing("mvn is missing: apt-get install maven")
    shutil.rmtree(JARS, ignore_errors=True)
    command = ["mvn", "-q", "-B", "-f", str(HERE / "kafka" / "pom.xml"), "dependency:copy-dependencies"]
    done = subprocess.run([*command, f"-DoutputDirectory={JARS}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Missing("Maven could not fetch Kafka's jars (is there a network?): " + done.stdout.decode()[-400:])
    (JARS / "complete").touch()


def compiled(name):
    """The folder with the classes of a Java program of ours, compiled where it is not there or older than its source."""
    source, folder = HERE / "kafka" / f"{name}.java", JARS.parent / "classes" / name
    jars = classpath()
    with open(JARS.parent / "kafka.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / f"{name}.class"
        if made.exists() and made.stat().st_mtime > source.stat().st_mtime:
            return folder
        if not shutil.which("javac"):
            raise Missing("javac is missing: apt-get install openjdk-17-jdk-headless")
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["javac", "-d", str(folder), "-cp", jars, str(source)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"{source.name} could not be compiled: {done.stderr[-400:]}")
    return folder


def java(main_class, *arguments, heap="256m", log_level="warn", classes=()):
    """The command line that runs a class of Kafka's jars, or of the folders of `classes`."""
    return [
        "java",
        f"-Xmx{heap}",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        f"-Dgroma.log.level={log_level}",
        f"-Dlog4j2.configurationFile={HERE / 'kafka' / 'log4j2.properties'}",
        "-cp",
        ":".join([*map(str, classes), classpath()]),
        main_class,
        *arguments,
    ]


def tool(name, *arguments):
    """The command line of one of Kafka's own tools."""
    if name not in TOOLS:
        raise Missing(f"no tool {name!r}: one of {', '.join(sorted(TOOLS))}")
    return java(TOOLS[name], *arguments)


def lonely_host():
    """An address of this machine where nobody else listens: a port that is free there stays so over a restart."""
    return f"127.{random.randint(1, 254)}.{random.randint(0, 254)}.{random.randint(1, 254)}"


def free_ports(count, host="127.0.0.1"):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind((host, 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def settings(host, port, data, extra):
    controller = free_ports(1, host)[0]
    base = {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.quorum.voters": f"1@{host}:{controller}",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://{host}:{port},CONTROLLER://{host}:{controller}",
        "advertised.listeners": f"PLAINTEXT://{host}:{port}",
        "log.dirs": str(data / "log"),
        "num.partitions": "1",
        "offsets.topic.replication.factor": "1",
        "offsets.topic.num.partitions": "4",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "transaction.state.log.num.partitions": "4",
        "group.initial.rebalance.delay.ms": "0",
        "group.consumer.session.timeout.ms": "6000",
        "group.consumer.min.session.timeout.ms": "6000",
        "group.consumer.heartbeat.interval.ms": "500",
        "group.consumer.min.heartbeat.interval.ms": "500",
        "auto.create.topics.enable": "true",
    }
    return base | dict(item.split("=", 1) for item in extra)


def format_storage(config, data):
    if (data / "log" / "meta.properties").exists():
        return
    command = tool("storage", "format", "--cluster-id", "Z3JvbWEtaW50ZXJvcC0wMQ", "--config", str(config))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Missing("Kafka could not format its storage: " + done.stdout.decode()[-400:])


def wait_started(process, log):
    limit = time.monotonic() + START_LIMIT_S
    while time.monotonic() < limit:
        text = log.read_text(errors="replace")
        if "Kafka Server started" in text:
            return
        if process.poll() is not None:
            raise Missing(f"Kafka ended with code {process.returncode}: " + text[-1500:])
        time.sleep(0.05)
    raise Missing(f"Kafka did not start within {START_LIMIT_S} s: " + text[-1500:])


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_broker(options):
    host, port = options.listen.rsplit(":", 1)
    port = int(port) or free_ports(1, host)[0]
    data = Path(options.data or tempfile.mkdtemp(prefix="groma-kafka-"))
    data.mkdir(parents=True, exist_ok=True)
    config = data / "server.properties"
    lines = [f"{key}={value}" for key, value in settings(host, port, data, options.set).items()]
    config.write_text("\n".join(lines) + "\n")
    format_storage(config, data)
    log = data / "kafka.log"
    with open(log, "w") as out:
        command = java("kafka.Kafka", str(config), heap="512m", log_level="info")
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, preexec_fn=die_with_parent)
    try:
        wait_started(process, log)
        print(f"listening on {host}:{port}", flush=True)
        process.wait()
    finally:
        stop(process)
        if not options.data:
            shutil.rmtree(data, ignore_errors=True)


def die_with_parent():
    """Runs in the child: ask Linux to kill it when this script is killed, so that no JVM stays behind."""
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    broker = commands.add_parser("broker")
    broker.add_argument("--listen", default="127.0.0.1:9092", metavar="HOST:PORT")
    broker.add_argument("--data", metavar="DIR", help="kept after the end; without it the data is deleted")
    broker.add_argument("--set", action="append", default=[], metavar="key=value")
    a_tool = commands.add_parser("tool")
    a_tool.add_argument("name")
    a_tool.add_argument("arguments", nargs=argparse.REMAINDER)
    commands.add_parser("classpath")
    return parser.parse_args()


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        if options.command == "broker":
            run_broker(options)
        elif options.command == "tool":
            command = tool(options.name, *options.arguments)
            os.execvp(command[0], command)
        else:
            print(classpath())
    except Missing as missing:
        print(missing, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
