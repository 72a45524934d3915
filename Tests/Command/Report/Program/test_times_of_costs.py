"""Where the time of a report begins and ends, for costs and for the installs that they are divided by."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from counted_costs import total
from postback_rows import Row
from random_costs import Cost
from random_stores import APPS, BEGIN, DAY, DrawnStore
from report_options import Options
from reported import Reporter, amount

NETWORK = "one.example"
# The cost of this day is for installs whose postbacks arrive from the third day after it to the end of the fourth.
COST_DAY = BEGIN // DAY
EDGE = BEGIN + 4 * DAY


def arrivals(*moments: int) -> DrawnStore:
    """A store of installs of one campaign, whose postbacks arrive at these moments."""
    rows = [Row(moment, "4.0", NETWORK, "39", APPS[0], f"t-{number}") for number, moment in enumerate(moments)]
    return DrawnStore([], rows)


@pytest.fixture
def reporter(tmp_path: Path) -> Reporter:
    return Reporter(tmp_path, "")


@pytest.mark.parametrize("cost", ["0.01", "0.03", "100.03"])
def test_costs_of_reports_that_follow_each_other_add_up_to_all_costs(reporter: Reporter, cost: str) -> None:
    url = reporter.received("edge", arrivals(BEGIN + 3 * DAY, BEGIN + 5 * DAY))
    costs, made_at = [Cost(NETWORK, "39", cost, "USD", COST_DAY)], BEGIN + 30 * DAY
    counted = [
        amount(reporter.document(url, options, costs)["costs"]["counted"])
        for options in (Options(made_at, stop=EDGE), Options(made_at, start=EDGE))
    ]
    assert total(counted) == Fraction(cost)
