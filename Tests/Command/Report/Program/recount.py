"""The figures of a report's lines that have to do with costs, from the rows that were drawn."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from counted_costs import Counted, counted_costs, to_places, total
from postback_rows import Row
from random_costs import Cost
from report_options import Options, counted_rows
from reported_values import reported_revenue

Key = tuple[str, str]


@dataclass(frozen=True)
class Line:
    """Figures of the total, of a network or of a campaign; None where there is no number."""

    installs: int
    redownloads: int
    cost: Fraction | None
    cost_is_partial: bool
    cost_per_install: Fraction | None
    least_return: Fraction | None
    extrapolated_return: Fraction | None


def is_counted_install(row: Row) -> bool:
    """Whether the row is of window 0 and won, and no re-engagement."""
    return row.won and row.window == 0 and row.conversion != "re-engagement"


def ratio(above: Fraction | None, below: Fraction | int | None) -> Fraction | None:
    return to_places(above / below, 4) if above is not None and below else None


@dataclass(frozen=True)
class Recount:
    """Counted rows and costs by campaign."""

    rows: dict[Key, list[Row]]
    costs: dict[Key, list[Counted]]
    named: set[Key]
    options: Options

    @property
    def is_by_other_lines(self) -> bool:
        """Whether countries or source apps take the place of campaigns. Costs are of campaigns, so there are none."""
        return self.options.by in ("country", "source-app")

    def cost(self, key: Key) -> Fraction | None:
        """The cost that is counted; None for a campaign without one."""
        return total(cost.counted for cost in self.costs.get(key, []))

    def campaigns(self) -> set[Key]:
        """Campaigns that have a counted postback, or a row in the file."""
        return set(self.rows) | self.named

    def has_won(self, key: Key) -> bool:
        """Whether the campaign has a value or an install of its own in the report, in any window."""
        return any(row.won and row.conversion != "re-engagement" for row in self.rows.get(key, []))

    def line(self, keys: set[Key]) -> Line:
        """The line of these campaigns. Ratios are of those that have a cost."""
        installs = {key: [row for row in self.rows.get(key, []) if is_counted_install(row)] for key in keys}
        with_cost = {key for key in keys if self.cost(key) is not None}
        every = [row for rows in installs.values() for row in rows]
        cost, paid = total(map(self.cost, keys)), sum(len(installs[key]) for key in with_cost)
        least, extrapolated = reported_revenue(row for key in with_cost for row in self.rows.get(key, []))
        return Line(
            installs=sum(row.conversion == "install" for row in every),
            redownloads=sum(row.conversion == "redownload" for row in every),
            cost=cost,
            cost_is_partial=bool(with_cost) and any(self.has_won(key) for key in keys - with_cost),
            cost_per_install=ratio(cost, paid),
            least_return=ratio(least, cost) if self.options.has_model else None,
            extrapolated_return=ratio(extrapolated, cost) if self.options.has_model else None,
        )


def recounted(rows: list[Row], costs: list[Cost], options: Options) -> Recount:
    by_campaign: defaultdict[Key, list[Row]] = defaultdict(list)
    for row in counted_rows(rows, options):
        by_campaign[row.campaign].append(row)
    costs_of: defaultdict[Key, list[Counted]] = defaultdict(list)
    has_costs = options.by not in ("country", "source-app")
    for cost in counted_costs(costs, options) if has_costs else []:
        costs_of[cost.row.campaign].append(cost)
    named = {row.campaign for row in costs if options.network in (None, row.network)}
    return Recount(by_campaign, costs_of, named, options)
