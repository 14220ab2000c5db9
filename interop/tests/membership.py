"""What a group must get right beyond coming and going: static members, crowds, new partitions, long outages."""

from lib import brokers, members, topics, waiting
from lib.registry import test
from tests.records import TIME_MS, deliver


def consumer(at, group, **settings):
    """A librdkafka consumer in this process."""
    import confluent_kafka

    base = {
        "bootstrap.servers": at,
        "group.id": group,
        "session.timeout.ms": 60000,
        "heartbeat.interval.ms": 500,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "topic.metadata.refresh.interval.ms": 1000,
    }
    return confluent_kafka.Consumer(base | settings, logger=None)


def held(each):
    return sorted((partition.topic, partition.partition) for partition in each.assignment())


def turn(*consumers):
    """Lets each consumer work; what it reads is dropped."""
    for each in consumers:
        each.poll(0.05)


def wait_held(consumers, *shares):
    """Waits until consumers of this process hold shares of the given sizes."""

    def shared():
        turn(*consumers)
        return sorted(len(held(each)) for each in consumers) == sorted(shares)

    waiting.until(shared, lambda: f"shares of {shares}: {[held(each) for each in consumers]}")


def generation(at, group):
    """Members and state of a group as an administrator sees them."""
    admin = topics.admin(at)
    found = admin.describe_consumer_groups([group])[group].result(waiting.left())
    return found.state.name, sorted(member.member_id for member in found.members)


def committed(at, group, topic, partitions):
    """The sum of a group's committed offsets of a topic."""
    from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition

    wanted = ConsumerGroupTopicPartitions(group, [TopicPartition(topic, number) for number in range(partitions)])
    admin = topics.admin(at)
    found = admin.list_consumer_group_offsets([wanted])[group].result(waiting.left())
    return sum(max(partition.offset, 0) for partition in found.topic_partitions)


def feed(at, topic, count=100):
    import confluent_kafka

    producer = confluent_kafka.Producer({"bootstrap.servers": at}, logger=None)
    deliver(producer, topic, [(str(n).encode(), str(n).encode(), [], TIME_MS) for n in range(count)])


@test(needs=("python",))
def a_static_member_comes_back_without_a_round():
    at = brokers.shared()
    topic = topics.create(at, "static", 4)
    group = topics.name("static")
    moves = []

    def watched(name):
        each = consumer(at, group, **{"group.instance.id": name, "session.timeout.ms": 120000})
        each.subscribe(
            [topic],
            on_assign=lambda _, partitions: moves.append((name, "assigned", len(partitions))),
            on_revoke=lambda _, partitions: moves.append((name, "revoked", len(partitions))),
        )
        return each

    pair = [watched("one"), watched("two")]
    wait_held(pair, 2, 2)
    kept = held(pair[0])
    pair[1].close()
    before = len(moves)
    again = watched("two")
    wait_held([pair[0], again], 2, 2)
    waiting.equal(held(pair[0]), kept, "what the other member holds")
    waiting.equal([move for move in moves[before:] if move[0] == "one"], [], "moves at the member that stayed")
    again.close()
    pair[0].close()


@test(needs=("python",))
def two_static_members_of_one_name_are_fenced():
    from confluent_kafka import KafkaError

    at = brokers.shared()
    topic = topics.create(at, "fence", 2)
    group = topics.name("fence")
    fatal = []
    first = consumer(
        at, group, **{"group.instance.id": "same", "error_cb": lambda error: fatal.append(error.name())}
    )
    first.subscribe([topic])
    wait_held([first], 2)
    second = consumer(at, group, **{"group.instance.id": "same"})
    second.subscribe([topic])

    def first_is_fenced():
        message = first.poll(0.05)
        if message is not None and message.error():
            fatal.append(message.error().name())
        turn(second)
        return len(held(second)) == 2 and any(name in ("_FATAL", "FENCED_INSTANCE_ID") for name in fatal)

    waiting.equal(KafkaError._FATAL < 0, True, "librdkafka knows fatal errors")
    waiting.until(first_is_fenced, lambda: f"the first member to be fenced: {fatal}, second holds {held(second)}")
    second.close()
    first.close()


@test(needs=("python",), limit_s=180, cases=[("range",), ("cooperative-sticky",)])
def a_crowd_of_twenty_settles(assignor):
    at = brokers.shared()
    topic = topics.create(at, "crowd", 40)
    group = topics.name("crowd")
    crowd = [consumer(at, group, **{"partition.assignment.strategy": assignor}) for _ in range(20)]
    for each in crowd:
        each.subscribe([topic])
    wait_held(crowd, *[2] * 20)
    everything = sorted(pair for each in crowd for pair in held(each))
    waiting.equal(everything, [(topic, partition) for partition in range(40)], "partitions held, each once")

    def settled():
        state, crew = generation(at, group)
        return (state, len(crew)) == ("STABLE", 20)

    waiting.until(settled, lambda: f"a stable group of 20: {generation(at, group)}")
    for each in crowd[:10]:
        each.close()
    wait_held(crowd[10:], *[4] * 10)
    for each in crowd[10:]:
        each.close()


@test(needs=("python",), cases=[("range",), ("cooperative-sticky",)])
def new_partitions_are_shared_out(assignor):
    from confluent_kafka.admin import NewPartitions

    at = brokers.shared()
    topic = topics.create(at, "grows", 2)
    group = topics.name("grows")
    pair = [consumer(at, group, **{"partition.assignment.strategy": assignor}) for _ in range(2)]
    for each in pair:
        each.subscribe([topic])
    wait_held(pair, 1, 1)
    admin = topics.admin(at)
    admin.create_partitions([NewPartitions(topic, 6)])[topic].result(waiting.left())
    wait_held(pair, 3, 3)
    for each in pair:
        each.close()


@test(needs=("python",))
def a_pattern_finds_new_topics_and_forgets_deleted_ones():
    at = brokers.shared()
    stem = topics.name("pattern")
    first = topics.create(at, f"{stem}-a", 1)
    each = consumer(at, topics.name("pattern"))
    each.subscribe([f"^{stem}-.*"])
    wait_held([each], 1)
    second = topics.create(at, f"{stem}-b", 2)
    wait_held([each], 3)
    admin = topics.admin(at)
    admin.delete_topics([first])[first].result(waiting.left())
    wait_held([each], 2)
    waiting.equal(held(each), [(second, 0), (second, 1)], "partitions held")
    each.close()


@test(needs=("python",))
def a_group_goes_on_where_it_committed():
    at = brokers.shared()
    topic = topics.create(at, "resume", 1)
    group = topics.name("resume")
    feed(at, topic, 100)
    values = []
    for rounds in range(4):
        each = consumer(at, group)
        each.subscribe([topic])
        goal = 25 * (rounds + 1)

        def read():
            message = each.poll(0.1)
            if message is not None and not message.error():
                values.append(int(message.value()))
                each.commit(message=message, asynchronous=False)
            return len(values) >= goal

        waiting.until(read, lambda: f"{goal} records, {len(values)} read")
        each.close()
    waiting.equal(values, list(range(100)), "values over four lives of the group")


@test(needs=("python",), limit_s=180)
def a_group_outlives_an_outage_longer_than_its_session():
    import time

    with brokers.own() as broker:
        topic = topics.create(broker.address, "outage", 4)
        group = topics.name("outage")
        pair = [members.start("librdkafka", str(n), broker.address, group, topic, "range") for n in range(2)]
        waiting.until(lambda: [len(m.held) for m in pair] == [2, 2], lambda: f"shares of two: {pair}")
        feed(broker.address, topic)
        waiting.until(lambda: sum(m.count() for m in pair) == 100, lambda: f"100 records: {pair}")
        waiting.until(lambda: committed(broker.address, group, topic, 4) == 100, lambda: f"100 committed: {pair}")
        broker.stop()
        outage_ends = time.monotonic() + 8
        waiting.until(lambda: time.monotonic() > outage_ends, lambda: "the outage to pass")
        broker.start()
        feed(broker.address, topic)
        waiting.until(lambda: sum(m.count() for m in pair) >= 200, lambda: f"200 records: {pair}")
        waiting.until(lambda: [len(m.held) for m in pair] == [2, 2], lambda: f"shares of two: {pair}")
        waiting.equal(sum(m.count() for m in pair), 200, "records read, committed ones not again")


@test(needs=("python",))
def a_small_fetch_still_gets_a_large_batch():
    import confluent_kafka

    at = brokers.shared()
    topic = topics.create(at, "small-fetch", 1)
    producer = confluent_kafka.Producer({"bootstrap.servers": at, "linger.ms": 100}, logger=None)
    sent = [(None, bytes([n]) * 50_000, [], TIME_MS) for n in range(15)]
    deliver(producer, topic, sent)
    each = consumer(at, topics.name("small"), **{"fetch.message.max.bytes": 1000, "fetch.max.bytes": 1000000})
    each.assign([confluent_kafka.TopicPartition(topic, 0, 0)])
    found = []
    waiting.until(lambda: found.extend(each.consume(10, 0.2)) or len(found) >= 15, lambda: f"15 records, {len(found)} read")
    waiting.equal([m.value()[:1] for m in found], [bytes([n]) for n in range(15)], "first bytes")
    each.close()
