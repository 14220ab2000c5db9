"""`groma group explain` of foreign groups, beside what their members themselves say happened."""

import os
import subprocess
import time
from pathlib import Path

from lib import brokers, members, topics, waiting
from lib.registry import test
from tests.command_line import groma

PARTITIONS = 6


def watch(group, trace):
    """Records the group in the background: what a cluster does not keep."""
    command = [brokers.binary(), "group", "watch", group, "--trace", str(trace), "--interval", "200ms"]
    return subprocess.Popen([*command, "--bootstrap", brokers.shared()], stdout=subprocess.DEVNULL)


def holdings(explained):
    """Who holds what in the end, by the lanes: the shares, without names."""
    shares = {}
    for resource, stays in explained["lanes"].items():
        if stays and stays[-1]["to_ms"] is None:
            shares.setdefault(stays[-1]["member"], set()).add(int(resource.rsplit("-", 1)[1]))
    return sorted(sorted(share) for share in shares.values())


def numbers(moves):
    return sorted(int(move["resource"].rsplit("-", 1)[1]) for move in moves)


def settled(member_list, share):
    return lambda: all(len(member.held) == share for member in member_list)


def group_name(client):
    """A name whose hash in Java is negative and odd: where a group lies must not depend on its sign."""
    names = (topics.name(f"explained-{client}") for _ in range(1000))
    return next(name for name in names if java_hash(name) < 0 and java_hash(name) % 2)


def java_hash(text):
    number = 0
    for letter in text:
        number = (31 * number + ord(letter)) & 0xFFFFFFFF
    return number - (1 << 32) if number >> 31 else number


@test(
    needs=("rust", "java", "python"),
    limit_s=120,
    cases=[("java", "range"), ("java", "cooperative-sticky"), ("librdkafka", "range"), ("librdkafka", "cooperative-sticky")],
)
def explain_tells_of_a_foreign_group_what_its_members_say(client, assignor):
    at = brokers.shared()
    topic = topics.create(at, "explained", PARTITIONS)
    group = group_name(client)
    trio = [members.start(client, str(number), at, group, topic, assignor) for number in range(3)]
    waiting.until(settled(trio, 2), lambda: f"shares of two: {trio}")
    trace = Path(os.environ["INTEROP_FOLDER"]) / f"{group}.trace"
    recording = watch(group, trace)
    waiting.until(lambda: trace.exists() and "Stable" in trace.read_text(), lambda: "the first look at the group")
    victim, survivors = trio[0], trio[1:]
    lost = sorted(victim.held)
    before = {member: set(member.held) for member in survivors}
    marks = [len(member.events) for member in survivors]
    killed_ms = time.time() * 1000
    victim.kill()
    waiting.until(settled(survivors, 3), lambda: f"shares of three: {survivors}")
    whole_ms = time.time() * 1000

    explained = told(group)
    last = explained["rebalances"][-1]
    gained = sorted(p for member in survivors for p in member.held - before[member])
    waiting.equal(numbers(last["moves"]), gained, "what moved, and what the survivors say they were given")
    waiting.equal(set(lost) <= set(numbers(last["moves"])), True, f"{lost} moved: {last['moves']}")
    waiting.equal(len({gone["member"] for gone in last["gone"]}), 1, "one member is gone")
    dead = last["gone"][0]["member"]
    from_dead = numbers(move for move in last["moves"] if move["from"] == dead)
    waiting.equal(from_dead, lost, "what the dead member had")
    waiting.equal(holdings(explained), sorted(sorted(member.held) for member in survivors), "who holds what in the end")
    waiting.equal(last["least_moves"]["value"], 2, "the least that had to move")
    given_up = sorted(p for member, mark in zip(survivors, marks) for p in member.given_up(mark))
    if assignor == "cooperative-sticky":
        waiting.equal(given_up, [], "what survivors gave up")
        paused = [gap for gap in last["gaps"] if gap["from"] == gap["to"]]
        waiting.equal(paused, [], "nothing that is kept pauses under a cooperative protocol")
    check_times(group, trace, recording, (killed_ms, whole_ms))
    for member in survivors:
        member.leave()


def told(group, *source):
    """What is told of the group, as soon as the last rebalance told of is the one that a death made, to its end."""

    def whole():
        explained = groma("group", "explain", group, "--json", *source)
        last = explained["rebalances"][-1]
        return last["gone"] and last["settled_ms"]["value"] and explained

    last_seen = lambda: groma("group", "explain", group, "--json", *source)["rebalances"][-1]
    waiting.until(whole, lambda: f"the end of the rebalance after a death in {group}, of which is told {last_seen()}")
    return whole()


def check_times(group, trace, recording, happened):
    """The gap that the recording tells lies where it happened: a poll and a client's line may be late by this much."""
    tolerance_ms = 5000
    last = told(group, "--trace", str(trace))["rebalances"][-1]
    recording.terminate()
    recording.wait()
    killed_ms, whole_ms = happened
    ends = [gap["to_ms"]["value"] for gap in last["gaps"] if gap["to_ms"]["value"]]
    waiting.equal(bool(ends), True, f"there are gaps: {last}")
    late = [end for end in ends if not killed_ms <= end <= whole_ms + tolerance_ms]
    waiting.equal(late, [], f"gaps end between {killed_ms} and {whole_ms}")
    marked = {known["basis"] for gap in last["gaps"] for known in (gap["from_ms"], gap["to_ms"])}
    print(f"note: killed to whole {whole_ms - killed_ms:.0f} ms; known by {sorted(marked)}; bill {last['bill']['stopped_ms']['value']} ms")


@test(needs=("rust", "python"))
def explain_names_a_leader_of_another_make():
    at = brokers.shared()
    topic = topics.create(at, "led", PARTITIONS)
    group = topics.name("led")
    first = members.start("librdkafka", "first", at, group, topic, "cooperative-sticky")
    waiting.until(settled([first], PARTITIONS), lambda: f"everything at {first}")
    second = members.start("groma", "second", at, group, topic, "cooperative-sticky")
    waiting.until(settled([first, second], 3), lambda: f"shares of three: {first}, {second}")

    def remarks():
        rebalances = groma("group", "explain", group, "--json")["rebalances"]
        return [remark for rebalance in rebalances for remark in rebalance["remarks"]]

    waiting.until(lambda: remarks(), lambda: f"a remark on the leader: {remarks()}")
    seen = {(remark["remark"], remark["basis"]) for remark in remarks()}
    waiting.equal(seen, {("foreign-leader", "inferred")}, "what is noticed, and how it is known")
    for member in (first, second):
        member.leave()


@test(needs=("rust", "python"))
def b89_a_leader_that_gives_away_what_is_held_is_named():
    at = brokers.shared()
    topic = topics.create(at, "given", PARTITIONS)
    group = topics.name("given")
    leader = members.start("aiokafka", "leader", at, group, topic, "careless")
    waiting.until(settled([leader], PARTITIONS), lambda: f"everything at {leader}")
    holder = members.start("groma", "holder", at, group, topic, "cooperative-sticky")
    waiting.until(settled([leader, holder], 3), lambda: f"shares of three: {leader}, {holder}")
    held = {f"{topic}-{number}" for number in holder.held}
    watched = Path(os.environ["INTEROP_FOLDER"]) / "watched"
    with open(watched, "w") as out:
        command = [brokers.binary(), "group", "watch", group, "--interval", "200ms", "--bootstrap", at]
        watching = subprocess.Popen(command, stdout=out)
    waiting.until(lambda: "Stable" in watched.read_text(), lambda: "the first look at the group")
    third = members.start("groma", "third", at, group, topic, "cooperative-sticky")
    waiting.until(settled([leader, holder, third], 2), lambda: f"shares of two: {leader}, {holder}, {third}")

    def told():
        return groma("group", "explain", group, "--json")

    def breaches():
        remarks = [remark for rebalance in told()["rebalances"] for remark in rebalance["remarks"]]
        return [remark for remark in remarks if remark["remark"] == "granted-held"]

    waiting.until(breaches, lambda: f"the leader to be named: {told()['rebalances']}")
    known = told()["members"]
    for breach in breaches():
        waiting.equal(breach["resource"] in held, True, f"{breach} is about what {holder.name} held: {held}")
        waiting.equal(breach["holder"] != breach["given_to"] and breach["given_to"] in known, True, f"to another: {breach}")
    waiting.equal(len({breach["holder"] for breach in breaches()}), 1, "the holder")
    line = f"against the rules: the leader gave {breaches()[0]['resource']} to "
    waiting.until(lambda: line in watched.read_text(), lambda: f"{line!r} in {watched.read_text()!r}")
    watching.terminate()
    watching.wait()
    for member in (leader, holder, third):
        member.leave()


@test(needs=("rust", "java", "python"), limit_s=120, cases=[("range",), ("cooperative-sticky",)])
def explain_tells_of_a_java_member_that_comes_back_under_its_name(assignor):
    """A static member is killed and started again within its session: nothing moves, and it is told as what it is."""
    at = brokers.shared()
    topic = topics.create(at, "static", PARTITIONS)
    group = topics.name("static")

    def member(name, instance):
        return members.start("java", name, at, group, topic, assignor, instance)

    trio = [member(name, name) for name in ("red", "green", "blue")]
    waiting.until(settled(trio, 2), lambda: f"shares of two: {trio}")

    def explained():
        return groma("group", "explain", group, "--json")

    waiting.until(lambda: explained()["rebalances"][-1]["settled_ms"]["value"], lambda: "the last of them to be in")
    before, marks = len(explained()["rebalances"]), [len(each.events) for each in trio[1:]]
    victim = trio[0]
    had = set(victim.held)
    victim.kill()
    back = member("red again", "red")
    waiting.until(lambda: back.held == had, lambda: f"{had} at {back}")
    given_up = [partition for each, mark in zip(trio[1:], marks) for partition in each.given_up(mark)]
    waiting.equal(given_up, [], "what the others gave up")
    waiting.until(lambda: len(explained()["rebalances"]) > before, lambda: f"the return to be told: {explained()}")
    told = explained()
    news = told["rebalances"][before:]
    waiting.equal([each["trigger"]["trigger"] for each in news], ["instance-replaced"], "what happened")
    waiting.equal([each["moved"]["value"] for each in news], [0], "what moved")
    waiting.equal({told["members"][gone["member"]]["instance"] for each in news for gone in each["gone"]}, {"red"}, "who")
    waiting.equal(holdings(told), sorted(sorted(each.held) for each in (back, *trio[1:])), "who holds what in the end")
    for each in (back, *trio[1:]):
        each.leave()


@test(needs=("rust", "java", "python"), limit_s=120, only=("kafka",))
def explain_tells_from_records_what_a_coordinator_shared_out():
    """Nobody watches: records alone tell who came, who was killed, what each was to have and had, epoch by epoch."""
    at = brokers.shared()
    topic = topics.create(at, "epochs", PARTITIONS)
    group = topics.name("epochs")
    trio = [members.start("java", "0", at, group, topic, "uniform")]
    waiting.until(settled(trio, PARTITIONS), lambda: f"everything at {trio}")
    trio.append(members.start("java", "1", at, group, topic, "uniform"))
    waiting.until(settled(trio, 3), lambda: f"shares of three: {trio}")
    marks = [len(member.events) for member in trio]
    trio.append(members.start("java", "2", at, group, topic, "uniform"))
    waiting.until(settled(trio, 2), lambda: f"shares of two: {trio}")
    given_up = sorted(partition for member, mark in zip(trio, marks) for partition in member.given_up(mark))
    victim, survivors = trio[0], trio[1:]
    lost, before = sorted(victim.held), {member: set(member.held) for member in survivors}
    marks = [len(member.events) for member in survivors]
    killed_ms = time.time() * 1000
    victim.kill()
    waiting.until(settled(survivors, 3), lambda: f"shares of three: {survivors}")
    whole_ms = time.time() * 1000

    explained = told(group)
    rebalances = explained["rebalances"]
    triggers = [(each["trigger"]["trigger"], each["trigger"]["basis"]) for each in rebalances]
    waiting.equal(triggers, [("member-joined", "inferred")] * 3 + [("member-gone", "inferred")], "what began each")
    rounds = [each for rebalance in rebalances for each in rebalance["rounds"]]
    epochs = [each["generation"] for each in rounds]
    waiting.equal(epochs, list(range(epochs[0], epochs[0] + len(epochs))), "epochs")
    waiting.equal({each["by"] for each in rounds}, {"coordinator"}, "who shared out")
    waiting.equal(numbers(rebalances[2]["moves"]), given_up, "what moved when the third came, and what members gave up")
    last = rebalances[-1]
    gained = sorted(p for member in survivors for p in member.held - before[member])
    waiting.equal(numbers(last["moves"]), gained, "what moved, and what the survivors say they were given")
    waiting.equal(gained, lost, "only what the dead one had")
    waiting.equal({move["from"] for move in last["moves"]}, {last["gone"][0]["member"]}, "whose it was")
    waiting.equal([p for member, mark in zip(survivors, marks) for p in member.given_up(mark)], [], "what survivors gave up")
    shares = sorted(sorted(member.held) for member in survivors)
    waiting.equal(holdings(explained), shares, "who holds what in the end")
    for word in ("target", "current"):
        known = last["rounds"][-1][word]
        waiting.equal(known["basis"], "observed", f"how {word} is known")
        waiting.equal(sorted(sorted(partitions_of(held)) for held in known["value"].values()), shares, word)
    waiting.equal(killed_ms <= last["began_ms"]["value"] <= last["settled_ms"]["value"] <= whole_ms + 1000, True, f"times: {last}")
    waiting.equal(last["bill"]["stopped_ms"]["value"], None, "how long what it had stood still nobody saw")
    print(f"note: killed to whole {whole_ms - killed_ms:.0f} ms, of which told {last['settled_ms']['value'] - last['began_ms']['value']} ms")
    for member in survivors:
        member.leave()


def partitions_of(resources):
    return [int(name.rsplit("-", 1)[1]) for name in resources]


@test(needs=("rust", "java", "python"), only=("kafka",))
def groma_tells_of_a_group_whose_coordinator_shares_out():
    at = brokers.shared()
    topic = topics.create(at, "reconciled", PARTITIONS)
    group = topics.name("reconciled")
    pair = [members.start("java", str(number), at, group, topic, "uniform") for number in range(2)]
    waiting.until(settled(pair, 3), lambda: f"shares of three: {pair}")

    def described():
        return groma("group", "describe", group, "--json")

    waiting.until(lambda: described()["state"] == "Stable", lambda: f"a settled group: {described()}")
    found = described()
    waiting.equal((found["assignor"], found["epoch"] > 0), ("uniform", True), f"assignor and epoch: {found}")
    holds = sorted(sorted(member["partitions"]) for member in found["members"])
    expected = sorted(sorted(f"{topic}-{partition}" for partition in member.held) for member in pair)
    waiting.equal(holds, expected, "who holds what")

    trace = Path(os.environ["INTEROP_FOLDER"]) / f"{group}.trace"
    recording = watch(group, trace)
    waiting.until(lambda: trace.exists() and "Stable" in trace.read_text(), lambda: "the first look at the group")
    leaver, stays = pair
    lost = sorted(leaver.held)
    leaver.leave()
    waiting.until(settled([stays], PARTITIONS), lambda: f"everything at {stays}")

    def moved():
        return numbers(groma("group", "explain", group, "--json", "--trace", str(trace))["rebalances"][-1]["moves"])

    waiting.until(lambda: moved() == lost, lambda: f"{lost} to have moved, told are {moved()}")
    recording.terminate()
    recording.wait()
    stays.leave()
