"""How often the intervals of estimates hold, how far estimates are off, and tables of both."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from reports import Line
from worlds import BROKEN, FAMILIES, MIXED, NATURAL

LARGE = 100
# The width of intervals is that of campaigns of so many installs.
WIDE = 1000


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
    if family in MIXED:
        return "in which campaigns that are not of SKAN 3 are judged"
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
