"""Which costs a report counts, by the section "Costs, and what is divided by them" of CampaignTruth.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from random_costs import Cost
from random_stores import DAY
from report_options import HOUR, Options


def to_places(amount: Fraction, places: int) -> Fraction:
    """The nearest decimal with so many places; of two, the even one."""
    return Fraction(round(amount * 10**places), 10**places)


def arrived_part(row: Cost, moment: int) -> Fraction:
    """The part of the day's installs whose postback arrived before this moment.

    The install is evenly distributed over the day's 24 hours, and so is the delay over 24 hours; together they begin 72
    hours after the day began, before SKAN 4 24 hours.
    """
    assert row.day is not None
    begin = row.day * DAY + (24 if row.is_old else 72) * HOUR
    x = min(max(Fraction(moment - begin, DAY), Fraction(0)), Fraction(2))
    return x**2 / 2 if x <= 1 else 1 - (2 - x) ** 2 / 2


@dataclass(frozen=True)
class Counted:
    """A row of the file as the report takes it; `counted` is None where none of it counts."""

    row: Cost
    counted: Fraction | None
    not_yet: Fraction | None = None
    outside: Fraction | None = None


def rounded(amount: Fraction, part: Fraction) -> Fraction:
    """What of an amount has been reported until a moment: all of it may have fractions of a cent, a part has none."""
    return amount if part == 1 else min(to_places(amount * part, 2), amount)


def counted_cost(row: Cost, options: Options) -> Counted:
    amount = row.amount
    assert amount is not None
    if row.day is None:
        return Counted(row, amount)
    made = arrived_part(row, options.made_at)
    begin = Fraction(0) if options.start is None else arrived_part(row, options.start)
    end = made if options.stop is None else min(made, arrived_part(row, options.stop))
    end = max(begin, end)
    arrived = rounded(amount, made)
    part = rounded(amount, end) - rounded(amount, begin)
    return Counted(
        row,
        counted=part if begin < end else None,
        not_yet=amount - arrived if made < 1 else None,
        outside=arrived - part if made > end - begin else None,
    )


def counted_costs(rows: Iterable[Cost], options: Options) -> list[Counted]:
    """All costs of the networks that the report is about."""
    return [counted_cost(row, options) for row in rows if row.cost and options.network in (None, row.network)]


def total(amounts: Iterable[Fraction | None]) -> Fraction | None:
    """The sum of those that there are, or None without any."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Fraction(0)) if known else None


def summary(costs: Iterable[Counted]) -> dict[str, Fraction | None]:
    """What the report says of costs that it counts or leaves out."""
    costs = list(costs)
    return {
        "counted": total(cost.counted for cost in costs),
        "counted_without_date": total(cost.counted for cost in costs if cost.row.day is None),
        "not_reported_yet": total(cost.not_yet for cost in costs),
        "outside_of_time": total(cost.outside for cost in costs),
    }
