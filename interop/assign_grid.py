#!/usr/bin/env python3
"""Times our assignors and Kafka's on the grid of Kafka's own benchmarks, and prints one table.

  ./run assign-grid                   members 100 to 10,000, 5 to 50 partitions a member, 10 to 1,000 topics
  ./run assign-grid --quick           100, 1,000 and 10,000 members, 10 partitions a member, 100 topics
  ./run assign-grid --brief           the whole grid in under 6 minutes, each figure from fewer runs
  ./run assign-grid --out DIR         where results.json, table.md and growth.svg go (default .cache/assign-grid)

Ours is `cargo bench -p groma-rebalance`, from typed reports to typed assignments. Kafka's are CooperativeStickyAssignor
of its client, and UniformAssignor and RangeAssignor of its group coordinator, warmed up, in one JVM each; all figures
are medians in milliseconds. A cell in which one run of Kafka's takes longer than the limit is cut off, and so are those
with more members and more partitions. The machine should have nothing else to do.
"""

import argparse
import json
import math
import re
import selectors
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import kafka  # noqa: E402

CACHE = HERE.parent / ".cache"
NAME = re.compile(r"(?P<interests>assign|assign-unequal)/(?P<event>full|join)/(\d+)x(\d+)x(\d+)")
JAVAS = ("cooperative-sticky", "uniform", "range")
QUICK = [f"{i}/{e}/{m}x{m * 10}x100 " for i in ("assign", "assign-unequal") for e in ("full", "join") for m in (100, 1000, 10000)]
SETUP_S = 5
FASTER_MIN, COUNTS_FROM_MS = 10, 1.0


class Java:
    """A JVM that times one of Kafka's assignors; started again when a cell was cut off."""

    def __init__(self, assignor, options):
        self.assignor, self.options = assignor, options
        self.process, self.too_long = None, []

    def start(self):
        command = ["java", "-Xmx8g", "-cp", f"{classes()}:{kafka.classpath()}", "AssignGrid"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, text=True, preexec_fn=kafka.die_with_parent, **pipes)

    def time(self, name):
        """The median of a cell in milliseconds; None if it was cut off."""
        interests, event, *size = NAME.fullmatch(name).groups()
        members, partitions = int(size[0]), int(size[1])
        if any((interests, event) == cut[:2] and members >= cut[2] and partitions >= cut[3] for cut in self.too_long):
            return None
        if self.process is None:
            self.start()
        print(self.assignor, interests, event, *size, self.options.seconds, file=self.process.stdin, flush=True)
        line = self.answer(self.options.limit * 2 + self.options.seconds * 2 + SETUP_S)
        if line is None:
            self.stop()
            self.too_long.append((interests, event, members, partitions))
            return None
        return float(line)

    def answer(self, seconds):
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            if not ready.select(seconds):
                return None
        line = self.process.stdout.readline()
        if not line:
            raise kafka.Missing(f"the JVM that times {self.assignor} ended with code {self.process.wait()}: is there enough memory?")
        return line

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def classes():
    """Our Java program, compiled."""
    source, folder = HERE / "kafka" / "AssignGrid.java", CACHE / "assign-grid" / "classes"
    made = folder / "AssignGrid.class"
    if made.exists() and made.stat().st_mtime > source.stat().st_mtime:
        return folder
    if not shutil.which("javac"):
        raise kafka.Missing("javac is missing: apt-get install openjdk-17-jdk-headless")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["javac", "-d", str(folder), "-cp", kafka.classpath(), str(source)], check=True)
    return folder


def ours(quick, brief):
    """Milliseconds of each cell and assignor of ours."""
    command = ["cargo", "bench", "-q", "--locked", "-p", "groma-rebalance", "--bench", "assign", "--", "--json", *(["--brief"] if brief else []), *(QUICK if quick else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=HERE.parent, check=True)
    found = {}
    for line in done.stdout.splitlines():
        cell, assignor = (one := json.loads(line))["name"].split()
        found.setdefault(cell, {})[assignor] = one["ms"]
    return found


def measure(options):
    cells = ours(options.quick, options.brief)
    javas = {name: Java(name, options) for name in JAVAS}
    try:
        for number, (cell, figures) in enumerate(cells.items(), 1):
            print(f"{number} of {len(cells)}: {cell}", file=sys.stderr)
            for name, java in javas.items():
                figures[f"java-{name}"] = java.time(cell)
    finally:
        for java in javas.values():
            java.stop()
    return cells


def table(cells, limit):
    """One row a cell, in Markdown."""
    def text(ms):
        return f"> {limit:g} s" if ms is None else f"{ms:.3f}" if ms < 10 else f"{ms:.1f}"

    rows = ["| cell | ours, cooperative-sticky | Kafka's | times | Kafka's uniform | ours, range | Kafka's range |"]
    rows.append("|---" + "|---:" * 6 + "|")
    for cell, f in cells.items():
        sticky, range_ = f["cooperative-sticky"], f["range"]
        java = f["java-cooperative-sticky"]
        times = f"> {limit * 1e3 / sticky:.0f}" if java is None else f"{java / sticky:.1f}"
        columns = (cell, text(sticky), text(java), times, text(f["java-uniform"]), text(range_), text(f["java-range"]))
        rows.append("| " + " | ".join(columns) + " |")
    return "\n".join(rows)


def verdict(cells):
    """What holds of the bars, in a few lines."""
    sticky = {cell: f["cooperative-sticky"] for cell, f in cells.items()}
    java = {cell: f["java-cooperative-sticky"] or math.inf for cell, f in cells.items()}
    count = [cell for cell in cells if java[cell] > COUNTS_FROM_MS]
    short = [cell for cell in count if java[cell] < FASTER_MIN * sticky[cell]]
    slower = [(cell, of, to) for cell in cells for of, to in (("cooperative-sticky", "uniform"), ("range", "range"))
              if cells[cell][of] > (cells[cell][f"java-{to}"] or math.inf)]
    lines = [f"{FASTER_MIN} times as fast as Kafka's cooperative-sticky in {len(count) - len(short)} of the {len(count)} "
             f"cells in which that takes over {COUNTS_FROM_MS:g} ms"]
    lines += [f"  not in {cell}: {java[cell] / sticky[cell]:.1f} times" for cell in short]
    lines.append(f"slower than an assignor of Kafka's group coordinator in {len(slower)} of {2 * len(cells)} comparisons")
    lines += [f"  {of} in {cell}: {cells[cell][of]:.3f} ms, Kafka's {to} {cells[cell][f'java-{to}']:.3f} ms" for cell, of, to in slower]
    lines.append(f"growth: milliseconds rise with (members + partitions) to the power {slope(cells):.2f}")
    return lines


def size(cell):
    members, partitions, _ = map(int, cell.rsplit("/", 1)[1].split("x"))
    return members + partitions


def slope(cells, name="cooperative-sticky"):
    """Of the line through the logarithms, least squares."""
    points = [(math.log(size(cell)), math.log(f[name])) for cell, f in cells.items() if f[name]]
    x_mean, y_mean = (sum(axis) / len(points) for axis in zip(*points))
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)


SERIES = (("cooperative-sticky", "#0b6e4f", "ours, cooperative-sticky"),
          ("java-uniform", "#c77700", "Kafka's uniform"),
          ("java-cooperative-sticky", "#a4243b", "Kafka's cooperative-sticky"))


def picture(cells):
    """Milliseconds over members + partitions, both axes logarithmic."""
    width, height, left, bottom, top, right = 720, 460, 70, 50, 20, 20
    figures = [f[name] for f in cells.values() for name, _, _ in SERIES if f[name]]
    x_low, x_high = (round_power(edge, way) for edge, way in ((min(map(size, cells)), -1), (max(map(size, cells)), 1)))
    y_low, y_high = (round_power(edge, way) for edge, way in ((min(figures), -1), (max(figures), 1)))

    def x(value):
        return left + (math.log10(value) - x_low) / (x_high - x_low) * (width - left - right)

    def y(value):
        return height - bottom - (math.log10(value) - y_low) / (y_high - y_low) * (height - bottom - top)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             '<title>Time to share out over members and partitions</title>', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(y_low, y_high + 1):
        at = y(10**power)
        parts.append(f'<path d="M{left} {at:.1f}H{width - right}" stroke="#ddd"/><text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} ms</text>')
    for power in range(x_low, x_high + 1):
        at = x(10**power)
        parts.append(f'<path d="M{at:.1f} {top}V{height - bottom}" stroke="#ddd"/><text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">{10**power:,}</text>')
    parts.append(f'<text x="{(left + width) / 2}" y="{height - 10}" text-anchor="middle">members + partitions</text>')
    for name, colour, _ in SERIES:
        dots = [(x(size(cell)), y(f[name])) for cell, f in cells.items() if f[name]]
        parts += [f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="{colour}" fill-opacity="0.6"/>' for cx, cy in dots]
    for row, (name, colour, label) in enumerate(SERIES):
        at = top + 16 + 18 * row
        parts.append(f'<circle cx="{left + 16}" cy="{at - 4}" r="4" fill="{colour}"/><text x="{left + 26}" y="{at}">{label}, slope {slope(cells, name):.2f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def round_power(value, way):
    power = math.log10(value)
    return math.floor(power) if way < 0 else math.ceil(power)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="twelve cells only")
    parser.add_argument("--brief", action="store_true", help="shorter runs: 0.15 s each and a limit of 2 s unless said otherwise")
    parser.add_argument("--seconds", type=float, help="to warm up and to measure each of Kafka's cells (0.5)")
    parser.add_argument("--limit", type=float, help="seconds after which a run of Kafka's is cut off (5)")
    parser.add_argument("--out", type=Path, default=CACHE / "assign-grid", metavar="DIR")
    parser.add_argument("--read", type=Path, metavar="FILE", help="measure nothing, show an earlier results.json again")
    options = parser.parse_args()
    options.seconds = options.seconds or (0.15 if options.brief else 0.5)
    options.limit = options.limit or (2 if options.brief else 5)
    return options


def main():
    options = parse()
    began = time.monotonic()
    try:
        cells = json.loads(options.read.read_text()) if options.read else measure(options)
    except (kafka.Missing, OSError, subprocess.CalledProcessError) as failure:
        print(f"assign-grid: {failure}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    options.out.mkdir(parents=True, exist_ok=True)
    shown = "\n".join([table(cells, options.limit), "", *verdict(cells)])
    (options.out / "results.json").write_text(json.dumps(cells, indent=1) + "\n")
    (options.out / "table.md").write_text(shown + "\n")
    (options.out / "growth.svg").write_text(picture(cells))
    print(shown)
    print(f"{time.monotonic() - began:.0f} s; results.json, table.md and growth.svg are in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
