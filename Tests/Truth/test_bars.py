"""The bars of ratios and statements pass reports that are right, and notice those that are wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import bars
import estimators
import statements
from populations import Ledger, Period
from ratios import COST_PER_INSTALL, Ratio
from statements import Statement

END = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Callable[[str], Ledger]:
    """Two campaigns; `costs`: the rows of the file of campaigns."""
    (tmp_path / "brought.tsv").write_text(
        "network\tcampaign\tday\tredownload\tarrived\tday_2\tto_date\n"
        "one\t10\t2026-01-01\t0\t1767600000\t1000000\t3000000\n"
        "one\t10\t2026-01-20\t1\t1769200000\t0\t5000000\n"
        "one\t10\t2026-01-30\t0\t\t7000000\t7000000\n"
        "one\t14\t2026-01-01\t0\t1767600000\t2000000\t2000000\n"
    )

    def made(costs: str) -> Ledger:
        (tmp_path / "campaigns.csv").write_text(f"network,identifier,cost,date\n{costs}")
        return Ledger(tmp_path)

    return made


DATED = "one,10,4,2026-01-01\none,10,2,2026-01-20\none,10,9,2026-01-30\n"


def test_a_ratio_leaves_out_days_whose_postbacks_cannot_have_arrived(ledger: Callable[[str], Ledger]) -> None:
    population = ledger(DATED).populations(Period(None, END))["one", "10"]
    assert (population.cost, population.installs) == (6, 2)
    assert population.revenue == {"day_2": 1, "to_date": 8}
    assert population.cost_per_install == 3


def test_a_cost_counts_by_the_part_of_its_days_installs_that_arrived(
    ledger: Callable[[str], Ledger], tmp_path: Path
) -> None:
    with (tmp_path / "brought.tsv").open("a") as file:
        file.write("one\t10\t2026-01-20\t0\t\t0\t0\n")
    population = ledger(DATED).populations(Period(None, END))["one", "10"]
    assert (population.cost, population.installs) == (4 + 2 / 2, 2)


def test_a_filter_of_time_leaves_out_installs_and_costs_of_other_days(ledger: Callable[[str], Ledger]) -> None:
    period = Period(datetime(2026, 1, 10, tzinfo=UTC), END)
    population = ledger(DATED).populations(period)["one", "10"]
    assert (population.cost, population.installs, population.revenue["to_date"]) == (2, 1, 5)


def test_a_total_has_only_campaigns_with_a_cost(ledger: Callable[[str], Ledger]) -> None:
    found = ledger(DATED).populations(Period(None, END))
    assert found[()].installs == found["one",].installs == 2
    assert ("one", "14") not in found


def test_undated_costs_are_those_of_all_that_arrived(ledger: Callable[[str], Ledger]) -> None:
    found = ledger("one,10,20,\none,14,10,\n").populations(Period(None, END))
    assert (found["one", "10"].installs, found["one", "10"].return_on_ad_spend("to_date")) == (2, 0.4)
    assert found[()].return_on_ad_spend("day_2") == 0.1


def right_ratios() -> list[Ratio]:
    """Of 40 worlds, with intervals of which 95 % hold."""
    chance = random.Random(1)
    found = []
    for world in range(40):
        for has_filter in (False, True):
            of = "none", world, "network 10"
            cost = chance.lognormvariate(0, 0.3)
            found.append(Ratio(*of, COST_PER_INSTALL, has_filter, 500, cost, cost, None, None))
            for _ in range(5):
                estimate = chance.gauss(1, 0.05)
                found.append(Ratio(*of, "day_35", has_filter, 500, 1, estimate, estimate - 0.1, estimate + 0.1))
    return found


def test_right_ratios_pass() -> None:
    assert bars.FULL.ratios.faults(right_ratios(), bars.JUDGED) == []


@pytest.mark.parametrize("wrong", estimators.WRONG_RATIOS)
def test_a_wrong_ratio_fails(wrong: Callable[[Ratio], Ratio]) -> None:
    assert bars.FULL.ratios.faults(map(wrong, right_ratios()), bars.JUDGED)


def right_statements() -> list[Statement]:
    """As often true as they are likely."""
    chance = random.Random(1)
    found = []
    for world in range(400):
        for kind in ("better", "target"):
            probability = chance.random()
            is_true = chance.random() < probability
            found.append(Statement("none", world, kind, "network 10", probability, probability > 0.5, is_true))
    return found


def test_right_statements_pass() -> None:
    assert statements.faults(right_statements(), bars.JUDGED) == []


@pytest.mark.parametrize("wrong", estimators.WRONG_STATEMENTS)
def test_a_wrong_statement_fails(wrong: Callable[[Statement], Statement]) -> None:
    assert statements.faults(map(wrong, right_statements()), bars.JUDGED)
