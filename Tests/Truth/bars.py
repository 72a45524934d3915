"""What families of worlds have to hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import statements
from estimators import WRONG, WRONG_RATIOS, WRONG_STATEMENTS, made
from findings import Found
from ratios import RatioBar
from reports import Line
from scores import Score, horizons, percent, scores
from worlds import MIXED, NATURAL, TRUE

# Where no own install is old enough, there is no estimate.
AFTER_WINDOWS = ("day_60", "day_90", "day_180")
# Nothing is said of fewer lines: of day 180 some worlds have estimates.
FEWEST = 10
# Families in which estimates have to hold.
JUDGED = (*TRUE, *NATURAL, *MIXED)


def is_of_one_version(name: str) -> bool:
    """Whether a line of the mixed family is a campaign's or an ad set's, and not one of SKAN 3."""
    return len(name.split()) > 1 and "campaign-id" not in name


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
        for family in MIXED:
            of = [line for line in by_family[family] if is_of_one_version(line.name)]
            for horizon in horizons(of):
                faults = self.campaign_faults([line for line in of if line.horizon == horizon])
                wrong += [f"{family}, {horizon}: {fault}" for fault in faults]
        return wrong

    def campaign_faults(self, found: list[Line]) -> Iterator[str]:
        _, _, large, small, _ = scores(found)
        yield from outside("campaigns", large, self.large)
        yield from outside("smaller campaigns", small, (self.small, 1))

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


class Standard(NamedTuple):
    """What the lines, ratios and statements of reports have to hold."""

    lines: Bar
    ratios: RatioBar

    def faults(self, found: Found) -> list[str]:
        ratios = [ratio for ratio in found.ratios if ratio.family not in MIXED or is_of_one_version(ratio.name)]
        said = [one for one in found.statements if one.family not in MIXED or is_of_one_version(one.subject)]
        wrong = self.lines.faults(found.lines) + self.ratios.faults(ratios, JUDGED)
        return wrong + statements.faults(said, JUDGED)

    def unnoticed(self, found: Found) -> list[str]:
        """The estimators that are wrong on purpose and pass."""
        count = len(self.faults(found))
        wrong = {one.__name__: found._replace(lines=list(made(one, found.lines))) for one in WRONG}
        wrong |= {one.__name__: found._replace(ratios=[one(ratio) for ratio in found.ratios]) for one in WRONG_RATIOS}
        wrong |= {one.__name__: found._replace(statements=[one(statement) for statement in found.statements])
                  for one in WRONG_STATEMENTS}
        return [f"the bar does not notice the estimator {name}" for name, of in wrong.items()
                if len(self.faults(of)) <= count]


FULL = Standard(
    Bar(bias=0.02, doubts=2, large=(0.93, 0.97), small=0.90, networks=0.90, totals=0.90, large_if_natural=0.90),
    RatioBar(held=0.90, bias=0.02, doubts=2),
)
# Of a few worlds.
LOOSE = Standard(
    Bar(bias=0.10, doubts=2, large=(0.85, 1), small=0.80, networks=0.75, totals=0.60, large_if_natural=0.80),
    RatioBar(held=0.80, bias=0.10, doubts=2),
)
