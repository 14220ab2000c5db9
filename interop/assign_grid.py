#!/usr/bin/env python3
"""Times our assignors and Kafka's on the grid of Kafka's own benchmarks, and prints one table.

  ./run assign-grid                   members 100 to 10,000, 5 to 50 partitions a member, 10 to 1,000 topics
  ./run assign-grid --quick           100, 1,000 and 10,000 members, 10 partitions a member, 100 topics
  ./run assign-grid --brief           the whole grid in under 8 minutes, each figure from fewer runs
  ./run assign-grid --out DIR         where results.json, assignors.md and assignors.svg go (default .cache/assign-grid)

Ours is `cargo bench -p groma-rebalance`, built as what is shipped: the leader's whole work, from reports to
assignments, both as packed lists of topics and numbers; and the assignor alone, from reports that have been read to who
is to own what. Kafka's are the
whole of CooperativeStickyAssignor of its client, from subscriptions to assignments, and UniformAssignor and
RangeAssignor of its group coordinator, from what the coordinator has in memory to who is to own what; one JVM each,
warmed up. All figures are medians of single runs in milliseconds. A cell in which one run of Kafka's takes longer than
the limit is cut off, and so are those with more members and more partitions. The machine should have nothing else to do.
"""

import argparse
import json
import math
import os
import re
import selectors
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
WARM_UPS = [f"{i} {e} 500 5000 10" for i in ("assign", "assign-unequal") for e in ("full", "join")]
SETUP_S = 5
FASTER_MIN, COUNTS_FROM_MS = 10, 1.0


class Java:
    """A JVM that times one of Kafka's assignors; started again when a cell was cut off."""

    def __init__(self, assignor, options):
        self.assignor, self.options = assignor, options
        self.process, self.too_long = None, []

    def start(self):
        command = ["java", "-Xmx8g", "-cp", f"{kafka.compiled('AssignGrid')}:{kafka.classpath()}", "AssignGrid"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, text=True, preexec_fn=kafka.die_with_parent, **pipes)
        for warm_up in WARM_UPS:
            print(self.assignor, *warm_up.split(), self.options.seconds, file=self.process.stdin, flush=True)
            self.answer(self.options.limit * 2 + SETUP_S)

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


def ours(quick, brief):
    """Milliseconds of each cell and assignor of ours."""
    command = ["cargo", "bench", "-q", "--locked", "--profile", "dist", "-p", "groma-rebalance", "--bench", "assign", "--", "--json", *(["--brief"] if brief else []), *(QUICK if quick else [])]
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


SECTIONS = {"assign/full": "All ask for the same; nobody holds anything yet",
            "assign/join": "All ask for the same; one member joins",
            "assign-unequal/full": "Five parts ask for different topics; nobody holds anything yet",
            "assign-unequal/join": "Five parts ask for different topics; one member joins"}
COLUMNS = ("members", "partitions", "topics", "**groma** sticky", "Kafka cooperative-sticky", "times as fast",
           "groma sticky, assignor alone", "Kafka uniform", "**groma** range", "groma range, assignor alone", "Kafka range")


INTRODUCTION = """# Assignors beside Kafka's

How long it takes to share out partitions, on the grid of Kafka's own benchmarks: medians of single runs in milliseconds.

- **groma sticky** and **groma range** are a leader's whole work, from reports to assignments, both as the packed lists of
  topics and numbers that travel; *assignor alone* is from reports that have been read to who is to own what. Built as
  what is shipped (profile `dist`).
- **Kafka cooperative-sticky** is `CooperativeStickyAssignor` of its client: subscriptions to assignments, as objects.
- **Kafka uniform** and **Kafka range** are `UniformAssignor` and `RangeAssignor` of its group coordinator, which read no
  reports and write no lists: the group is in memory, and range answers with the ends of ranges.

![Milliseconds over members and partitions](assignors.svg)
"""


def document(cells, limit, measured):
    return "\n".join([INTRODUCTION, *verdict(cells), "", measured, "", tables(cells, limit), ""])


def conditions(options):
    """When, where, with what."""
    def said(*command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=HERE.parent)
        return done.stdout.splitlines()[0].strip()

    version = re.search(r"[0-9.]+", kafka.JARS.name)[0]
    commit = said("git", "rev-parse", "--short", "HEAD")
    modes = [word for word, chosen in (("--quick", options.quick), ("--brief", options.brief)) if chosen]
    again = " ".join(["./run assign-grid", *modes, f"--limit {options.limit:g}"])
    return (f"Measured on {time.strftime('%Y-%m-%d')} at commit {commit} on a machine with {os.cpu_count()} cores, "
            f"{said('rustc', '--version').split(' (')[0]}, Kafka {version}, {said('java', '-version')}. "
            f"Again: `{again}`, {options.seconds:g} s for each of Kafka's figures; what takes it longer than {options.limit:g} s is cut off.")


def section(cell):
    return cell.rsplit("/", 1)[0]


def tables(cells, limit):
    """A table for each kind of event, a row a cell, in Markdown."""
    lines = []
    for name, title in SECTIONS.items():
        chosen = {cell: figures for cell, figures in cells.items() if section(cell) == name}
        if chosen:
            lines += ["", f"### {title}", "", "| " + " | ".join(COLUMNS) + " |", "|" + "---:|" * len(COLUMNS)]
            lines += [row(cell, figures, limit) for cell, figures in chosen.items()]
    return "\n".join(lines[1:])


def row(cell, f, limit):
    def text(ms):
        return f"> {limit * 1e3:,.0f}" if ms is None else f"{ms:.3f}" if ms < 10 else f"{ms:,.1f}" if ms < 1000 else f"{ms:,.0f}"

    ours, java = f["cooperative-sticky"], f["java-cooperative-sticky"]
    times = f"> {limit * 1e3 / ours:,.0f}" if java is None else f"{java / ours:,.1f}" if java < 100 * ours else f"{java / ours:,.0f}"
    names = ("cooperative-sticky-target", "java-uniform", "range", "range-target", "java-range")
    sizes = [f"{int(number):,}" for number in cell.rsplit("/", 1)[1].split("x")]
    return "| " + " | ".join([*sizes, text(ours), text(java), times, *(text(f[name]) for name in names)]) + " |"


def verdict(cells):
    """What holds of the bars, in a few lines of Markdown."""
    java = {cell: f["java-cooperative-sticky"] or math.inf for cell, f in cells.items()}
    times = {cell: java[cell] / f["cooperative-sticky"] for cell, f in cells.items() if java[cell] > COUNTS_FROM_MS}
    short = {cell: value for cell, value in times.items() if value < FASTER_MIN}
    least = min(times, key=times.get)
    lines = [f"- At least {FASTER_MIN} times as fast as Kafka's cooperative-sticky in {len(times) - len(short)} of the {len(times)} cells "
             f"in which that takes over {COUNTS_FROM_MS:g} ms; the least is {times[least]:.1f} times, in {least}."]
    if short:
        lines.append("  Less in " + ", ".join(f"{cell} ({value:.1f})" for cell, value in sorted(short.items(), key=lambda i: i[1])) + ".")
    for suffix, what in (("-target", "The assignor alone"), ("", "Our whole work")):
        slower = slower_than_server(cells, suffix)
        lines.append(f"- {what} is faster than the assignor alone of Kafka's group coordinator in {2 * len(cells) - len(slower)} of {2 * len(cells)} comparisons.")
        for to in ("uniform", "range"):
            worst = max((one for one in slower if one[1] == to), key=lambda one: one[2] / one[3], default=None)
            if worst:
                count = sum(one[1] == to for one in slower)
                lines.append(f"  Slower than {to} in {count}; the most in {worst[0]}, {worst[2]:.3f} to {worst[3]:.3f} ms.")
    return lines + [f"- Our milliseconds rise with (members + partitions) to the power of {slope(cells, SERIES[0][0]):.2f}; 1 is linear."]


def slower_than_server(cells, suffix):
    pairs = (("cooperative-sticky", "uniform"), ("range", "range"))
    each = ((cell, to, f[of + suffix], f[f"java-{to}"] or math.inf) for cell, f in cells.items() for of, to in pairs)
    return [one for one in each if one[2] > one[3]]


def size(cell):
    members, partitions, _ = map(int, cell.rsplit("/", 1)[1].split("x"))
    return members + partitions


def slope(cells, name):
    """Of the line through the logarithms, least squares."""
    points = [(math.log(size(cell)), math.log(f[name])) for cell, f in cells.items() if f[name]]
    x_mean, y_mean = (sum(axis) / len(points) for axis in zip(*points))
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)


SERIES = (("cooperative-sticky", "#0b6e4f", "groma cooperative-sticky"),
          ("java-cooperative-sticky", "#a4243b", "Kafka cooperative-sticky"),
          ("java-uniform", "#c77700", "Kafka uniform"))
PANEL = (430, 290)
PADDING = 0.12  # powers of ten
MARGIN_LEFT, MARGIN_TOP, GAP_X, GAP_Y = 64, 96, 84, 54


def picture(cells, limit):
    """Milliseconds over members + partitions, both axes logarithmic, a panel for each kind of event."""
    names = [name for name in SECTIONS if any(section(cell) == name for cell in cells)]
    figures = [f[name] for f in cells.values() for name, _, _ in SERIES if f[name]] + [limit * 1e3]
    axes = [(math.log10(min(values)) - PADDING, math.log10(max(values)) + PADDING) for values in ([size(cell) for cell in cells], figures)]
    width = MARGIN_LEFT + 2 * PANEL[0] + GAP_X + 44
    height = MARGIN_TOP + -(-len(names) // 2) * (PANEL[1] + GAP_Y)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="12" fill="#333">',
             "<title>Time to share out partitions, over members + partitions</title>", f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<text x="{MARGIN_LEFT}" y="28" font-size="17" font-weight="600">Time to share out partitions among the members of a group</text>',
             f'<text x="{MARGIN_LEFT}" y="48" fill="#666">milliseconds over members + partitions; each dot is a cell of the grid; dashed: linear growth</text>']
    at = MARGIN_LEFT + 5
    for name, colour, label in SERIES:
        parts.append(f'<circle cx="{at}" cy="68" r="4" fill="{colour}"/><text x="{at + 9}" y="72">{label}</text>')
        at += 30 + 7 * len(label)
    parts.append(f'<path d="M{at} 63l5 9h-10z" fill="{SERIES[1][1]}"/><text x="{at + 9}" y="72">longer than {limit:g} s, cut off</text>')
    for number, name in enumerate(names):
        corner = (MARGIN_LEFT + number % 2 * (PANEL[0] + GAP_X), MARGIN_TOP + number // 2 * (PANEL[1] + GAP_Y))
        parts += panel({cell: f for cell, f in cells.items() if section(cell) == name}, (SECTIONS[name], corner), (axes, limit))
    return "\n".join([*parts, "</svg>"]) + "\n"


def panel(cells, place, scale):
    (title, (left, top)), (((x_low, x_high), (y_low, y_high)), limit) = place, scale

    def x(value):
        return left + (math.log10(value) - x_low) / (x_high - x_low) * PANEL[0]

    def y(value):
        return top + 20 + (y_high - math.log10(value)) / (y_high - y_low) * (PANEL[1] - 20)

    bottom = top + PANEL[1]
    parts = [f'<text x="{left}" y="{top + 6}" font-weight="600">{title}</text>']
    for power in range(math.ceil(y_low), math.floor(y_high) + 1):
        at = y(10**power)
        parts.append(f'<path d="M{left} {at:.1f}h{PANEL[0]}" stroke="#e4e4e4"/><text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end" fill="#666">{10.0**power:,g}</text>')
    for power in range(math.ceil(x_low), math.floor(x_high) + 1):
        at = x(10**power)
        parts.append(f'<path d="M{at:.1f} {top + 20}V{bottom}" stroke="#e4e4e4"/><text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle" fill="#666">{10**power:,}</text>')
    parts.append(linear(cells, (x, y)))
    for name, colour, _ in SERIES:
        parts += [f'<circle cx="{x(size(cell)):.1f}" cy="{y(f[name]):.1f}" r="3.2" fill="{colour}" fill-opacity="0.65"/>' for cell, f in cells.items() if f[name]]
    cut = sorted({size(cell) for cell, f in cells.items() if f[SERIES[1][0]] is None})
    parts += [f'<path d="M{x(one):.1f} {y(limit * 1e3) - 5:.1f}l5 9h-10z" fill="{SERIES[1][1]}" fill-opacity="0.65"/>' for one in cut]
    return parts


def linear(cells, axes):
    """A line of linear growth through the middle of our figures."""
    x, y = axes
    ours = SERIES[0]
    rates = sorted(f[ours[0]] / size(cell) for cell, f in cells.items())
    first, last = min(map(size, cells)), max(map(size, cells))
    rate = rates[len(rates) // 2]
    return (f'<path d="M{x(first):.1f} {y(rate * first):.1f}L{x(last):.1f} {y(rate * last):.1f}" stroke="{ours[1]}" stroke-dasharray="5 4" fill="none"/>')


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
        earlier = json.loads(options.read.read_text()) if options.read else None
        cells, measured = earlier or (measure(options), conditions(options))
    except (kafka.Missing, OSError, subprocess.CalledProcessError) as failure:
        print(f"assign-grid: {failure}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    options.out.mkdir(parents=True, exist_ok=True)
    shown = document(cells, options.limit, measured)
    (options.out / "results.json").write_text(json.dumps([cells, measured], indent=1) + "\n")
    (options.out / "assignors.md").write_text(shown)
    (options.out / "assignors.svg").write_text(picture(cells, options.limit))
    print(shown)
    print(f"{time.monotonic() - began:.0f} s; results.json, assignors.md and assignors.svg are in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
