"""Estimators that are wrong on purpose: the bar has to notice each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ratios import Ratio
from ratios import scaled as scaled_ratio
from reports import Line
from statements import Statement


def scaled(line: Line, factor: float) -> Line:
    if line.estimate is None or line.low is None or line.high is None:
        return line
    return line._replace(estimate=line.estimate * factor, low=line.low * factor, high=line.high * factor)


def without_hidden(line: Line, _: Line) -> Line:
    """As if hidden installs had brought nothing."""
    return scaled(line, 1 - line.hidden)


def all_alike(line: Line, total: Line) -> Line:
    """As if each campaign brought the same players."""
    if not line.estimate or not total.estimate:
        return line
    return scaled(line, total.estimate / total.installs * line.installs / line.estimate)


def a_tenth_more(line: Line, _: Line) -> Line:
    return scaled(line, 1.1)


def half_as_wide(line: Line, _: Line) -> Line:
    """As if intervals were half as wide."""
    if line.estimate is None or line.low is None or line.high is None:
        return line
    low, high = (line.estimate + (end - line.estimate) / 2 for end in (line.low, line.high))
    return line._replace(low=low, high=high)


def redownloads_left_out(ratio: Ratio) -> Ratio:
    """As if redownloads had brought nothing and were no installs, but had cost as much."""
    return scaled_ratio(ratio, 0.75 if ratio.family == "redownloads" else 0.95)


def cost_of_all_days(ratio: Ratio) -> Ratio:
    """As if a filter of time left the costs of other days in."""
    return scaled_ratio(ratio, 0.5) if ratio.has_filter else ratio


def half_as_wide_a_ratio(ratio: Ratio) -> Ratio:
    """As if intervals of ratios were half as wide."""
    if ratio.low is None or ratio.high is None:
        return ratio
    low, high = (ratio.estimate + (end - ratio.estimate) / 2 for end in (ratio.low, ratio.high))
    return ratio._replace(low=low, high=high)


def whatever_seems(statement: Statement) -> Statement:
    """As if estimates had no intervals."""
    return statement._replace(probability=0.99 if statement.seems else 0.01)


WRONG_RATIOS: tuple[Callable[[Ratio], Ratio], ...] = (redownloads_left_out, cost_of_all_days, half_as_wide_a_ratio)
WRONG_STATEMENTS: tuple[Callable[[Statement], Statement], ...] = (whatever_seems,)
WRONG: tuple[Callable[[Line, Line], Line], ...] = (without_hidden, all_alike, a_tenth_more, half_as_wide)


def made(wrong: Callable[[Line, Line], Line], found: Iterable[Line]) -> Iterator[Line]:
    """What a wrong estimator says of the same worlds."""
    found = list(found)
    totals = {(line.family, line.world, line.horizon): line for line in found if line.level == "total"}
    return (wrong(line, totals[line.family, line.world, line.horizon]) for line in found)
