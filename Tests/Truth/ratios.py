"""Judges costs per install and returns on ad spend, with and without a filter of time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from populations import Population
from reports import RATIO, REVENUE, Key, lines, number
from worlds import Job

# Nothing is said of fewer ratios.
FEWEST = 10
COST_PER_INSTALL = "cost_per_install"


class Ratio(NamedTuple):
    """What a line of a report says of one ratio, and what is true. A cost per install has no interval."""

    family: str
    world: int
    name: str
    figure: str
    has_filter: bool
    # The population that the truth is of.
    installs: int
    truth: float
    estimate: float
    low: float | None
    high: float | None

    @property
    def holds(self) -> bool:
        return self.low is not None and self.high is not None and self.low <= self.truth <= self.high


def ratios(job: Job, document: dict[str, Any], true: dict[Key, Population], has_filter: bool) -> Iterator[Ratio]:
    """Of each line that has a cost and installs."""
    for key, line in lines(document["total"]):
        population = true.get(key)
        if len(key) > 2 or population is None or not population.cost or not population.installs:
            continue
        of = job.family, job.seed, " ".join(key)
        if line[COST_PER_INSTALL] is not None and population.cost_per_install is not None:
            figures = population.cost_per_install, float(line[COST_PER_INSTALL])
            yield Ratio(*of, COST_PER_INSTALL, has_filter, population.installs, *figures, None, None)
        for horizon in population.revenue:
            found = line[REVENUE].get(horizon)
            truth = population.return_on_ad_spend(horizon)
            if found is None or truth is None or found[RATIO]["estimate"] is None:
                continue
            estimate, low, high = (number(found[RATIO][name]) for name in ("estimate", "low", "high"))
            yield Ratio(*of, horizon, has_filter, population.installs, truth, estimate or 0.0, low, high)


def groups(found: Iterable[Ratio]) -> dict[tuple[str, bool, str], list[Ratio]]:
    """By family, filter and figure."""
    by_group: dict[tuple[str, bool, str], list[Ratio]] = defaultdict(list)
    for ratio in found:
        by_group[ratio.family, ratio.has_filter, ratio.figure].append(ratio)
    return by_group


def bias(found: list[Ratio]) -> tuple[float, float]:
    """The bias of all, and one standard error of it, as shares of the truth; the ratios of a world are not independent."""
    truth = sum(ratio.truth * ratio.installs for ratio in found)
    difference = sum((ratio.estimate - ratio.truth) * ratio.installs for ratio in found)
    by_world: dict[int, float] = defaultdict(float)
    for ratio in found:
        by_world[ratio.world] += (ratio.estimate - ratio.truth * (1 + difference / truth)) * ratio.installs
    return difference / truth, math.sqrt(sum(rest * rest for rest in by_world.values())) / truth


def told(found: Iterable[Ratio]) -> Iterator[str]:
    """A table of each family: how often intervals hold, and how far figures are off, in percent."""
    yield "".join(f"{title:>18}" for title in ("ratios", "filter", "figure", "count", "holds", "bias", "+-"))
    for (family, has_filter, figure), ratios_of in sorted(groups(found).items()):
        off, doubt = bias(ratios_of)
        held = "-" if figure == COST_PER_INSTALL else f"{100 * share(ratios_of):.1f}"
        cells = [family, "time" if has_filter else "none", figure, str(len(ratios_of)), held]
        yield "".join(f"{cell:>18}" for cell in [*cells, f"{100 * off:.1f}", f"{100 * doubt:.1f}"])


def share(found: list[Ratio]) -> float:
    return sum(ratio.holds for ratio in found) / len(found)


class RatioBar(NamedTuple):
    """What ratios have to hold: the share of intervals, and the bias of costs per install."""

    held: float
    bias: float
    # Standard errors of the bias that come on top.
    doubts: float

    def faults(self, found: Iterable[Ratio], families: Iterable[str]) -> list[str]:
        return [f"{family}, {'filter of time' if has_filter else 'no filter'}, {figure}: {fault}"
                for (family, has_filter, figure), of in sorted(groups(found).items())
                if family in families and len(of) >= FEWEST
                for fault in (self.cost_faults(of) if figure == COST_PER_INSTALL else self.held_faults(of))]

    def held_faults(self, found: list[Ratio]) -> Iterator[str]:
        if share(found) < self.held:
            yield f"{100 * share(found):.1f} % of intervals of return on ad spend hold"

    def cost_faults(self, found: list[Ratio]) -> Iterator[str]:
        off, doubt = bias(found)
        if abs(off) > self.bias + self.doubts * doubt:
            yield f"costs per install are off by {100 * off:.1f} %"


def scaled(ratio: Ratio, factor: float) -> Ratio:
    """A ratio of so many times the installs and revenue for the same cost."""
    if ratio.low is None or ratio.high is None:
        return ratio._replace(estimate=ratio.estimate / factor)
    return ratio._replace(estimate=ratio.estimate * factor, low=ratio.low * factor, high=ratio.high * factor)
