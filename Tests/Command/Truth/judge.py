"""Plays simulated worlds and judges what `skan report --installs` says of them.

judge.py [--worlds N] [--broken N] [--jobs N]: a world is a game of some weeks that Tests/Command/Truth/World plays
through the real engine, a device that sends signed postbacks, and the real receiver; of the installs that postbacks tell
of, the world knows what each really brought. Beside the estimates stand those of the report's older column, and the
published practice: what postbacks with a fine value are worth, divided by their share, campaign by campaign.
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

TOP = Path(__file__).resolve().parents[3]
FOLDER = Path(__file__).resolve().parent
BIN = Path(os.environ.get("BUILD", TOP / "build")).resolve() / "bin"
MODELS = [FOLDER / "first.json", FOLDER / "second.json"]
BREACHES = ("none", "hiding", "spending", "rate")
HORIZONS = ("day_2", "day_7", "day_35", "to_date")
LARGE = 100


class Line(NamedTuple):
    """What one line of a report says of one horizon, and what is true."""

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
    why_not: str | None
    today: float | None
    practice: float | None

    @property
    def holds(self) -> bool:
        return self.low is not None and self.high is not None and self.low <= self.truth <= self.high


# ------------------------------------------------------------------------------------------------------------ a world


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
        for place, amount in enumerate(row[5:]):
            self.revenue[place] += int(amount) / 1e6

    @property
    def practice(self) -> float | None:
        return self.middles * self.installs / self.fine if self.fine else None


def middles() -> list[dict[int, float]]:
    """Of each model's fine values, the middle of their revenue; the lower end where there is no other."""
    found = []
    for path in MODELS:
        rules = json.loads(path.read_text())["windows"][0]["rules"]
        ranges = {rule["fine"]: rule["when"].get("revenue", {}) for rule in rules}
        found.append({fine: (of.get("min", 0) + of.get("max", of.get("min", 0))) / 2 for fine, of in ranges.items()})
    return found


Key = tuple[str, ...]


def truths(path: Path) -> dict[Key, Truth]:
    """By the lines of a report: (), (network,), (network, campaign), (network, campaign, ad set's identifier)."""
    found: dict[Key, Truth] = defaultdict(Truth)
    worth = middles()
    with path.open(newline="") as file:
        for row in csv.reader(file, delimiter="\t"):
            middle = worth[int(row[4])][int(row[3])] if row[2] == "fine" else 0.0
            network, identifier = row[0], row[1]
            key = (network, identifier[-2:], identifier[-3:])
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
            for ad_set in campaign["ad_sets"]:
                yield (*key, ad_set["identifier"]), ad_set


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


def today(line: dict[str, Any], place: int) -> float | None:
    """The older column, of the windows that have ended at a horizon."""
    if place > 2:
        return None
    told = [number(window["revenue"]["estimate"]) for window in line["windows"][: place + 1]]
    return None if told[0] is None else sum(amount or 0.0 for amount in told)


def report(folder: Path, at: str, models: int) -> dict[str, Any]:
    store = f"sqlite:{folder / 'world.db'}"
    words = [BIN / "skan", "report", store, "--installs", store, "--json", f"--campaigns={folder / 'campaigns.csv'}"]
    words += [f"--at={at}", *(f"--model={path}" for path in MODELS[:models])]
    run = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"skan report: exit code {run.returncode}\n{run.stderr}")
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def play(job: tuple[str, int]) -> list[Line]:
    """One world."""
    breach, seed = job
    where = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="skan-world-", dir=where) as name:
        folder = Path(name)
        words = [str(BIN / "world"), name, str(BREACHES.index(breach)), str(seed), *map(str, MODELS)]
        said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        true = truths(folder / "counted.tsv")
        document = report(folder, said[0], int(said[1]))
    return list(judged(breach, seed, document, true))


LEVELS = ("total", "network", "campaign", "ad set")


def judged(breach: str, seed: int, document: dict[str, Any], true: dict[Key, Truth]) -> Iterator[Line]:
    for key, line in lines(document["total"]):
        is_of_all = len(key) == 3 and len(key[2]) == 2
        truth = true.get(key, Truth())
        if truth.installs != line["installs"]:
            raise SystemExit(f"world {breach} {seed}: {key} has {truth.installs} installs, not {line['installs']}")
        if truth.installs == 0 or is_of_all:
            continue
        below = [of for other, of in true.items() if len(other) == max(2, len(key)) and other[: len(key)] == key]
        practice = [of.practice for of in below]
        for place, horizon in enumerate(HORIZONS):
            brought = line["brought"][horizon]
            yield Line(
                breach, seed, LEVELS[len(key)], horizon, truth.installs, 1 - truth.shown / truth.installs,
                truth.revenue[place], number(brought["estimate"]), number(brought["low"]), number(brought["high"]),
                brought["why_not"], today(line, place),
                sum(amount or 0.0 for amount in practice) if place == 0 and any(practice) else None,
            )


# ---------------------------------------------------------------------------------------------------------- judgement


class Score:
    """What lines of one sort, of one horizon, say of an estimate: how often its intervals hold, and how far it is off."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)
        self.told = [line for line in self.lines if line.estimate is not None]

    @property
    def none(self) -> float:
        return 1 - len(self.told) / len(self.lines) if self.lines else math.nan

    @property
    def coverage(self) -> float:
        return sum(line.holds for line in self.told) / len(self.told) if self.told else math.nan

    @property
    def bias(self) -> float:
        """Of all that was brought: the mean over worlds would count a quiet one as much as a loud one."""
        truth = sum(line.truth for line in self.told)
        return sum((line.estimate or 0.0) - line.truth for line in self.told) / truth if truth else math.nan

    @property
    def bias_doubt(self) -> float:
        """One standard error of the bias."""
        truth = sum(line.truth for line in self.told)
        squares = sum(((line.estimate or 0.0) - line.truth * (1 + self.bias)) ** 2 for line in self.told)
        return math.sqrt(squares) / truth if truth else math.nan

    def error(self, name: str) -> float:
        """How far an estimate is off, as a part of all that was brought; of lines that have all of the estimates."""
        lines = [line for line in self.told if None not in (line.today, line.practice)]
        truth = sum(line.truth for line in lines if getattr(line, name) is not None)
        errors = [abs(getattr(line, name) - line.truth) for line in lines if getattr(line, name) is not None]
        return sum(errors) / truth if truth else math.nan


def percent(part: float, places: int = 1) -> str:
    return "-" if math.isnan(part) else f"{100 * part:.{places}f}"


GROUPS: dict[str, Callable[[Line], bool]] = {
    "total": lambda line: line.level == "total",
    "networks": lambda line: line.level == "network",
    f"campaigns of {LARGE} installs": lambda line: line.level == "campaign" and line.installs >= LARGE,
    "smaller campaigns": lambda line: line.level == "campaign" and line.installs < LARGE,
    "ad sets": lambda line: line.level == "ad set",
}
TITLES = ("horizon", "lines", "none %", "bias %", "+-", "holds %", "error %", "today's %", "practice %")


def table(found: list[Line]) -> Iterator[str]:
    """Of worlds with one breach. Errors are told for lines that have all three estimates."""
    for group, belongs in GROUPS.items():
        yield f"{group:24}" + "".join(f"{title:>10}" for title in TITLES)
        for horizon in HORIZONS:
            score = Score(line for line in found if belongs(line) and line.horizon == horizon)
            cells = [horizon, str(len(score.lines)), percent(score.none), percent(score.bias, 2)]
            cells += [percent(score.bias_doubt, 2), percent(score.coverage)]
            cells += [percent(score.error(name)) for name in ("estimate", "today", "practice")]
            yield " " * 24 + "".join(f"{cell:>10}" for cell in cells)


class Bar(NamedTuple):
    """What true worlds have to hold."""

    bias: float
    least: float
    most: float
    least_of_small: float

    def faults(self, found: Iterable[Line]) -> list[str]:
        """Of each horizon, what does not hold."""
        wrong = []
        true = [line for line in found if line.breach == "none"]
        for horizon in HORIZONS:
            lines = [line for line in true if line.horizon == horizon]
            total, _, large, small, _ = (Score(filter(belongs, lines)) for belongs in GROUPS.values())
            if not abs(total.bias) < self.bias:
                wrong.append(f"{horizon}: bias of the total {percent(total.bias, 2)} %")
            if not self.least <= large.coverage <= self.most:
                wrong.append(f"{horizon}: {percent(large.coverage)} % of intervals of large campaigns hold")
            if not small.coverage >= self.least_of_small:
                wrong.append(f"{horizon}: {percent(small.coverage)} % of intervals of small campaigns hold")
        return wrong


FULL = Bar(bias=0.01, least=0.93, most=0.97, least_of_small=0.90)
# Of a few worlds only.
LOOSE = Bar(bias=0.08, least=0.85, most=1, least_of_small=0.80)


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


def main() -> int:
    """1 where true worlds do not hold what they have to."""
    options = argparse.ArgumentParser()
    options.add_argument("--worlds", type=int, default=200)
    options.add_argument("--broken", type=int, default=20, help="worlds of each breach")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = options.parse_args()
    jobs = [("none", seed) for seed in range(asked.worlds)]
    jobs += [(breach, seed) for breach in BREACHES[1:] for seed in range(asked.broken)]
    found = played(jobs, asked.jobs)
    faults = FULL.faults(found)
    print("\n".join([*told(found), *faults, f"truth: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
