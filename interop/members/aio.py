"""A group member on aiokafka: tells on stdout, in JSON lines, what happens to it."""

import argparse
import asyncio
import json
import signal
import sys

import aiokafka
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from aiokafka.errors import KafkaError


class Careless(RoundRobinPartitionAssignor):
    """Calls itself cooperative and, as leader, gives away what others hold (case B89): round robin, whoever has what."""

    name = "cooperative-sticky"


ASSIGNORS = {
    "careless": Careless,
    "range": RangePartitionAssignor,
    "roundrobin": RoundRobinPartitionAssignor,
    "sticky": StickyPartitionAssignor,
}


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def numbers(partitions):
    return sorted(partition.partition for partition in partitions)


class Listener(aiokafka.ConsumerRebalanceListener):
    async def on_partitions_revoked(self, revoked):
        say("revoked", partitions=numbers(revoked))

    async def on_partitions_assigned(self, assigned):
        say("assigned", partitions=numbers(assigned))


async def take(consumer):
    batches = await consumer.getmany(timeout_ms=100, max_records=500)
    for partition, records in batches.items():
        values = [record.value.decode() for record in records]
        say("records", partition=partition.partition, offsets=[record.offset for record in records], values=values)
    if batches:
        try:
            await consumer.commit()
        except KafkaError as error:
            say("commit_failed", reason=repr(error))


async def run(options):
    running = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.set)
    consumer = aiokafka.AIOKafkaConsumer(
        bootstrap_servers=options.bootstrap,
        group_id=options.group,
        partition_assignment_strategy=[ASSIGNORS[options.assignor]],
        session_timeout_ms=6000,
        heartbeat_interval_ms=500,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        metadata_max_age_ms=2000,
    )
    consumer.subscribe([options.topic], listener=Listener())
    await consumer.start()
    while not running.is_set():
        await take(consumer)
    await consumer.stop()
    say("left")


def main():
    parser = argparse.ArgumentParser()
    for name in ("bootstrap", "group", "topic", "assignor"):
        parser.add_argument(f"--{name}", required=True)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
