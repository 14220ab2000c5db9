#!/usr/bin/env python3
"""Runs clients that others wrote against our broker, and our client against Apache Kafka.

  interop/run.py                           every test against `groma broker`, and our client's against Apache Kafka
  interop/run.py --broker groma|PATH       against our broker only (PATH: that binary of groma)
  interop/run.py --broker kafka            every test against Apache Kafka, to validate the tests themselves
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
    """One kind of broker, its tests and the tally."""

    def __init__(self, kind, jobs):
        self.kind, self.jobs = kind, jobs
        self.folder = Path(tempfile.mkdtemp(prefix="groma-interop-"))
        self.passed = self.failed = 0
        self.left_out = []
        self.children = set()

    def folder_of(self, test):
        """A folder of the test's own; its name has no comma, which Kafka would take for a list."""
        return self.folder / re.sub(r"[^a-z0-9_]+", "-", test.name).strip("-")

    def environment(self, test, bootstrap, folder):
        return os.environ | {
            "INTEROP_BROKER": self.kind,
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
        print(f"{verdict} {self.kind} {test.name} ({seconds:.1f} s) {notes}".rstrip(), flush=True)
        if code == 0:
            self.passed += 1
            shutil.rmtree(self.folder_of(test), ignore_errors=True)
        else:
            self.failed += 1
            print("    " + f"exit code {code}; its files: {self.folder_of(test)}")
            print("".join(f"    {line}\n" for line in text.splitlines()[-40:]), end="", flush=True)

    def all(self, tests):
        """Runs the tests beside one shared broker, a few at a time."""
        with brokers.Broker(self.kind, self.folder / "shared") as broker:
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
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
        shutil.rmtree(self.folder, ignore_errors=True)

    def finish(self):
        """Says what was left out and removes the files, unless a test failed."""
        for name, why in self.left_out:
            print(f"left out: {self.kind} {name}: {why}")
        if not self.failed:
            shutil.rmtree(self.folder, ignore_errors=True)


def end_group(child):
    """Kills whatever the test left running, itself included."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def runs(options, tests):
    """The runs asked for, each with its tests: those that miss a client are left out."""
    kinds = [options.broker] if options.broker else ["groma", "kafka"]
    wanted = {}
    for kind in kinds:
        ours_only = kind == "kafka" and not options.broker
        wanted[kind] = [test for test in tests.values() if is_wanted(test, kind, options.only, ours_only)]
    missing = installed([test for chosen in wanted.values() for test in chosen])
    for kind, chosen in wanted.items():
        run = Run(kind, options.jobs)
        here = []
        for test in chosen:
            lacks = [missing[client] for client in needs(test, kind) if client in missing]
            if lacks:
                run.left_out.append((test.name, lacks[0]))
            else:
                here.append(test)
        yield run, here


def is_wanted(test, kind, words, ours_only):
    named = not words or any(word in test.name for word in words)
    return named and kind in test.only and (not ours_only or "rust" in test.needs)


def needs(test, kind):
    return (*test.needs, "java") if kind == "kafka" else test.needs


def installed(tests):
    """Installs what the tests need; returns what cannot be had, with the reason."""
    missing = {}
    for client in sorted({need for test in tests for need in test.needs} | {"java"}):
        try:
            install.install(client)
        except install.Missing as reason:
            missing[client] = str(reason)
    if missing and os.environ.get("CI") == "true":
        sys.exit("with CI=true no test may be left out: " + "; ".join(missing.values()))
    return missing


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
    parser.add_argument("--broker", metavar="groma|kafka|PATH")
    parser.add_argument("--only", action="append", metavar="WORD", help="may be given several times")
    parser.add_argument("--jobs", type=int, default=3, help="tests at a time (default 3: most of a test is waiting)")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.broker not in (None, "groma", "kafka"):
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
    passed = failed = left_out = 0
    for run, chosen in runs(options, tests):
        if chosen:
            run.all(chosen)
        run.finish()
        passed, failed, left_out = passed + run.passed, failed + run.failed, left_out + len(run.left_out)
    skipped = f", {left_out} skipped" if left_out else ""
    print(f"interop: {passed} passed, {failed} failed{skipped}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
