"""The broker under test as a child process: ours, or Apache Kafka, behind one contract."""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kafka
from lib import waiting

HERE = Path(__file__).resolve().parent.parent


def target():
    """The folder of cargo's output, with our debug binaries."""
    return Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target")) / "debug"


def binary():
    """Our command line."""
    return os.environ.get("GROMA", str(target() / "groma"))


def command(kind):
    """How a kind of broker is started; the rest of the arguments is the same for both."""
    if kind == "kafka":
        return [sys.executable, str(HERE / "kafka.py"), "broker"]
    return [binary(), "broker"]


class Broker:
    """A broker on a free port, with a data folder that outlives a restart."""

    def __init__(self, kind, folder=None, settings=()):
        self.kind = kind
        self.folder = Path(folder or tempfile.mkdtemp(prefix="interop-"))
        self.data = self.folder / "data"
        self.settings = settings
        self.host = kafka.lonely_host()
        self.address = None
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    @property
    def log(self):
        return self.folder / "broker.log"

    def start(self):
        """Starts it, on the same port as before if it ran before, and waits for its first line."""
        listen = self.address or f"{self.host}:{kafka.free_ports(1, self.host)[0]}"
        arguments = ["--listen", listen, "--data", str(self.data)]
        for setting in self.settings:
            arguments += ["--set", setting]
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command(self.kind) + arguments,
                stdout=subprocess.PIPE,
                stderr=log,
                stdin=subprocess.DEVNULL,
                preexec_fn=kafka.die_with_parent,
            )
        line = self.first_line()
        if not line.startswith("listening on "):
            raise AssertionError(f"the broker's first line was {line!r}; its log: {self.log_tail()}")
        self.address = line.removeprefix("listening on ").strip()

    def first_line(self):
        text = b""
        while not text.endswith(b"\n"):
            left = waiting.deadline() - time.monotonic()
            if not select.select([self.process.stdout], [], [], max(left, 0))[0]:
                raise AssertionError(f"the broker did not start; its log: {self.log_tail()}")
            byte = os.read(self.process.stdout.fileno(), 1)
            if not byte:
                break
            text += byte
        return text.decode(errors="replace")

    def log_tail(self):
        text = self.log.read_text(errors="replace")[-1500:]
        inner = self.data / "kafka.log"
        return text + (inner.read_text(errors="replace")[-1500:] if inner.exists() else "")

    def stop(self):
        """SIGTERM, and the exit code that must be 0."""
        self.process.send_signal(signal.SIGTERM)
        waiting.until(lambda: self.process.poll() is not None, lambda: "the broker to stop on SIGTERM")
        waiting.equal(self.process.returncode, 0, "the broker's exit code on SIGTERM")

    def kill(self):
        """SIGKILL: what it had in memory is gone."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def restart(self):
        self.stop()
        self.start()


def shared():
    """The address of the broker that the runner keeps for all tests that do not stop it."""
    return os.environ["INTEROP_BOOTSTRAP"]


def kind():
    """`groma` or `kafka`."""
    return os.environ["INTEROP_BROKER"]


def own(settings=()):
    """A broker of the test's own, to be stopped at will."""
    return Broker(kind(), Path(os.environ["INTEROP_FOLDER"]) / "broker", settings)
