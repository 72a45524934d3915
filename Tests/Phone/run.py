"""Runs simulated lives on libskan: `run.py [--all-worlds] [--only PROPERTY] LIVES [FIRST]`.

With `--only` the first life that breaks this property ends the run. PYTHONPATH has Tests/Vectors/Reference and
Tests/Hosts/Python.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import life
from libskan import ConversionModel, Engine, ReengagementCredit
from posted import Posted
from twins import check_twins
from worlds import World, all_worlds, pairwise_worlds

MODELS = {name: ConversionModel(document) for name, document in life.MODELS.items()}


def engine(setting: life.Setting, clock: Callable[[], float], store: object) -> Engine:
    return Engine(
        store=store,  # type: ignore[arg-type]
        clock=clock,
        models=[MODELS["install"]],
        reengagement_models=[MODELS[setting.model]],
        reengagement_credit=ReengagementCredit.NEWEST if setting.newest else ReengagementCredit.ALL,
        reengagement_cooldown_hours=setting.cooldown_hours,
    )


def plain_engine(clock: Callable[[], float], store: object) -> Engine:
    return Engine(store=store, clock=clock, models=[MODELS["install"]])  # type: ignore[arg-type]


def run(number: int, world: World, posted: Posted, only: str) -> life.Tally:
    """One life; of some its postbacks arrive, and some have twins without re-engagements."""
    one = life.Life(number, world, engine, only)
    tally = one.run()
    if number % 20 == 0:
        posted.check(one)
    if number % 20 == 10 and only in ("", "P10"):
        tally.checks["P10"] += check_twins(number, engine, plain_engine)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--all-worlds", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("lives", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    given = parser.parse_args()
    worlds, count, first = all_worlds() if given.all_worlds else pairwise_worlds(), given.lives, given.first
    checks: Counter[str] = Counter()
    unjudged: Counter[str] = Counter()
    broken, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        posted = Posted(Path(folder), MODELS)
        for number in range(first, first + count):
            try:
                tally = run(number, worlds[number % len(worlds)], posted, given.only)
            except life.Broken as error:
                broken += 1
                print(error, file=sys.stderr)
                if given.only:
                    break
                continue
            checks.update(tally.checks)
            unjudged.update(tally.unjudged)
        posted.close()
    for name, what in life.PROPERTIES.items():
        print(f"{name:>4} {checks.pop(name, 0):>9} {what}")
    print(", ".join(f"{number} {name}" for name, number in sorted(checks.items())))
    for name, number in sorted(unjudged.items()):
        print(f"not judged {number:>9} {name}")
    seconds = time.monotonic() - began
    print(f"{count} lives in {len(worlds)} worlds, {seconds:.0f} s: {count - broken} passed, {broken} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
