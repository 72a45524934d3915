"""Costs, cost per install, return on ad spend and weeks of install of random stores, recounted from the rows drawn.

The recount follows CampaignTruth.md and what skan report --help says, and shares no code with the command.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from figures import Pair, pairs_of_document, pairs_of_rows
from figures_of_estimates import pairs_of_estimate_rows, pairs_of_estimates
from own_installs import fill_with_installs
from random_costs import Cost
from recount import recounted
from reported import Drawn, Reporter, drawn

STORES = int(os.environ.get("SKAN_RANDOM_STORES", "40"))
# How often, at least, a figure of 100 stores is a number other than 0. There is more than one line in a store.
LEAST_NUMBERS = {
    "cost": 400,
    "cost in CSV": 150,
    "cost by week": 150,
    "cost_per_install": 200,
    "cost_per_install in CSV": 100,
    "installs and redownloads by week": 300,
    "return": 100,
    "return low": 100,
    "return high by week": 100,
    "return min": 200,
    "return extrapolated": 200,
    "counted": 50,
    "counted_without_date": 25,
    "not_reported_yet": 25,
    "outside_of_time": 40,
}


@pytest.fixture(scope="module")
def reporter(tmp_path_factory: pytest.TempPathFactory) -> Reporter:
    folder = tmp_path_factory.mktemp("recount")
    return Reporter(folder, fill_with_installs(folder / "installs.db", 600))


def pairs_of_plain_report(reporter: Reporter, url: str, given: Drawn, costs: list[Cost]) -> list[Pair]:
    found = recounted(given.store.rows, given.costs, given.options)
    pairs = [*pairs_of_document(reporter.document(url, given.options, costs), found)]
    if not given.options.has_model:
        pairs += pairs_of_rows(reporter.rows(url, given.options, costs), found)
    return pairs


def pairs_with_installs(reporter: Reporter, url: str, given: Drawn) -> list[Pair]:
    found = recounted(given.store.rows, given.costs, given.options)
    document = reporter.document(url, given.options, given.costs, has_installs=True)
    rows = reporter.rows(url, given.options, given.costs, has_installs=True)
    pairs = [*pairs_of_document(document, found), *pairs_of_estimates(document, found)]
    return [*pairs, *pairs_of_rows(rows, found), *pairs_of_estimate_rows(rows, found)]


def kind_of(pair: Pair) -> str:
    place = " by week" if " week " in pair.place else " in CSV" if pair.place.startswith("CSV") else ""
    return pair.figure + place


@pytest.mark.many
def test_no_figure_of_random_stores_differs(reporter: Reporter) -> None:
    differences: list[tuple[int, Pair]] = []
    numbers = Counter[str]()
    for seed in range(STORES):
        given = drawn(seed)
        url = reporter.received(f"store-{seed}", given.store)
        pairs = pairs_of_plain_report(reporter, url, given, given.costs)
        if given.options.has_model:
            pairs += pairs_with_installs(reporter, url, given)
        differences += [(seed, pair) for pair in pairs if pair.reported != pair.recounted]
        numbers.update(kind_of(pair) for pair in pairs if pair.reported not in (None, 0, []))
        Path(url.removeprefix("sqlite:")).unlink()
    assert differences == []
    assert {kind: numbers[kind] for kind, least in LEAST_NUMBERS.items() if numbers[kind] < least * STORES // 100} == {}


def test_a_cost_that_is_a_cent_higher_is_noticed(reporter: Reporter) -> None:
    """The command gets another file of costs than the recount."""
    noticed = 0
    for seed in range(10):
        given = drawn(seed)
        given = replace(given, options=replace(given.options, start=None, stop=None, network=None, by=None))
        at = next((place for place, cost in enumerate(given.costs) if cost.currency == "USD" and cost.cost), None)
        if at is None:
            continue
        higher = replace(given.costs[at], cost=str(Decimal(given.costs[at].cost) + Decimal("0.01")))
        url = reporter.received(f"higher-{seed}", given.store)
        pairs = pairs_of_plain_report(reporter, url, given, [*given.costs[:at], higher, *given.costs[at + 1 :]])
        assert {"cost", "counted"} <= {pair.figure for pair in pairs if pair.reported != pair.recounted}, seed
        noticed += 1
    assert noticed >= 5
