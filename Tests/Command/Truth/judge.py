"""Plays simulated worlds and judges what `skan report --installs` says of them.

A world is a game of some weeks that Tests/Command/Truth/World plays through the real engine, a device that sends signed
postbacks, and the real receiver; it knows what each of the installs that postbacks tell of really brought. Beside the
estimates stand those of the report's older column, and the published practice: what those postbacks of a campaign are
worth that have a fine value, divided by their share.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

BUILD = Path(os.environ.get("BUILD", Path(__file__).resolve().parents[3] / "build")).resolve()
COMMAND = os.environ.get("SKAN_COMMAND", str(BUILD / "bin" / "skan"))
WORLD = str(BUILD / "bin" / "world")
# In the order of the world's numbers.
BREACHES = ("none", "hiding", "spending", "rate")
HORIZONS = ("day_2", "day_7", "day_35", "to_date")
LEVELS = ("total", "network", "campaign", "ad set")
LARGE = 100
# Of the two models: where bands of ad revenue begin, and bands of all revenue. Before them stand five values of play.
BANDS: list[tuple[list[float], list[float]]] = [
    ([0.05, 0.15], [0.5, 1, 2, 3, 5, 8, 12, 20, 35, 60, 100]),
    ([0.1], [0.4, 1.5, 4, 10, 25, 75]),
]
PLAY: list[dict[str, Any]] = [{}, *({"sessions": {"min": least}} for least in (2, 3, 5))]
PLAY += [{"events": [{"name": "level_10"}]}]


class Line(NamedTuple):
    """What a line of a report says of one horizon, and what is true."""

    breach: str
    world: int
    level: str
    horizon: str
    installs: int
    hidden: float
    truth: float
    estimate: float | None
    low: float | None
    high: float | None
    today: float | None
    practice: float | None

    @property
    def holds(self) -> bool:
        return self.low is not None and self.high is not None and self.low <= self.truth <= self.high

    @property
    def is_comparable(self) -> bool:
        """There are all estimates that the horizon has."""
        others = {"day_2": (self.today, self.practice), "to_date": ()}.get(self.horizon, (self.today,))
        return self.estimate is not None and None not in others


# ------------------------------------------------------------------------------------------------------------ a world


def revenue_rules(fine: int, kind: str, begins: list[float]) -> Iterator[dict[str, Any]]:
    for least, end in zip(begins, [*begins[1:], None]):
        revenue = {"kind": kind, "min": least} | ({"max": end} if end else {})
        is_last = kind == "all" and end is None
        yield {"fine": fine, "coarse": 2 if least >= 10 else 1, "lock": is_last, "when": {"revenue": revenue}}
        fine += 1


def model(ads: list[float], bands: list[float]) -> dict[str, Any]:
    """A conversion model; the last value locks its window."""
    first = [{"fine": fine, "coarse": 0, "when": when} for fine, when in enumerate(PLAY)]
    first += [*revenue_rules(len(PLAY), "ad", ads), *revenue_rules(len(PLAY) + len(ads), "all", bands)]
    later = [{"coarse": place, "when": {"revenue": {"kind": "all", "min": least}}}
             for place, least in enumerate([0, 0.1, 5])]
    windows = [{"rules": first}, *[{"rules": later}] * 2]
    rates = {"EUR": "1.09", "JPY": "0.0066"}
    return {"schema": 1, "id": "world", "currency": "USD", "rates": rates, "raise_only": True, "windows": windows}


def middles(ads: list[float], bands: list[float]) -> list[float]:
    """Of each fine value, the middle of its band; the lower end of the last."""
    ends = [*ads[1:], ads[-1]], [*bands[1:], bands[-1]]
    return [0.0] * len(PLAY) + [(low + high) / 2 for low, high in zip(ads + bands, ends[0] + ends[1])]


class Truth:
    """What the installs of a line brought, in all and by the published practice."""

    def __init__(self) -> None:
        self.installs = self.fine = self.shown = 0
        self.revenue = [0.0] * len(HORIZONS)
        self.middles = 0.0

    def add(self, row: list[str], middle: float) -> None:
        self.installs += 1
        self.shown += row[2] != "hidden"
        self.fine += row[2] == "fine"
        self.middles += middle
        self.revenue = [sum_ + int(amount) / 1e6 for sum_, amount in zip(self.revenue, row[5:])]

    @property
    def practice(self) -> float | None:
        return self.middles * self.installs / self.fine if self.fine else None


Key = tuple[str, ...]


def truths(path: Path) -> dict[Key, Truth]:
    """By the lines of a report: (), (network,), (network, campaign), (network, campaign, ad set)."""
    found: dict[Key, Truth] = defaultdict(Truth)
    worth = [middles(*bands) for bands in BANDS]
    with path.open(newline="") as file:
        for row in csv.reader(file, delimiter="\t"):
            middle = worth[int(row[4])][int(row[3])] if row[2] == "fine" else 0.0
            key = (row[0], row[1][-2:], row[1][-3:])
            for depth in range(4):
                found[key[:depth]].add(row, middle)
    return found


def lines(total: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Every line of a report, with its key."""
    yield (), total
    for network in total["networks"]:
        yield (network["network"],), network
        for campaign in network["campaigns"]:
            key = (network["network"], campaign["identifier"])
            yield key, campaign
            yield from (((*key, ad_set["identifier"]), ad_set) for ad_set in campaign["ad_sets"])


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


def today(line: dict[str, Any], horizon: str) -> float | None:
    """The older column, of the windows that have ended at a horizon."""
    ended = line["windows"][: HORIZONS.index(horizon) + 1] if horizon != "to_date" else []
    told = [number(window["revenue"]["extrapolated"]) for window in ended]
    return sum(amount or 0.0 for amount in told) if told and told[0] is not None else None


def world(folder: Path, breach: str, seed: int, *sizes: int) -> list[str]:
    """Plays one into the folder; answers the words of its report."""
    models = [folder / f"{name}.json" for name in ("first", "second")]
    for path, bands in zip(models, BANDS):
        path.write_text(json.dumps(model(*bands)))
    words = [WORLD, folder, BREACHES.index(breach), seed, *models, *sizes]
    said = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    store = f"sqlite:{folder / 'world.db'}"
    options = [f"--installs={store}", f"--at={said[0]}", f"--campaigns={folder / 'campaigns.csv'}"]
    return [COMMAND, "report", store, *options, *(f"--model={path}" for path in models[: int(said[1])])]


def play(job: tuple[str, int]) -> list[Line]:
    """One world."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="skan-world-", dir=memory if Path(memory).is_dir() else None) as name:
        words = world(Path(name), *job)
        run = subprocess.run([*words, "--json"], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise SystemExit(f"skan report: exit code {run.returncode}\n{run.stderr}")
        return list(judged(*job, json.loads(run.stdout), truths(Path(name) / "counted.tsv")))


def judged(breach: str, seed: int, document: dict[str, Any], true: dict[Key, Truth]) -> Iterator[Line]:
    for key, line in lines(document["total"]):
        truth = true.get(key, Truth())
        if truth.installs != line["installs"]:
            raise SystemExit(f"world {breach} {seed}: {key} has {truth.installs} installs, not {line['installs']}")
        if truth.installs == 0 or (len(key) == 3 and len(key[2]) == 2):
            continue
        depth = max(2, len(key))
        below = [of.practice for other, of in true.items() if len(other) == depth and other[: len(key)] == key]
        practice = sum(amount or 0.0 for amount in below) if any(below) else None
        for horizon, revenue in zip(HORIZONS, truth.revenue):
            brought = line["brought"][horizon]
            estimate, low, high = (number(brought[name]) for name in ("estimate", "low", "high"))
            hidden = 1 - truth.shown / truth.installs
            others = today(line, horizon), practice if horizon == "day_2" else None
            of = breach, seed, LEVELS[len(key)], horizon, truth.installs, hidden
            yield Line(*of, revenue, estimate, low, high, *others)


# ---------------------------------------------------------------------------------------------------------- judgement


def percent(part: float, whole: float, places: int = 1) -> str:
    return f"{100 * part / whole:.{places}f}" if whole else "-"


class Score:
    """What lines say of an estimate: how often its intervals hold, and how far it is off."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.told = [line for line in self.lines if line.estimate is not None]
        self.held = sum(line.holds for line in self.told)
        self.truth = sum(line.truth for line in self.told)
        # Of all that was brought: a mean of parts would count a quiet line as much as a loud one.
        self.bias = sum((line.estimate or 0.0) - line.truth for line in self.told)

    @property
    def bias_doubt(self) -> float:
        """One standard error of the bias."""
        factor = 1 + self.bias / self.truth if self.truth else 1
        return math.sqrt(sum(((line.estimate or 0.0) - line.truth * factor) ** 2 for line in self.told))

    def error(self, name: str) -> str:
        """How far an estimate is off, of lines that have all; in percent of what these brought."""
        found = [(line.truth, getattr(line, name)) for line in self.told if line.is_comparable]
        known = [(truth, estimate) for truth, estimate in found if estimate is not None]
        return percent(sum(abs(estimate - truth) for truth, estimate in known), sum(truth for truth, _ in known))

    def holds(self, least: float, most: float) -> bool:
        return bool(self.told) and least <= self.held / len(self.told) <= most


GROUPS: dict[str, Callable[[Line], bool]] = {
    "total": lambda line: line.level == "total",
    "networks": lambda line: line.level == "network",
    f"campaigns of {LARGE} installs": lambda line: line.level == "campaign" and line.installs >= LARGE,
    "smaller campaigns": lambda line: line.level == "campaign" and line.installs < LARGE,
    "ad sets": lambda line: line.level == "ad set",
}
TITLES = ("horizon", "lines", "none %", "bias %", "+-", "holds %", "error %", "today's %", "practice %")


def table(found: list[Line]) -> Iterator[str]:
    """Of worlds with one breach."""
    for group, belongs in GROUPS.items():
        yield f"{group:24}" + "".join(f"{title:>11}" for title in TITLES)
        for horizon in HORIZONS:
            score = Score(line for line in found if belongs(line) and line.horizon == horizon)
            count, told = len(score.lines), len(score.told)
            cells = [horizon, str(count), percent(count - told, count), percent(score.bias, score.truth, 2)]
            cells += [percent(score.bias_doubt, score.truth, 2), percent(score.held, told)]
            cells += [score.error(name) for name in ("estimate", "today", "practice")]
            yield " " * 24 + "".join(f"{cell:>11}" for cell in cells)


class Bar(NamedTuple):
    """What true worlds have to hold: parts of what was brought, and of intervals."""

    bias: float
    least: float
    most: float
    least_of_small: float

    def faults(self, found: Iterable[Line]) -> list[str]:
        wrong = []
        true = [line for line in found if line.breach == "none"]
        for horizon in HORIZONS:
            of = [line for line in true if line.horizon == horizon]
            total, _, large, small, _ = (Score(filter(belongs, of)) for belongs in GROUPS.values())
            if not total.told or abs(total.bias) >= self.bias * total.truth:
                wrong.append(f"{horizon}: bias of the total {percent(total.bias, total.truth, 2)} %")
            for name, score, least, most in [
                ("large", large, self.least, self.most), ("small", small, self.least_of_small, 1),
            ]:
                if not score.holds(least, most):
                    held = percent(score.held, len(score.told))
                    wrong.append(f"{horizon}: {held} % of intervals of {name} campaigns hold")
        return wrong


FULL = Bar(bias=0.01, least=0.93, most=0.97, least_of_small=0.90)
# Of a few worlds.
LOOSE = Bar(bias=0.10, least=0.85, most=1, least_of_small=0.80)


def played(jobs: list[tuple[str, int]], processes: int) -> list[Line]:
    with multiprocessing.Pool(processes) as pool:
        return [line for lines in pool.imap_unordered(play, jobs) for line in lines]


def told(found: list[Line]) -> Iterator[str]:
    """The tables, one for each breach."""
    for breach in BREACHES:
        lines = [line for line in found if line.breach == breach]
        if lines:
            yield f"{len({line.world for line in lines})} worlds, breach: {breach}"
            yield from table(lines)


def measure(folder: Path) -> int:
    """What a report of 1 000 000 installs and 300 000 postbacks costs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "world.db").unlink(missing_ok=True)
    words = world(folder, "none", 1, 1_000_000, 45)
    return subprocess.run(["/usr/bin/time", "-f", "%e s, %M KB", *words, "--by=network"], check=False).returncode


def main() -> int:
    """1 where true worlds do not hold what they have to."""
    options = argparse.ArgumentParser()
    options.add_argument("--worlds", type=int, default=200)
    options.add_argument("--broken", type=int, default=20, help="worlds of each breach")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--measure", type=Path, help="a folder for a large world, whose report is timed")
    asked = options.parse_args()
    if asked.measure:
        return measure(asked.measure)
    jobs = [(breach, seed) for breach in BREACHES for seed in range(asked.broken if breach != "none" else asked.worlds)]
    found = played(jobs, asked.jobs)
    faults = FULL.faults(found)
    print("\n".join([*told(found), *faults, f"truth: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
