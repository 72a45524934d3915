"""Judges what `skan report --installs` says of simulated worlds, family by family.

Seeds below 10 000 are for choosing a method, and for tests; those from 10 000 on judge it.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from estimators import WRONG, made
from worlds import BROKEN, FAMILIES, NATURAL, TRUE, Job, Line, kept, play, world

FIRST_JUDGING_SEED = 10_000
LARGE = 100
# Where no own install is old enough, there is no estimate.
AFTER_WINDOWS = ("day_60", "day_90", "day_180")
# Nothing is said of fewer lines: of day 180 some worlds have estimates.
FEWEST = 10
# Of these the width of intervals is told.
WIDE = 1000


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

    @property
    def held_share(self) -> float | None:
        return self.held / len(self.told) if self.told else None

    @property
    def held_doubt(self) -> float:
        """One standard error of the share that holds: the lines of one world are not independent."""
        share = self.held_share or 0.0
        by_world: dict[tuple[str, int], float] = defaultdict(float)
        for line in self.told:
            by_world[line.family, line.world] += line.holds - share
        return math.sqrt(sum(rest * rest for rest in by_world.values())) / max(len(self.told), 1)

    @property
    def width(self) -> float | None:
        """The median width of intervals, relative to the truth."""
        widths = [(line.high - line.low) / line.truth for line in self.told
                  if line.low is not None and line.high is not None and line.truth > 0]
        return statistics.median(widths) if widths else None

    def error(self, name: str) -> str:
        """How far an estimate is off, of lines that have all; in percent of what these brought."""
        found = [(line.truth, getattr(line, name)) for line in self.told if line.is_comparable]
        known = [(truth, estimate) for truth, estimate in found if estimate is not None]
        return percent(sum(abs(estimate - truth) for truth, estimate in known), sum(truth for truth, _ in known))


GROUPS: dict[str, Callable[[Line], bool]] = {
    "totals": lambda line: line.level == "total",
    "networks": lambda line: line.level == "network",
    f"campaigns of {LARGE} installs": lambda line: line.level == "campaign" and line.installs >= LARGE,
    "smaller campaigns": lambda line: line.level == "campaign" and line.installs < LARGE,
    "ad sets": lambda line: line.level == "ad set",
}


def scores(found: Iterable[Line]) -> list[Score]:
    """By group."""
    found = list(found)
    return [Score(filter(belongs, found)) for belongs in GROUPS.values()]


def horizons(found: Iterable[Line]) -> list[str]:
    """In the order of the report."""
    return list(dict.fromkeys(line.horizon for line in found))


# -------------------------------------------------------------------------------------------------------------- tables

TITLES = ("horizon", "bias", "+-", "campaigns", "+-", "smaller", "networks", "totals", "ad sets", "width", "none",
          "error", "today's", "practice")


def table(found: list[Line]) -> Iterator[str]:
    """Of the worlds of one family, in percent: how often intervals hold; the rest is of campaigns, or of the total."""
    yield "".join(f"{title:>10}" for title in TITLES)
    for horizon in horizons(found):
        total, network, large, small, ad_set = scores(line for line in found if line.horizon == horizon)
        wide = Score(line for line in large.lines if line.installs >= WIDE).width
        campaigns = len(large.lines) + len(small.lines)
        cells = [horizon, percent(total.bias, total.truth), percent(total.bias_doubt, total.truth)]
        cells += [percent(large.held, len(large.told)), f"{100 * large.held_doubt:.1f}"]
        cells += [percent(score.held, len(score.told)) for score in (small, network, total, ad_set)]
        cells += ["-" if wide is None else f"{100 * wide:.0f}"]
        cells += [percent(campaigns - len(large.told) - len(small.told), campaigns)]
        cells += [large.error(name) for name in ("estimate", "today", "practice")]
        yield "".join(f"{cell:>10}" for cell in cells)


def kind(family: str) -> str:
    """What the estimates have to hold in it."""
    if family in BROKEN:
        return "which breaks what is taken for granted"
    return "where players of one value differ" if family in NATURAL else "true to what is taken for granted"


def told(found: list[Line]) -> Iterator[str]:
    """The tables, one for each family."""
    for family in FAMILIES:
        lines = [line for line in found if line.family == family]
        if not lines:
            continue
        counts = [len({(line.world, line.name) for line in score.lines}) for score in scores(lines)]
        yield (f"{family}, {kind(family)}: {counts[0]} worlds, {counts[2]} campaigns of {LARGE} installs or more, "
               f"{counts[3]} smaller ones")
        yield from table(lines)
        yield from warned(lines)


def warned(found: list[Line]) -> Iterator[str]:
    """In how many worlds of one family the report warns of what."""
    worlds = {line.world: line.warnings.split() for line in found}
    counts = Counter(warning for warnings in worlds.values() for warning in warnings)
    if counts:
        yield "warns of " + ", ".join(f"{warning} in {count}" for warning, count in sorted(counts.items()))


# ------------------------------------------------------------------------------------------------------------- the bar


class Bar(NamedTuple):
    """What a family has to hold: parts of what was brought, and of intervals."""

    bias: float
    # Standard errors of the bias that come on top.
    doubts: float
    large: tuple[float, float]
    small: float
    networks: float
    totals: float
    large_if_natural: float

    def faults(self, found: Iterable[Line]) -> list[str]:
        """Of all families in which the estimates have to hold."""
        by_family: dict[str, list[Line]] = defaultdict(list)
        for line in found:
            by_family[line.family].append(line)
        wrong = []
        for family in (*TRUE, *NATURAL):
            of = by_family[family]
            for horizon in horizons(of):
                faults = self.faults_of([line for line in of if line.horizon == horizon], family in NATURAL)
                wrong += [f"{family}, {horizon}: {fault}" for fault in faults]
        return wrong

    def faults_of(self, found: list[Line], is_natural: bool) -> Iterator[str]:
        total, network, large, small, _ = scores(found)
        if not total.told:
            if found[0].horizon not in AFTER_WINDOWS:
                yield "no estimate of the total"
            return
        allowed = self.bias * total.truth + self.doubts * total.bias_doubt
        if not is_natural and len(total.told) >= FEWEST and abs(total.bias) > allowed:
            yield f"bias of the total {percent(total.bias, total.truth)} %"
        bounds = (self.large_if_natural, 1.0) if is_natural else self.large
        yield from outside("campaigns", large, bounds)
        if not is_natural:
            yield from outside("smaller campaigns", small, (self.small, 1))
            yield from outside("totals", total, (self.totals, 1))
        yield from outside("networks", network, (self.networks, 1))
        odd = sum(not line.is_in_its_interval for line in found)
        if odd:
            yield f"{odd} of {len(found)} estimates are outside their interval"


def outside(name: str, score: Score, bounds: tuple[float, float]) -> Iterator[str]:
    share = score.held_share
    if share is not None and len(score.told) >= FEWEST and not bounds[0] <= share <= bounds[1]:
        yield f"{100 * share:.1f} % of intervals of {name} hold"


FULL = Bar(bias=0.02, doubts=2, large=(0.93, 0.97), small=0.90, networks=0.90, totals=0.90, large_if_natural=0.90)
# Of a few worlds.
LOOSE = Bar(bias=0.10, doubts=2, large=(0.85, 1), small=0.80, networks=0.75, totals=0.60, large_if_natural=0.80)


# ------------------------------------------------------------------------------------------------------------- running


def played(jobs: Iterable[Job], processes: int) -> list[Line]:
    with multiprocessing.Pool(processes) as pool:
        return [line for lines in pool.imap_unordered(play, jobs) for line in lines]


def measure(folder: Path) -> int:
    """Says what a report of 1 000 000 installs and 300 000 postbacks costs; 1 where a second one differs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "world.db").unlink(missing_ok=True)
    words = [*world(folder, "none", 1, 1_000_000, 20), "--json"]
    reports = []
    for _ in range(2):
        run = subprocess.run(["/usr/bin/time", "-f", "%e s, %U s of processor, %M KB", *words],
                             stdout=subprocess.PIPE, check=True)
        reports.append(run.stdout)
    counted = json.loads(reports[0])["counted"]
    print(f"{counted}; both reports are {'the same' if reports[0] == reports[1] else 'different'}")
    return int(reports[0] != reports[1])


def unnoticed(bar: Bar, found: list[Line]) -> list[str]:
    """The wrong estimators that pass the bar."""
    return [f"the bar does not notice the estimator {wrong.__name__}" for wrong in WRONG
            if len(bar.faults(made(wrong, found))) <= len(bar.faults(found))]


def write(found: list[Line], path: Path) -> None:
    with path.open("w", newline="") as file:
        rows = csv.writer(file, delimiter="\t")
        rows.writerow(Line._fields)
        rows.writerows(found)


def main() -> int:
    """1 where a family does not hold what it has to."""
    options = argparse.ArgumentParser()
    options.add_argument("--families", default=",".join(FAMILIES), help="names with commas between them")
    options.add_argument("--worlds", type=int, default=100, help="worlds of each family that is judged")
    options.add_argument("--broken", type=int, default=20, help="worlds of each family that breaks an assumption")
    options.add_argument("--first", type=int, default=FIRST_JUDGING_SEED, help="the first seed")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--keep", type=Path, help="a folder in which worlds are kept, and used again")
    options.add_argument("--only-play", action="store_true", help="with --keep: no report is made")
    options.add_argument("--lines", type=Path, help="a file for what was said of each line, separated by tabs")
    options.add_argument("--measure", type=Path, help="a folder for a large world, whose report is timed")
    asked = options.parse_args()
    if asked.measure:
        return measure(asked.measure)
    counts = {family: asked.broken if family in BROKEN else asked.worlds for family in asked.families.split(",")}
    if unknown := counts.keys() - set(FAMILIES):
        options.error(f"no such families: {', '.join(sorted(unknown))}")
    jobs = [Job(family, asked.first + place, (), asked.keep)
            for place in range(max(counts.values())) for family, count in counts.items() if place < count]
    if asked.only_play:
        with multiprocessing.Pool(asked.jobs) as pool:
            pool.map(kept, jobs)
        return 0
    found = played(jobs, asked.jobs)
    if asked.lines:
        write(found, asked.lines)
    faults = FULL.faults(found) + unnoticed(FULL, found)
    print("\n".join([*told(found), *faults, f"truth: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
