"""What campaigns really cost and brought: cost and revenue of one and the same installs.

The population of a ratio is made of all installs and redownloads of the days whose postbacks can have arrived, and its
cost is that of these days. Undated costs stand for all installs and redownloads whose postback has arrived.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from reports import Key

# Without a lock the postback of window 0 arrives 72 hours after the first launch at the earliest.
EARLIEST = timedelta(hours=72)


class Install(NamedTuple):
    """An install that a campaign brought."""

    campaign: Key
    day: datetime
    has_arrived: bool
    revenue: dict[str, float]


class Period(NamedTuple):
    """The days whose installs are in a population; those of costs without a date have no first one."""

    first: datetime | None
    end: datetime

    def has(self, day: datetime) -> bool:
        return (self.first is None or day >= self.first) and day + EARLIEST <= self.end


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
            if install.campaign in with_cost and self.counts(install, period):
                for depth in range(3):
                    found[install.campaign[:depth]].add(install)
        for key, day, cost in self.costs:
            if day is None or period.has(day):
                for depth in range(3):
                    found[key[:depth]].cost += cost
        return found

    def counts(self, install: Install, period: Period) -> bool:
        return period.has(install.day) if self.is_dated else install.has_arrived


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def installs(path: Path) -> Iterator[Install]:
    with path.open(newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        horizons = next(rows)[5:]
        for network, campaign, day, _, arrived, *revenue in rows:
            amounts = {horizon: int(amount) / 1e6 for horizon, amount in zip(horizons, revenue)}
            yield Install((network, campaign), moment(day), bool(arrived), amounts)


def costs(path: Path) -> Iterator[tuple[Key, datetime | None, float]]:
    """The campaign, the day if there is one, and the cost."""
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["cost"]:
                day = moment(row["date"]) if row["date"] else None
                yield (row["network"], row["identifier"]), day, float(row["cost"])
