#!/usr/bin/env python3
"""Runs clients that others wrote against our broker, and our client against Apache Kafka.

  interop/run.py                           every test against `groma broker`
  interop/run.py --broker kafka            the same tests against Apache Kafka, to validate the tests themselves
  interop/run.py --only cooperative        tests whose name contains the word
  interop/run.py --list                    names, needs and limits

Each test is a process group of its own with a time limit; what it leaves behind is killed. One line per test, then
`interop: N passed, N failed`. Clients that are not here are installed where that is possible; else their tests are
left out, by name, unless CI=true, where nothing may be left out.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import kafka  # noqa: E402
from lib import brokers, install, registry  # noqa: E402

GRACE_S = 10


class Run:
    """The settings and the tally of one run."""

    def __init__(self, options):
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="groma-interop-"))
        self.passed = self.failed = 0
        self.left_out = []
        self.children = set()

    def folder_of(self, test):
        """A folder of the test's own; its name has no comma, which Kafka would take for a list."""
        return self.folder / re.sub(r"[^a-z0-9_]+", "-", test.name).strip("-")

    def environment(self, test, bootstrap, folder):
        return os.environ | {
            "INTEROP_BROKER": self.options.broker,
            "INTEROP_BOOTSTRAP": bootstrap,
            "INTEROP_FOLDER": str(folder),
            "INTEROP_DEADLINE": str(time.monotonic() + test.limit_s),
            "PYTHONUNBUFFERED": "1",
        }

    def one(self, test, bootstrap):
        """Runs a test in its own process group and says how it went."""
        folder = self.folder_of(test)
        folder.mkdir()
        began = time.monotonic()
        out = folder / "test.log"
        with open(out, "w") as log:
            child = subprocess.Popen(
                [install.interpreter(), str(HERE / "run.py"), "--one", test.name],
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=self.environment(test, bootstrap, folder),
                start_new_session=True,
                preexec_fn=kafka.die_with_parent,
            )
        self.children.add(child)
        try:
            code = child.wait(test.limit_s + GRACE_S)
        except subprocess.TimeoutExpired:
            code = "none, it was killed at its time limit"
        end_group(child)
        self.children.discard(child)
        return test, code, time.monotonic() - began, out.read_text(errors="replace")

    def report(self, test, code, seconds, text):
        verdict = "ok    " if code == 0 else "FAILED"
        notes = " ".join(line.removeprefix("note: ") for line in text.splitlines() if line.startswith("note: "))
        print(f"{verdict} {self.options.broker} {test.name} ({seconds:.1f} s) {notes}".rstrip(), flush=True)
        if code == 0:
            self.passed += 1
            shutil.rmtree(self.folder_of(test), ignore_errors=True)
        else:
            self.failed += 1
            print("    " + f"exit code {code}; its files: {self.folder_of(test)}")
            print("".join(f"    {line}\n" for line in text.splitlines()[-40:]), end="", flush=True)

    def all(self, tests):
        """Runs the tests beside one shared broker, a few at a time."""
        with brokers.Broker(self.options.broker, self.folder / "shared") as broker:
            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                waiting = [pool.submit(self.one, test, broker.address) for test in tests]
                try:
                    for done in concurrent.futures.as_completed(waiting):
                        self.report(*done.result())
                except BaseException:
                    self.give_up(waiting)
                    raise
            broker.stop()

    def give_up(self, waiting):
        """Interrupted: starts no further test and ends those that run."""
        for each in waiting:
            each.cancel()
        for child in list(self.children):
            end_group(child)

    def finish(self):
        for name, why in self.left_out:
            print(f"left out: {name}: {why}")
        skipped = f", {len(self.left_out)} skipped" if self.left_out else ""
        print(f"interop: {self.passed} passed, {self.failed} failed{skipped}", flush=True)
        if not self.failed:
            shutil.rmtree(self.folder, ignore_errors=True)
        return 1 if self.failed else 0


def end_group(child):
    """Kills whatever the test left running, itself included."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def select(run, tests):
    """The tests to run; installs what they need and notes those that must be left out."""
    options = run.options
    wanted = [t for t in tests.values() if options.broker in t.only and any(w in t.name for w in options.only or [""])]
    missing = {}
    for client in sorted({need for test in wanted for need in test.needs}):
        try:
            install.install(client)
        except install.Missing as reason:
            missing[client] = str(reason)
    for test in wanted:
        lacks = [client for client in test.needs if client in missing]
        if lacks:
            run.left_out.append((test.name, missing[lacks[0]]))
    if missing and os.environ.get("CI") == "true":
        sys.exit("with CI=true no test may be left out: " + "; ".join(missing.values()))
    return [test for test in wanted if not any(client in missing for client in test.needs)]


def run_one(tests, name):
    """The child's side: runs the test in this process."""
    try:
        tests[name].run()
    except Exception:
        traceback.print_exc()
        return 1
    return 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--broker", default="groma", metavar="groma|kafka|PATH", help="PATH: that binary of groma")
    parser.add_argument("--only", action="append", metavar="WORD", help="may be given several times")
    parser.add_argument("--jobs", type=int, default=3, help="tests at a time (default 3: most of a test is waiting)")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.broker not in ("groma", "kafka"):
        os.environ["GROMA"] = str(Path(options.broker).resolve())
        options.broker = "groma"
    return options


def main():
    options = parse()
    tests = registry.load()
    if options.one:
        return run_one(tests, options.one)
    if options.list:
        for test in tests.values():
            print(f"{test.name}  needs {', '.join(test.needs)}  at most {test.limit_s} s  on {', '.join(test.only)}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = Run(options)
    run.all(select(run, tests))
    return run.finish()


if __name__ == "__main__":
    sys.exit(main())
