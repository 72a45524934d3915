"""Estimates hold in a few simulated worlds, and the bar that says so is one that broken estimators fail."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import judge
import pytest
from judge import Line

WORLDS = 5


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return judge.played([("none", seed) for seed in range(1000, 1000 + WORLDS)], 2)


def test_spend_is_compared_with_campaigns_that_have_a_cost(tmp_path: Path) -> None:
    """The others of a network bring nothing for what this one has cost."""
    words = judge.world(tmp_path, "none", 1000, 3000, 70)
    (tmp_path / "campaigns.csv").write_text("network,identifier,cost,currency\nnetwork-0.example,10,1000,USD\n")
    run = subprocess.run([*words, "--json"], stdout=subprocess.PIPE, check=True)
    found = dict(judge.lines(json.loads(run.stdout)["total"]))
    spends = {key: line["brought"]["to_date"]["return_on_ad_spend"]["estimate"] for key, line in found.items()}
    with_cost = [(), ("network-0.example",), ("network-0.example", "10")]
    assert spends[()] is not None
    assert [spends[key] for key in with_cost] == [spends[()]] * 3
    assert {spend for key, spend in spends.items() if key not in with_cost} == {None}


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
