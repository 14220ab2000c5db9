"""Waiting for a condition, bounded only by the test's own limit: a slow machine makes a test slow, not red."""

import os
import time

POLL_S = 0.05
SPARE_S = 5


def deadline():
    """When the test must have come to a verdict, on the monotonic clock."""
    return float(os.environ.get("INTEROP_DEADLINE", time.monotonic() + 600)) - SPARE_S


def left():
    """Seconds until then: how long a client may take for a single call."""
    return max(deadline() - time.monotonic(), 0.1)


def until(condition, what, poll_s=POLL_S):
    """Waits until `condition()` is true; `what()` tells the state of things if that never comes."""
    limit = deadline()
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError(f"time ran out while waiting for {what()}")
        time.sleep(poll_s)


def equal(actual, expected, what):
    """Fails with both values when they differ."""
    if actual != expected:
        raise AssertionError(f"{what}: got {short(actual)}, expected {short(expected)}")


def short(value):
    text = repr(value)
    return text if len(text) <= 600 else text[:600] + f"... ({len(text)} characters)"
