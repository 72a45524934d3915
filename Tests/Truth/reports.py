"""Reads what `skan report --installs` says of a world, and what is true of each line."""

from __future__ import annotations

import csv
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from worlds import BANDS, Job, middles, report_words

LEVELS = ("total", "network", "campaign", "ad set")
# The names of members in JSON.
BASIS, REVENUE, RATIO = "basis", "estimated_revenue", "return_on_ad_spend"
# Whether estimates are of redownloads, too.
WITH_REDOWNLOADS = True


class Line(NamedTuple):
    """What a line of a report says of one horizon, and what is true."""

    family: str
    world: int
    level: str
    name: str
    horizon: str
    installs: int
    hidden: float
    truth: float
    estimate: float | None
    low: float | None
    high: float | None
    today: float | None
    practice: float | None
    # What the report of the world warns of, with spaces between.
    warnings: str

    @property
    def holds(self) -> bool:
        return self.low is not None and self.high is not None and self.low <= self.truth <= self.high

    @property
    def is_in_its_interval(self) -> bool:
        found = self.low, self.estimate, self.high
        return None in found or found[0] <= found[1] <= found[2]  # type: ignore[operator]

    @property
    def is_comparable(self) -> bool:
        """There are all estimates that the horizon has."""
        others = {"day_2": (self.today, self.practice), "day_7": (self.today,), "day_35": (self.today,)}
        return self.estimate is not None and None not in others.get(self.horizon, ())


class Truth:
    """What the installs of a line brought, in all and by the published practice."""

    def __init__(self) -> None:
        self.installs = self.redownloads = self.count = self.fine = self.shown = 0
        self.revenue: dict[str, float] = defaultdict(float)
        self.middles = 0.0

    def add(self, row: list[str], revenue: list[tuple[str, float]], middle: float) -> None:
        if row[5] == "1":
            self.redownloads += 1
        else:
            self.installs += 1
        if row[5] == "1" and not WITH_REDOWNLOADS:
            return
        self.count += 1
        self.shown += row[2] != "hidden"
        self.fine += row[2] == "fine"
        self.middles += middle
        for horizon, amount in revenue:
            self.revenue[horizon] += amount

    @property
    def practice(self) -> float | None:
        return self.middles * self.count / self.fine if self.fine else None


Key = tuple[str, ...]


def key_of(network: str, identifier: str) -> Key:
    """Network, campaign, ad set; an identifier of SKAN 3 stands for itself."""
    return (network, identifier[-2:], identifier[-3:]) if identifier.isdigit() else (network, identifier, identifier)


def truths(path: Path) -> dict[Key, Truth]:
    """By the lines of a report: (), (network,), (network, campaign), (network, campaign, ad set)."""
    found: dict[Key, Truth] = defaultdict(Truth)
    worth = [middles(*bands) for bands in BANDS]
    with path.open(newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        horizons = next(rows)[6:]
        for row in rows:
            if not row[0]:
                continue
            middle = worth[int(row[4])][int(row[3])] if row[2] == "fine" else 0.0
            revenue = [(horizon, int(amount) / 1e6) for horizon, amount in zip(horizons, row[6:])]
            key = key_of(row[0], row[1])
            for depth in range(4):
                found[key[:depth]].add(row, revenue, middle)
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
    ended = {"day_2": 1, "day_7": 2, "day_35": 3}.get(horizon, 0)
    told = [number(window["revenue"]["extrapolated"]) for window in line["windows"][:ended]]
    return sum(amount or 0.0 for amount in told) if told and told[0] is not None else None


def report(job: Job, folder: Path, *options: str) -> dict[str, Any]:
    """What the report says of a world in a folder."""
    run = subprocess.run([*report_words(folder), *options, "--json"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"skan report on {job.family} {job.seed}: exit code {run.returncode}\n{run.stderr}")
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def judged(job: Job, document: dict[str, Any], true: dict[Key, Truth]) -> Iterator[Line]:
    warnings = " ".join(warning["assumption"] for warning in document[BASIS]["warnings"])
    for key, line in lines(document["total"]):
        truth = true.get(key, Truth())
        counted = line["installs"], line["redownloads"]
        if (truth.installs, truth.redownloads) != counted:
            counts = f"{truth.installs} installs and {truth.redownloads} redownloads, not {counted}"
            raise SystemExit(f"world {job.family} {job.seed}: {key} has {counts}")
        if truth.count == 0 or (len(key) == 3 and key[2] == key[1]):
            continue
        depth = max(2, len(key))
        below = [of.practice for other, of in true.items() if len(other) == depth and other[: len(key)] == key]
        practice = sum(amount or 0.0 for amount in below) if any(below) else None
        for horizon, revenue in truth.revenue.items():
            if (brought := line[REVENUE].get(horizon)) is None:
                continue
            estimate, low, high = (number(brought[name]) for name in ("estimate", "low", "high"))
            hidden = 1 - truth.shown / truth.count
            others = today(line, horizon), practice if horizon == "day_2" else None
            of = job.family, job.seed, LEVELS[len(key)], " ".join(key), horizon, truth.count, hidden
            yield Line(*of, revenue, estimate, low, high, *others, warnings)
