"""Workers of Kafka Connect as child processes, asked over REST."""

import json
import subprocess
import urllib.error
import urllib.request

import kafka
from lib import waiting

CALL_LIMIT_S = 30


class Worker:
    """A worker of a Connect cluster: those of one name share out connectors and tasks."""

    def __init__(self, bootstrap, cluster, folder, settings=()):
        host = kafka.lonely_host()
        self.address = f"{host}:{kafka.free_ports(1, host)[0]}"
        config, self.log = folder / f"worker-{self.address}.properties", folder / f"worker-{self.address}.log"
        lines = worker_settings(bootstrap, cluster, self.address) | dict(settings)
        config.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))
        command = kafka.java(
            "org.apache.kafka.connect.cli.ConnectDistributed", str(config), classes=[kafka.compiled("IdleSource")]
        )
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, preexec_fn=kafka.die_with_parent
            )

    def ask(self, method, path, body=None):
        """What the worker answers, or none where it does not answer yet."""
        self.check_alive()
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"http://{self.address}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=CALL_LIMIT_S) as answer:
                return json.load(answer)
        except (urllib.error.HTTPError, OSError, ValueError):
            return None

    def wait_up(self):
        waiting.until(lambda: self.ask("GET", "/connectors") is not None, lambda: f"an answer of {self}", poll_s=0.2)

    def create(self, connector, tasks):
        settings = {"connector.class": "IdleSource", "tasks.max": str(tasks)}
        path = f"/connectors/{connector}/config"
        waiting.until(lambda: self.ask("PUT", path, settings), lambda: f"{connector} to be made by {self}", poll_s=0.2)

    def shares(self, connectors):
        """What REST says that each worker runs, by the worker's address: connectors by name, their tasks as name-number."""
        shares = {}
        for connector in connectors:
            status = self.ask("GET", f"/connectors/{connector}/status")
            if not status:
                return {}
            runs = [(connector, status["connector"])]
            runs += [(f"{connector}-{task['id']}", task) for task in status["tasks"]]
            for name, told in runs:
                if told["state"] == "RUNNING":
                    shares.setdefault(told["worker_id"], []).append(name)
        return {worker: sorted(names) for worker, names in shares.items()}

    def check_alive(self):
        if self.process.poll() is not None:
            raise AssertionError(f"a worker ended by itself: {self}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __repr__(self):
        return f"worker {self.address}, whose log ends with {self.log.read_text(errors='replace')[-1500:]}"


def worker_settings(bootstrap, cluster, address):
    text = "org.apache.kafka.connect.storage.StringConverter"
    topics = {f"{kind}.storage.topic": f"{cluster}-{kind}" for kind in ("config", "offset", "status")}
    copies = {f"{kind}.storage.replication.factor": "1" for kind in ("config", "offset", "status")}
    return topics | copies | {
        "bootstrap.servers": bootstrap,
        "group.id": cluster,
        "listeners": f"http://{address}",
        "key.converter": text,
        "value.converter": text,
        "offset.storage.partitions": "1",
        "status.storage.partitions": "1",
        "session.timeout.ms": "6000",
        "heartbeat.interval.ms": "500",
    }
