"""The foreign clients: which are here, and how to get those that are not."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import kafka

HERE = Path(__file__).resolve().parent.parent
CACHE = HERE.parent / ".cache"
VENV = CACHE / "interop-venv"
CLIENTS = ("python", "kcat", "java", "connect", "rust")


class Missing(Exception):
    """A client cannot be had; the text says what is missing and how to get it."""


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Missing(f"`{' '.join(command)}` failed: {done.stdout.decode(errors='replace').strip()[-300:]}")


def apt(package):
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Missing(f"{package} is missing: as root, apt-get install {package}")
    run("apt-get", "update", "-q")
    run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y", "--no-install-recommends", package)


def python():
    """A virtual environment with librdkafka and aiokafka from PyPI."""
    if (VENV / "complete").exists():
        return
    if importlib.util.find_spec("ensurepip") is None:
        apt("python3-venv")
    shutil.rmtree(VENV, ignore_errors=True)
    CACHE.mkdir(exist_ok=True)
    run(sys.executable, "-m", "venv", str(VENV))
    run(str(VENV / "bin" / "pip"), "install", "-q", "-r", str(HERE / "requirements.txt"))
    (VENV / "complete").touch()


def kcat():
    """Debian's kcat, with Debian's librdkafka: an older generation than PyPI's."""
    if not shutil.which("kcat"):
        apt("kcat")


def java():
    """Kafka's own jars from Maven and a Java to run them."""
    if not shutil.which("java"):
        apt("openjdk-17-jre-headless")
    if not shutil.which("mvn"):
        apt("maven")
    try:
        kafka.classpath()
    except kafka.Missing as missing:
        raise Missing(str(missing)) from missing


def connect():
    """Kafka Connect, which comes with Kafka's jars, and a compiler for a connector of ours."""
    java()
    if not shutil.which("javac"):
        apt("openjdk-17-jdk-headless")
    try:
        kafka.compiled("IdleSource")
    except kafka.Missing as missing:
        raise Missing(str(missing)) from missing


def rust():
    """Our own binary and our client's examples, built by the caller."""
    from lib import brokers, members

    for path in (Path(brokers.binary()), members.example("member"), members.example("produce")):
        if not path.exists():
            raise Missing(f"{path} is missing: cargo build -p groma -p groma-client --bins --examples")


def interpreter():
    """The Python that tests run with: the environment's where it is there."""
    return str(VENV / "bin" / "python") if (VENV / "complete").exists() else sys.executable


def install(client):
    """Makes a client available or says in one line why not."""
    {"python": python, "kcat": kcat, "java": java, "connect": connect, "rust": rust}[client]()
