"""Groups of Kafka Connect: what we tell of them, beside what Connect's own REST interface says."""

import os
import subprocess
import time
from pathlib import Path

from lib import brokers, connect, topics, waiting
from lib.registry import test
from tests.command_line import groma

CONNECTORS = {"idle": 4, "other": 2}
EVERYTHING = sorted([*CONNECTORS, *(f"{name}-{task}" for name, tasks in CONNECTORS.items() for task in range(tasks))])
DELAY_MS = 3000
DELAY = {"scheduled.rebalance.max.delay.ms": str(DELAY_MS)}
# That of every worker, see `lib.connect`.
SESSION_MS = 6000
# Eight connectors and tasks, shared out by kind.
EVEN_OF_THREE = {2, 3}


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


@test(needs=("rust", "connect"), limit_s=240)
def groma_tells_what_happens_when_the_leader_of_connect_dies():
    """Beside REST: who was shown what while the leader was dead, whether what it ran waited, and for how long."""
    at, cluster, folder = brokers.shared(), topics.name("connect"), Path(os.environ["INTEROP_FOLDER"])
    workers = [connect.Worker(at, cluster, folder, DELAY) for _ in range(3)]
    for worker in workers:
        worker.wait_up()
    for connector, tasks in CONNECTORS.items():
        workers[0].create(connector, tasks)

    def shared(among):
        shares = among[0].shares(CONNECTORS)
        return len(shares) == len(among) and sorted(sum(shares.values(), [])) == EVERYTHING and shares

    def even():
        shares = shared(workers)
        return shares and {len(share) for share in shares.values()} <= EVEN_OF_THREE

    waiting.until(even, lambda: f"even shares of three: {workers[0].shares(CONNECTORS)}", poll_s=0.2)
    before = shared(workers)
    told = explained(cluster)
    leader = address(told["members"][told["rebalances"][-1]["rounds"][-1]["leader"]])
    victim = next(worker for worker in workers if worker.address == leader)
    survivors = [worker for worker in workers if worker is not victim]
    watched = folder / "watched"
    with open(watched, "w") as out:
        command = [brokers.binary(), "group", "watch", cluster, "--interval", "200ms", "--bootstrap", at]
        watching = subprocess.Popen(command, stdout=out)
    waiting.until(lambda: "Stable" in watched.read_text(), lambda: "the first look at the group")
    count = len(told["rebalances"])
    killed_ms = time.time() * 1000
    victim.kill()
    waiting.until(lambda: shared(survivors), lambda: f"everything at {survivors}", poll_s=0.2)
    whole_ms = time.time() * 1000

    def after_death():
        return explained(cluster)["rebalances"][count:]

    def over():
        news = after_death()
        gone = [address(explained(cluster)["members"][gone["member"]]) for each in news for gone in each["gone"]]
        return gone == [victim.address] and news[-1]["settled_ms"]["value"]

    waiting.until(over, lambda: f"the end of {after_death()}", poll_s=0.2)
    waiting.until(lambda: described(cluster) == shared(survivors), lambda: f"what REST says: {described(cluster)}", poll_s=0.2)
    told, news = explained(cluster), after_death()
    of = lambda member: address(told["members"][member])
    moves = {move["resource"]: (of(move["from"]), of(move["to"])) for each in news for move in each["moves"] if move["from"] and move["to"]}
    after = shared(survivors)
    lost = before[victim.address]
    waiting.equal(sorted(name for name, (source, _) in moves.items() if source == victim.address), lost, "what the dead one ran")
    wrong = {name: to for name, (_, to) in moves.items() if name not in after.get(to, [])}
    waiting.equal(wrong, {}, f"where it runs now: {after}")
    waiting.equal(of(news[-1]["rounds"][-1]["leader"]) in after, True, "who leads now")
    waits = [remark for each in news for remark in each["remarks"] if remark["remark"] == "waits"]
    began, settled = news[0]["began_ms"]["value"], news[-1]["settled_ms"]["value"]
    waited = whole_ms - killed_ms >= SESSION_MS + DELAY_MS
    waiting.equal(bool(waits) and not waited, False, f"no wait is told where none was: {whole_ms - killed_ms:.0f} ms from kill to whole, {waits}")
    for wait in waits:
        waiting.equal(set(wait["resources"]) <= set(lost), True, f"what waits is what was lost: {wait}")
    waiting.equal(killed_ms <= began <= settled <= whole_ms + 5000, True, f"times: {killed_ms} {began} {settled} {whole_ms}")
    line = f"moved {sum(each['moved']['value'] for each in news)} "
    if len(news) == 1:
        waiting.until(lambda: line in watched.read_text(), lambda: f"{line!r} in {watched.read_text()!r}")
    watching.terminate()
    watching.wait()
    print(f"note: kill to whole {whole_ms - killed_ms:.0f} ms, told {settled - began} ms in {len(news)}, waits {len(waits)}")
    for worker in survivors:
        worker.kill()
