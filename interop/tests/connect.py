"""Groups of Kafka Connect: what we tell of them, beside what Connect's own REST interface says."""

import os
from pathlib import Path

from lib import brokers, connect, topics, waiting
from lib.registry import test
from tests.command_line import groma

CONNECTORS = {"idle": 4, "other": 2}
EVERYTHING = sorted([*CONNECTORS, *(f"{name}-{task}" for name, tasks in CONNECTORS.items() for task in range(tasks))])
DELAY = {"scheduled.rebalance.max.delay.ms": "3000"}


def address(member):
    """Where a member of a Connect group answers: its client id has it."""
    return member["client"].removeprefix("connect-")


def described(cluster):
    """What `describe` says that each worker runs, by the worker's address; none while it cannot be read."""
    found = groma("group", "describe", cluster, "--json")["members"]
    return {address(member): sorted(member["partitions"] or ["?"]) for member in found}


def explained(cluster):
    return groma("group", "explain", cluster, "--json")


@test(needs=("rust", "connect"), limit_s=180)
def groma_tells_what_connect_workers_run_and_what_moves_when_one_dies():
    at, cluster, folder = brokers.shared(), topics.name("connect"), Path(os.environ["INTEROP_FOLDER"])
    pair = [connect.Worker(at, cluster, folder, DELAY) for _ in range(2)]
    for worker in pair:
        worker.wait_up()
    for connector, tasks in CONNECTORS.items():
        pair[0].create(connector, tasks)

    def by_rest(worker):
        return worker.shares(CONNECTORS)

    def everything(worker, workers):
        shares = by_rest(worker)
        return len(shares) == workers and sorted(sum(shares.values(), [])) == EVERYTHING

    waiting.until(lambda: everything(pair[0], 2), lambda: f"shares of two: {by_rest(pair[0])} {pair}", poll_s=0.2)
    waiting.until(
        lambda: described(cluster) == by_rest(pair[0]),
        lambda: f"to be told what REST says: {described(cluster)} is not {by_rest(pair[0])}",
        poll_s=0.2,
    )
    told = explained(cluster)
    leader = address(told["members"][told["rebalances"][-1]["rounds"][-1]["leader"]])
    victim, survivor = sorted(pair, key=lambda worker: worker.address == leader)
    lost = by_rest(survivor)[victim.address]
    victim.kill()
    waiting.until(lambda: everything(survivor, 1), lambda: f"everything at {survivor}: {by_rest(survivor)}", poll_s=0.2)

    def whole():
        last = explained(cluster)["rebalances"][-1]
        return last["settled_ms"]["value"] and last["gone"]

    waiting.until(whole, lambda: f"the end of {explained(cluster)['rebalances'][-1]}", poll_s=0.2)
    told = explained(cluster)
    last, of = told["rebalances"][-1], lambda member: address(told["members"][member])
    waiting.equal([of(gone["member"]) for gone in last["gone"]], [victim.address], "who is gone")
    waiting.equal(sorted(move["resource"] for move in last["moves"]), lost, "what moved")
    waiting.equal({of(move["from"]) for move in last["moves"]}, {victim.address}, "whose it was")
    waiting.equal({of(move["to"]) for move in last["moves"]}, {survivor.address}, "whose it is")
    waits = [(of(remark["owner"]), remark["resources"]) for remark in last["remarks"] if remark["remark"] == "waits"]
    waiting.equal(waits, [(victim.address, lost)], "what waited for whom")
    waiting.equal(last["least_moves"]["value"], len(lost), "the least that had to move")
    waiting.equal(described(cluster), by_rest(survivor), "what the survivor runs")
    survivor.kill()
