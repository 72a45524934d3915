"""Plays worlds, makes their reports, and brings together what these say and what is true."""

from __future__ import annotations

import math
import multiprocessing
import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

import ratios
import statements
from populations import Ledger, Period, Population
from ratios import Ratio
from reports import Key, Line, judged, report, truths
from statements import Statement
from worlds import Job, made_at, played


class Found(NamedTuple):
    """What the reports of worlds say, and what is true."""

    lines: list[Line]
    ratios: list[Ratio]
    statements: list[Statement]


def play(job: Job) -> Found:
    """Plays a world and makes its report; where costs have dates, also one with a filter of time."""
    chance = random.Random(f"{job.family} {job.seed}")
    with played(job) as folder:
        ledger, at = Ledger(folder), datetime.fromisoformat(made_at(folder))
        true = ledger.populations(Period(None, at))
        document = report(job, folder, *target(chance, true))
        found = Found(
            list(judged(job, document, truths(folder / "counted.tsv"))),
            list(ratios.ratios(job, document, true, has_filter=False)) if ledger.is_dated else [],
            list(statements.statements(job, document, true)),
        )
        if ledger.is_dated:
            days, period = filter_of_time(chance, ledger, at)
            filtered, true = report(job, folder, *days), ledger.populations(period)
            found.ratios.extend(ratios.ratios(job, filtered, true, has_filter=True))
    return found


def target(chance: random.Random, true: dict[Key, Population]) -> list[str]:
    """The option for a target around what all campaigns together really return."""
    horizon = chance.choice([7, 35])
    truth = true[()].return_on_ad_spend(f"day_{horizon}") if () in true else None
    if not truth:
        return []
    return [f"--target={max(1, round(100 * truth * math.exp(chance.gauss(0, 0.4))))}%@D{horizon}"]


def filter_of_time(chance: random.Random, ledger: Ledger, at: datetime) -> tuple[list[str], Period]:
    """Options for two weeks at least, and what they mean."""
    start = min(install.day for install in ledger.installs)
    days = (at - start).days
    first = start + timedelta(days=chance.randrange(max(days - 21, 1)))
    last = min(first + timedelta(days=chance.randrange(14, max(days, 15))), at)
    options = [f"--from={first:%Y-%m-%d}", f"--to={last:%Y-%m-%d}"]
    end = last.replace(hour=0, minute=0, second=0) + timedelta(days=1)
    return options, Period(first, min(end, at))


def found_in(jobs: Iterable[Job], processes: int) -> Found:
    together = Found([], [], [])
    with multiprocessing.Pool(processes) as pool:
        for found in pool.imap_unordered(play, jobs):
            together.lines.extend(found.lines)
            together.ratios.extend(found.ratios)
            together.statements.extend(found.statements)
    return together
