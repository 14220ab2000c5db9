"""Groups of our own resources: camera feeds shared out among workers that are killed one after the other."""

import os
import tempfile
from pathlib import Path

from lib import brokers, members, topics, waiting
from lib.registry import test
from tests import tasks
from tests.command_line import groma
from tests.kafka_tools import tool

CAMERAS = [f"camera-{number:02}" for number in range(1, 10)]
SESSION_MS = "6000"


def said(line):
    """Lines of the examples `cameras` and `leader_only`."""
    word, _, rest = line.strip().partition(" ")
    if word in ("run", "stop"):
        yield ("assigned" if word == "run" else "revoked"), [rest], None
    elif word in ("lead", "follow", "left"):
        yield word, [], None


def worker(name, at, group, policy="two-round", trace=()):
    command = [str(members.example("cameras")), at, group, str(len(CAMERAS)), SESSION_MS, policy, *map(str, trace)]
    return members.Member(name, command, said)


def candidate(name, at, group):
    return members.Member(name, [str(members.example("leader_only")), at, group, SESSION_MS], said)


def leads(member):
    turns = [kind for kind, _ in member.events if kind in ("lead", "follow")]
    return turns[-1:] == ["lead"]


def wait_shared(workers):
    """Waits until each camera is run by exactly one worker, each has its share, and one of them leads."""

    def shared():
        for each in workers:
            each.check_alive()
        runs = sorted(camera for each in workers for camera in each.held)
        even = {len(each.held) for each in workers} <= share_sizes(len(workers))
        return runs == CAMERAS and even and sum(map(leads, workers)) == 1

    waiting.until(shared, lambda: f"each camera at one of {workers}")


def share_sizes(count):
    least, more = divmod(len(CAMERAS), count)
    return {least, least + 1} if more else {least}


@test(needs=("rust",), limit_s=240)
def cameras_survive_the_death_of_any_worker():
    at, group = brokers.shared(), topics.name("watch")
    workers = [worker(str(number), at, group) for number in range(3)]
    wait_shared(workers)
    for number in range(3, 6):
        victim = workers.pop(0)
        begun = [(each, len(each.events)) for each in workers]
        victim.kill()
        wait_shared(workers)
        for each, since in begun:
            waiting.equal(each.given_up(since), [], f"what {each.name} stopped when another died")
        before = [(each, set(each.held), len(each.events)) for each in workers]
        workers.append(worker(str(number), at, group))
        wait_shared(workers)
        for each, held, since in before:
            stopped = set(each.given_up(since))
            waiting.equal(stopped, held - each.held, f"what {each.name} stopped when another came")
    for each in workers:
        each.leave()
    waiting.until(lambda: all(w.process.poll() == 0 for w in workers), lambda: f"all to leave: {workers}")


@test(needs=("rust",), limit_s=120)
def explain_reads_what_workers_wrote_about_a_death():
    at, group, folder = brokers.shared(), topics.name("traced"), Path(os.environ["INTEROP_FOLDER"])
    traces = [folder / f"{number}.trace" for number in range(3)]
    workers = [worker(str(number), at, group, trace=[traces[number]]) for number in range(3)]
    wait_shared(workers)
    victim = workers.pop(0)
    lost = sorted(victim.held)
    victim.kill()
    wait_shared(workers)
    sources = [word for trace in traces for word in ("--trace", str(trace))]

    def last():
        return groma("group", "explain", group, "--json", *sources)["rebalances"][-1]

    waiting.until(lambda: last()["gone"] and last()["settled_ms"]["value"], lambda: f"the end of {last()}")
    told = last()
    waiting.equal(sorted(move["resource"] for move in told["moves"]), lost, "what moved")
    gaps = {gap["resource"]: gap["to_ms"]["note"] for gap in told["gaps"]}
    waiting.equal(gaps, dict.fromkeys(lost, "its member had it then"), "gaps, whose ends the next owner wrote")
    waiting.equal(bool(told["steps"]), True, f"steps are timed: {told}")
    for each in workers:
        each.leave()


def members_known(group):
    return len(groma("group", "describe", group, "--json")["members"])


@test(
    needs=("rust",),
    limit_s=120,
    cases=[("eager", 15), ("two-round", 3), ("incremental", 3), ("deferred", 0), ("deferred+incremental", 0)],
)
def a_death_with_replacement_stops_what_the_policy_says(policy, stopped):
    """Three workers, one of which dies; when the group knows, another takes its place. What do the two others stop?"""
    at, group = brokers.shared(), topics.name("death")
    workers = [worker(str(number), at, group, policy) for number in range(3)]
    wait_shared(workers)
    victim = workers.pop(0)
    had, begun = set(victim.held), [(each, len(each.events)) for each in workers]
    victim.kill()
    waiting.until(lambda: members_known(group) == 2, lambda: f"the group to miss {victim}")
    if stopped:
        wait_shared(workers)
    replacement = worker("3", at, group, policy)
    wait_shared([*workers, replacement])
    given_up = [camera for each, since in begun for camera in each.given_up(since)]
    waiting.equal(len(given_up), stopped, f"cameras that stopped under {policy}: {given_up}")
    if not stopped:
        waiting.equal(replacement.held, had, "what the replacement has of the dead one's")


@test(needs=("rust",), limit_s=180)
def the_next_leads_when_the_leader_dies():
    at, group = brokers.shared(), topics.name("election")
    candidates = [candidate(str(number), at, group) for number in range(3)]
    while candidates:
        waiting.until(lambda: sum(map(leads, candidates)) == 1, lambda: f"one leader among {candidates}")
        leader = next(each for each in candidates if leads(each))
        candidates.remove(leader)
        leader.kill()


@test(needs=("rust", "python"), limit_s=120)
def kinds_of_groups_live_side_by_side():
    at = brokers.shared()
    topic = topics.create(at, "beside", 4)
    name = topics.name("beside")
    with tempfile.TemporaryDirectory() as folder:
        consumer = members.start("groma", "consumer", at, name, topic, "cooperative-sticky")
        workers = [worker(str(number), at, f"{name}-cameras") for number in range(2)]
        alone = candidate("alone", at, f"{name}-election")
        tally = tasks.worker("tally", at, f"{name}-tallies", folder)
        try:
            waiting.until(lambda: len(consumer.held) == 4, lambda: f"all partitions at {consumer}")
            waiting.until(lambda: len(tally.held) == len(tasks.TASKS), lambda: f"all tasks at {tally}")
            wait_shared(workers)
            waiting.until(lambda: leads(alone), lambda: f"a leader: {alone}")
            stranger = worker("stranger", at, name)
            waiting.until(lambda: stranger.process.poll() is not None, lambda: f"the group to refuse {stranger}")
            waiting.equal(len(consumer.held), 4, "partitions of the group that refused a stranger")
        finally:
            for each in (consumer, *workers, alone, tally):
                each.kill()


@test(needs=("rust", "java"), limit_s=120, only=("kafka",))
def a_group_too_large_for_its_record_says_so_and_how_to_mend_that():
    at, group, count = brokers.shared(), topics.name("large"), 60_000

    def start(name):
        command = [str(members.example("cameras")), at, group, str(count), SESSION_MS]
        return members.Member(name, command, said)

    refused = start("refused")
    waiting.until(lambda: refused.process.poll() is not None, lambda: f"the group to refuse {refused}")
    text = " ".join(refused.error_lines)
    for words in ("UNKNOWN_SERVER_ERROR", "max.message.bytes", "__consumer_offsets", "at least 1"):
        waiting.equal(words in text, True, f"{words!r} in {text!r}")
    raised = ["--entity-type", "topics", "--entity-name", "__consumer_offsets", "--add-config", "max.message.bytes=20000000"]
    tool("configs", "--alter", *raised)
    mended = start("mended")
    waiting.until(lambda: len(mended.held) == count, lambda: f"{len(mended.held)} of {count} at one worker")
    mended.kill()
