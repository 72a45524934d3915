"""What campaigns really cost and brought: cost and revenue of one and the same installs.

The population of a ratio is made of the installs and redownloads whose postback arrived in the time of the report, and
its cost is their part of the costs of their days. Undated costs stand for all whose postback has arrived.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from reports import Key


class Install(NamedTuple):
    """An install that a campaign brought; `arrived`: when its postback of window 0 did, if it has."""

    campaign: Key
    day: datetime
    arrived: datetime | None
    revenue: dict[str, float]


class Period(NamedTuple):
    """The time of a report."""

    first: datetime | None
    end: datetime

    def has(self, arrived: datetime | None) -> bool:
        return arrived is not None and (self.first is None or arrived >= self.first) and arrived < self.end


class Population:
    """The installs of a line, what they cost, and what they brought until each horizon."""

    def __init__(self) -> None:
        self.installs = 0
        self.cost = 0.0
        self.revenue: dict[str, float] = defaultdict(float)

    def add(self, install: Install) -> None:
        self.installs += 1
        for horizon, amount in install.revenue.items():
            self.revenue[horizon] += amount

    def return_on_ad_spend(self, horizon: str) -> float | None:
        return self.revenue[horizon] / self.cost if self.cost else None

    @property
    def cost_per_install(self) -> float | None:
        return self.cost / self.installs if self.installs else None


class Ledger:
    """All installs and costs of a world."""

    def __init__(self, folder: Path) -> None:
        self.installs = list(installs(folder / "brought.tsv"))
        self.costs = list(costs(folder / "campaigns.csv"))
        self.is_dated = any(day for _, day, _ in self.costs)

    def populations(self, period: Period) -> dict[Key, Population]:
        """By the lines of a report, of a total, its networks and their campaigns."""
        found: dict[Key, Population] = defaultdict(Population)
        with_cost = {key for key, _, _ in self.costs}
        for install in self.installs:
            # A ratio is that of campaigns that have a cost.
            if install.campaign in with_cost and period.has(install.arrived):
                for depth in range(3):
                    found[install.campaign[:depth]].add(install)
        parts = self.parts(period)
        for key, day, cost in self.costs:
            for depth in range(3):
                found[key[:depth]].cost += cost if day is None else cost * parts.get((key, day), 0)
        return found

    def parts(self, period: Period) -> dict[tuple[Key, datetime], float]:
        """Of the installs of each campaign and day the part whose postback arrived in a period."""
        every, arrived = Counter[tuple[Key, datetime]](), Counter[tuple[Key, datetime]]()
        for install in self.installs:
            every[install.campaign, install.day] += 1
            arrived[install.campaign, install.day] += period.has(install.arrived)
        return {place: arrived[place] / count for place, count in every.items()}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def installs(path: Path) -> Iterator[Install]:
    with path.open(newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        horizons = next(rows)[5:]
        for network, campaign, day, _, arrived, *revenue in rows:
            amounts = {horizon: int(amount) / 1e6 for horizon, amount in zip(horizons, revenue)}
            when = datetime.fromtimestamp(int(arrived), UTC) if arrived else None
            yield Install((network, campaign), moment(day), when, amounts)


def costs(path: Path) -> Iterator[tuple[Key, datetime | None, float]]:
    """The campaign, the day if there is one, and the cost."""
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["cost"]:
                day = moment(row["date"]) if row["date"] else None
                yield (row["network"], row["identifier"]), day, float(row["cost"])
