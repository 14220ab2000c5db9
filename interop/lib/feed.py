"""A producer in the background that knows what was acknowledged, and where."""

import threading

from lib import waiting


class Feed:
    """Sends consecutive numbers to all partitions of a topic, at a moderate rate, until told to stop."""

    def __init__(self, bootstrap, topic, partitions, pause_s=0.01):
        import confluent_kafka  # only where it is installed

        self.producer = confluent_kafka.Producer(
            {
                "bootstrap.servers": bootstrap,
                "enable.idempotence": True,
                "linger.ms": 5,
                "queue.buffering.max.messages": 2000,
                "message.timeout.ms": 600000,
                "reconnect.backoff.max.ms": 1000,
            },
            logger=None,
        )
        self.topic, self.partitions, self.pause_s = topic, partitions, pause_s
        self.acknowledged = {}
        self.failures = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        number = 0
        while not self.ended.is_set():
            number += self.offer(number)
            self.producer.poll(self.pause_s)

    def offer(self, number):
        """Sends a number unless the client's queue is full; returns how many were sent."""
        partition = number % self.partitions
        try:
            self.producer.produce(self.topic, str(number).encode(), partition=partition, on_delivery=self.delivered)
        except BufferError:
            return 0
        return 1

    def delivered(self, error, message):
        if error:
            self.failures.append(str(error))
        else:
            self.acknowledged[(message.partition(), message.offset())] = message.value().decode()

    def count(self):
        return len(self.acknowledged)

    def finish(self):
        """Stops sending and waits for every acknowledgement."""
        self.ended.set()
        self.thread.join()
        left = self.producer.flush(waiting.left())
        if left or self.failures:
            raise AssertionError(f"{left} records without an answer, failures: {self.failures[:3]}")
        return self.acknowledged
