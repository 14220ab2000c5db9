"""The list of tests. A test is a plain function under a decorator that says what it needs and how long it may take."""

import dataclasses
import importlib
import pkgutil

TESTS = {}
# A test's limit is for what hangs: so many times what it takes on a slow machine that is quiet.
PATIENCE = 5


@dataclasses.dataclass(frozen=True)
class Test:
    """One test: `run()` raises when it fails."""

    name: str
    run: object
    needs: tuple
    limit_s: int
    only: tuple


def test(needs=(), limit_s=120, cases=((),), only=("groma", "kafka")):
    """Registers a function once per case; a case's values are its arguments and part of its name.

    `needs` names clients (see `lib.install.CLIENTS`), `only` the brokers that the test makes sense for.
    A need may be a function of the case's values.
    """

    def register(function):
        for case in cases:
            name = function.__name__ + (f"[{','.join(str(value) for value in case)}]" if case else "")
            wanted = needs(*case) if callable(needs) else needs
            TESTS[name] = Test(name, lambda case=case: function(*case), tuple(wanted), limit_s * PATIENCE, tuple(only))
        return function

    return register


def load():
    """Imports every module of `tests`, which fills the list."""
    package = importlib.import_module("tests")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"tests.{module.name}")
    return TESTS
