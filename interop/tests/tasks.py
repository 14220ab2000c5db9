"""Groups of tasks with state: tallies that move only to workers that have built them up, and workers that are killed."""

import struct
import tempfile
from pathlib import Path

from lib import brokers, members, topics, waiting
from lib.registry import test
from tests.command_line import groma

TASKS = [f"task-{number}" for number in range(1, 5)]
SESSION_MS = "6000"
WORDS = {"run": "assigned", "stop": "revoked", "keep": "keep", "warm": "warm", "drop": "drop"}


def said(line):
    """Lines of the example `tallies`."""
    word, _, rest = line.strip().partition(" ")
    if word in WORDS:
        yield WORDS[word], [rest], None
    elif word == "behind":
        behind, _, task = rest.partition(" ")
        yield "behind", [task, int(behind)], None


def worker(name, at, group, folder):
    command = [str(members.example("tallies")), at, group, str(folder), name, str(len(TASKS)), SESSION_MS]
    return members.Member(name, command, said)


def counted(folder):
    """How far each task has counted; each number once and in order, or two have counted, or one without its state."""
    counts = {}
    for task in TASKS:
        log = Path(folder) / f"{task}.log"
        data = log.read_bytes() if log.exists() else b""
        numbers = [number for (number,) in struct.iter_unpack(">Q", data[: len(data) // 8 * 8])]
        waiting.equal(numbers, list(range(len(numbers))), f"the numbers of {task}")
        counts[task] = len(numbers)
    return counts


def wait_counting(workers, folder, numbers=50):
    """Waits until every task has counted on by so many numbers."""
    before = counted(folder)

    def on():
        for each in workers:
            each.check_alive()
        return all(count > before[task] + numbers for task, count in counted(folder).items())

    waiting.until(on, lambda: f"each task to count on at one of {workers}")


def followed(member, task):
    """Whether a member's last word on a task before it ran it was that it follows it, and that it had caught up."""
    words = [kind for kind, names in member.events if names[0] == task]
    run = len(words) - words[::-1].index("assigned") - 1
    behind = [names[1] for kind, names in member.events if kind == "behind" and names[0] == task]
    return any(word in ("keep", "warm") for word in words[:run]) and behind[-1] <= 2000


def kill_one_after_the_other(at, folder, workers):
    group = topics.name("tallies")
    workers += [worker(name, at, group, folder) for name in "abc"]
    # More than what counts as caught up, so that a newcomer has something to build up.
    wait_counting(workers, folder, 1000)
    for name in "def":
        workers.pop(0).kill()
        wait_counting(workers, folder)
        newcomer = worker(name, at, group, folder)
        workers.append(newcomer)
        waiting.until(lambda: newcomer.held, lambda: f"{newcomer} to run a task")
        for task in newcomer.held:
            assert followed(newcomer, task), f"{task} moved to a worker without its state: {newcomer}"
        wait_counting(workers, folder)
    waiting.until(lambda: described(group) == held(workers), lambda: f"{described(group)} to be held by {workers}")


def described(group):
    """What each member runs, as `groma group describe` reads it."""
    return sorted(sorted(member["partitions"] or []) for member in groma("group", "describe", group, "--json")["members"])


def held(workers):
    return sorted(sorted(each.held) for each in workers)


@test(needs=("rust",), limit_s=240)
def tallies_count_on_through_the_death_of_any_worker():
    workers = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            kill_one_after_the_other(brokers.shared(), folder, workers)
        finally:
            for each in workers:
                each.kill()
