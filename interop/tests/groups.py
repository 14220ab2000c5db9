"""Groups of three that lose a member to kill -9, get a new one, and see the broker restart."""

from lib import brokers, feed, members, topics, waiting
from lib.registry import test

PARTITIONS = 6
CASES = [
    ("librdkafka", "range"),
    ("librdkafka", "roundrobin"),
    ("librdkafka", "cooperative-sticky"),
    ("kcat", "range"),
    ("kcat", "roundrobin"),
    ("kcat", "cooperative-sticky"),
    ("aiokafka", "range"),
    ("aiokafka", "roundrobin"),
    ("aiokafka", "sticky"),
    ("java", "range"),
    ("java", "cooperative-sticky"),
    ("groma", "range"),
    ("groma", "roundrobin"),
    ("groma", "sticky"),
    ("groma", "cooperative-sticky"),
]


class Group:
    """The members of a group under test and what must hold of them together."""

    def __init__(self, bootstrap, topic, assignor):
        self.bootstrap, self.topic, self.assignor = bootstrap, topic, assignor
        self.name = topics.name("group")
        self.alive = []
        self.all = []

    def join(self, client, name):
        member = members.start(client, name, self.bootstrap, self.name, self.topic, self.assignor)
        self.alive.append(member)
        self.all.append(member)
        return member

    def shares(self):
        return sorted(len(member.held) for member in self.alive)

    def wait(self, condition, what):
        """Waits for a condition that needs every member alive."""

        def checked():
            for member in self.alive:
                member.check_alive()
            return condition()

        waiting.until(checked, lambda: f"{what}: {self.alive}")

    def wait_shared(self, *shares):
        """Waits until the members hold every partition once, in shares of the given sizes."""
        expected = sorted(shares)

        def shared():
            held = sorted(partition for member in self.alive for partition in member.held)
            return held == list(range(PARTITIONS)) and self.shares() == expected

        self.wait(shared, f"shares of {expected}")

    def wait_progress(self, more):
        """Waits until each live member has read `more` records more than now."""
        goals = [(member, member.count() + more) for member in self.alive]
        self.wait(lambda: all(member.count() >= goal for member, goal in goals), f"{more} more records in each")

    def wait_read(self, acknowledged):
        """Waits until every acknowledged record was read by someone; returns how many were read twice."""

        def complete():
            return acknowledged.keys() <= {(p, offset) for member in self.all for p, offset, _ in member.read()}

        self.wait(complete, f"all of {len(acknowledged)} acknowledged records read by someone")
        read = [record for member in self.all for record in member.read()]
        for partition, offset, value in read:
            waiting.equal(value, acknowledged[(partition, offset)], f"value at partition {partition} offset {offset}")
        return len(read) - len(acknowledged)

    def leave(self):
        for member in self.alive:
            member.leave()
        waiting.until(
            lambda: all(member.process.poll() is not None for member in self.alive),
            lambda: f"members to end on SIGTERM: {self.alive}",
        )

    def wait_empty(self):
        """Waits until the broker says that the group has no members."""
        admin = topics.admin(self.bootstrap)

        def described():
            return admin.describe_consumer_groups([self.name])[self.name].result()

        waiting.until(lambda: described().state.name == "EMPTY", lambda: f"an empty group, it is {described().state}")


def lose_one(group):
    """kill -9: the others take over; under a cooperative assignor they keep what they hold."""
    killed = group.alive.pop(0)
    before = [(member, len(member.events)) for member in group.alive]
    killed.kill()
    group.wait_shared(3, 3)
    if group.assignor == "cooperative-sticky":
        for member, events in before:
            waiting.equal(member.given_up(events), [], f"partitions that {member.name} gave up when another died")
    group.wait_progress(20)


def gain_one(group, client, name):
    """A new member gets its share; under a cooperative assignor only that moves."""
    before = [(member, len(member.events)) for member in group.alive]
    group.join(client, name)
    group.wait_shared(2, 2, 2)
    if group.assignor == "cooperative-sticky":
        for member, events in before:
            waiting.equal(len(member.given_up(events)), 1, f"moves away from {member.name} when another joined")
    group.wait_progress(20)


def a_restart_is_ours_to_judge(broker, clients):
    """What foreign clients make of a restart of Apache Kafka is between the two: librdkafka 2.x can wait for ever in a
    commit that was under way, without a connection."""
    return broker.kind == "groma" or set(clients) == {"groma"}


def live_through(clients, assignor):
    """The whole life of a group of three of the given clients."""
    with brokers.own() as broker:
        topic = topics.create(broker.address, "numbers", PARTITIONS)
        group = Group(broker.address, topic, assignor)
        feeding = feed.Feed(broker.address, topic, PARTITIONS)
        for number, client in enumerate(clients):
            group.join(client, str(number))
        group.wait_shared(2, 2, 2)
        group.wait_progress(20)
        lose_one(group)
        gain_one(group, clients[0], "3")
        if a_restart_is_ours_to_judge(broker, clients):
            broker.restart()
        group.wait_progress(20)
        twice = group.wait_read(feeding.finish())
        group.wait_shared(2, 2, 2)
        group.leave()
        group.wait_empty()
        print(f"note: {feeding.count()} records, {twice} read twice")


@test(cases=CASES, needs=lambda client, _: ("python", members.NEEDS[client]), limit_s=240)
def group_of_three(client, assignor):
    live_through([client] * 3, assignor)


@test(
    cases=[
        ("librdkafka", "java", "kcat", "range"),
        ("librdkafka", "java", "kcat", "cooperative-sticky"),
        ("groma", "java", "librdkafka", "range"),
        ("java", "groma", "groma", "cooperative-sticky"),
        ("groma", "librdkafka", "kcat", "cooperative-sticky"),
    ],
    needs=lambda *clients: ("python", *{members.NEEDS[client] for client in clients[:3]}),
    limit_s=240,
)
def mixed_group(first, second, third, assignor):
    live_through([first, second, third], assignor)
