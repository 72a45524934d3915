"""Estimates hold in a few simulated worlds, and the bar that says so is one that wrong estimators fail."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import bars
import estimators
import findings
import ratios
import reports
import scores
import statements
import worlds
from findings import Found
from reports import Line
from worlds import Job

WORLDS = int(os.environ.get("SKAN_WORLDS", "2"))
INSTALLS, PART = 6000, 70


@pytest.fixture(scope="module")
def found() -> Found:
    """Of small worlds of all families in which what is taken for granted is true."""
    jobs = [Job(family, 1000 + place, (INSTALLS, PART)) for place, family in enumerate(worlds.TRUE * WORLDS)]
    return findings.found_in(jobs, 2)


@pytest.fixture(scope="module")
def lines(found: Found) -> list[Line]:
    return found.lines


def as_one_family(lines: list[Line]) -> list[Line]:
    """There are too few worlds of each to be judged alone."""
    return [line._replace(family="none") for line in lines]


def test_spend_is_compared_with_campaigns_that_have_a_cost(tmp_path: Path) -> None:
    """The others of a network bring nothing for what this one has cost."""
    words = worlds.world(tmp_path, "none", 1000, 3000, 70)
    (tmp_path / "campaigns.csv").write_text("network,identifier,cost,currency\nnetwork-0.example,10,1000,USD\n")
    run = subprocess.run([*words, "--json"], stdout=subprocess.PIPE, check=True)
    found = dict(reports.lines(json.loads(run.stdout)["total"]))
    spends = {key: line["estimated_revenue"]["to_date"]["return_on_ad_spend"]["estimate"] for key, line in found.items()}
    with_cost = [(), ("network-0.example",), ("network-0.example", "10")]
    assert spends[()] is not None
    assert [spends[key] for key in with_cost] == [spends[()]] * 3
    assert {spend for key, spend in spends.items() if key not in with_cost} == {None}


def test_a_family_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        worlds.world(tmp_path, "unknown", 1)


@pytest.mark.parametrize("family", worlds.FAMILIES)
def test_each_family_is_played_and_reported(family: str) -> None:
    """Reading a world fails where the report has other installs than the world counted."""
    assert findings.found_in([Job(family, 1000, (2000, PART))], 1).lines


def test_a_world_is_the_same_when_it_is_played_again(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        worlds.world(tmp_path / name, "countries", 1000, 2000, 70)
    one, other = ((tmp_path / name / "counted.tsv").read_text() for name in ("one", "other"))
    assert one == other


@pytest.mark.many
def test_estimates_hold(lines: list[Line], capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print("", *scores.table(as_one_family(lines)), sep="\n")
    assert bars.LOOSE.lines.faults(as_one_family(lines)) == []


@pytest.mark.many
@pytest.mark.parametrize("wrong", estimators.WRONG)
def test_a_wrong_estimator_fails(lines: list[Line], wrong: Callable[[Line, Line], Line]) -> None:
    assert bars.LOOSE.lines.faults(as_one_family(list(estimators.made(wrong, lines))))


@pytest.mark.many
def test_costs_per_install_and_ratios_hold(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    """Of worlds with dated costs, without a filter of time."""
    together = [ratio._replace(family="none") for ratio in found.ratios if not ratio.has_filter]
    with capsys.disabled():
        print("", *ratios.told(together), sep="\n")
    assert len(together) > 100
    assert bars.LOOSE.ratios.faults(together, bars.JUDGED) == []


@pytest.mark.many
def test_likely_statements_are_true(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    together = [statement._replace(family="none") for statement in found.statements]
    with capsys.disabled():
        print("", *statements.told(together), sep="\n")
    assert {statement.kind for statement in together} == {"better", "target"}
    assert statements.faults(together, bars.JUDGED) == []
