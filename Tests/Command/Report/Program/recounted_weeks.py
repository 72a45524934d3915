"""Weeks of install: how many installs each has, and what part of the costs of its days is counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

from counted_costs import total
from postback_rows import Row
from random_stores import DAY
from recount import Key, Recount, is_counted_install
from report_options import HOUR

# 1970-01-05 is a Monday.
FIRST_MONDAY = 4
YEAR = 366


@dataclass(frozen=True)
class Week:
    """A week of a line. The return covers the campaigns of `paid` alone, those whose costs all have a date."""

    installs: dict[Key, int]
    cost: Fraction | None
    paid: set[Key]


def install_day(row: Row) -> int:
    """The day that the middle of the estimated dates is on (Rules, "Time of install")."""
    if not row.is_old:
        return (row.arrived - 84 * HOUR) // DAY
    updates = 63 if row.fine is None else row.fine
    return (row.arrived - DAY // 2 - (updates + 2) * DAY // 2) // DAY


def monday(day: int) -> int:
    return day - (day - FIRST_MONDAY) % 7


def days_of_installs(recount: Recount, keys: set[Key]) -> dict[Key, list[int]]:
    return {key: [install_day(row) for row in recount.rows.get(key, []) if is_counted_install(row)] for key in keys}


def has_dates_alone(recount: Recount, key: Key) -> bool:
    """Whether the campaign has costs, and each of them a date."""
    return key in recount.costs and all(cost.row.day is not None for cost in recount.costs[key])


def recounted_weeks(recount: Recount, keys: set[Key]) -> dict[int, Week]:
    """The weeks of the line of these campaigns, each by its Monday."""
    every = [day for days in days_of_installs(recount, recount.campaigns()).values() for day in days]
    paid = {key for key in keys if has_dates_alone(recount, key)}
    installs = {key: Counter(map(monday, days)) for key, days in days_of_installs(recount, keys).items()}
    costs: defaultdict[int, list[Fraction | None]] = defaultdict(list)
    for cost in (cost for key in paid for cost in recount.costs[key]):
        day = cost.row.day
        if day is not None and any(abs(install - day) <= YEAR for install in every):
            costs[monday(day)].append(cost.counted)
    weeks = {}
    for each in sorted({each for counter in installs.values() for each in counter} | set(costs)):
        counts = {key: counter[each] for key, counter in installs.items() if counter[each]}
        week = Week(counts, total(costs[each]), paid)
        if counts or week.cost is not None:
            weeks[each] = week
    return weeks
