"""Estimates hold in a few simulated worlds, and the bar that says so is one that broken estimators fail."""

from __future__ import annotations

from collections.abc import Callable

import judge
import pytest
from judge import Line

WORLDS = 5


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return judge.played([("none", seed) for seed in range(1000, 1000 + WORLDS)], 2)


def scaled(line: Line, factor: float) -> Line:
    if line.estimate is None or line.low is None or line.high is None:
        return line
    return line._replace(estimate=line.estimate * factor, low=line.low * factor, high=line.high * factor)


def without_hidden(line: Line, _: Line) -> Line:
    """As if hidden installs had brought nothing."""
    return scaled(line, 1 - line.hidden)


def as_the_whole(line: Line, total: Line) -> Line:
    """As if each campaign brought the same players."""
    if not line.estimate or not total.estimate:
        return line
    return scaled(line, total.estimate / total.installs * line.installs / line.estimate)


def test_estimates_hold(lines: list[Line], capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print("", *judge.told(lines), sep="\n")
    assert judge.LOOSE.faults(lines) == []


@pytest.mark.parametrize("broken", [without_hidden, as_the_whole])
def test_a_broken_estimator_fails(lines: list[Line], broken: Callable[[Line, Line], Line]) -> None:
    totals = {(line.world, line.horizon): line for line in lines if line.level == "total"}
    assert judge.LOOSE.faults(broken(line, totals[line.world, line.horizon]) for line in lines)
