"""The model of the drawn stores, and the least and the extrapolated revenue that their values report."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from postback_rows import Row
from random_costs import RATES


def rule(coarse: int, least: int, most: int | None, fine: int | None = None) -> dict[str, object]:
    ends = {"min": least} if most is None else {"min": least, "max": most}
    value = {} if fine is None else {"fine": fine}
    return {**value, "coarse": coarse, "when": {"revenue": {"kind": "all", **ends}}}


MODEL = {
    "schema": 1,
    "id": "recounted",
    "currency": "USD",
    "rates": {currency: rate for currency, rate in RATES.items() if currency != "USD"},
    "windows": [
        {"rules": [rule(0, 0, 1, 0), rule(1, 1, 3, 10), rule(1, 3, 10, 20), rule(2, 10, None, 63)]},
        {"rules": [rule(0, 0, 5), rule(1, 5, 20), rule(2, 20, None)]},
        {"rules": [rule(0, 0, 4), rule(1, 4, 30), rule(2, 30, 90)]},
    ],
}
# Each value's least revenue and its estimate: the middle of the range, or the lower end without an upper one.
FINE = {0: ("0", "0"), 10: ("1", "2"), 20: ("3", "6.5"), 63: ("10", "10")}
COARSE = (
    {"low": ("0", "0.5"), "medium": ("1", "5.5"), "high": ("10", "10")},
    {"low": ("0", "2.5"), "medium": ("5", "12.5"), "high": ("20", "20")},
    {"low": ("0", "2"), "medium": ("4", "17"), "high": ("30", "60")},
)


def worth(row: Row) -> tuple[Fraction, Fraction] | None:
    """The least revenue and the estimate of the row's value, or None where the model knows none."""
    coarse = COARSE[row.window].get(row.coarse or "")
    found = coarse if row.fine is None else FINE.get(row.fine)
    return (Fraction(found[0]), Fraction(found[1])) if found else None


def reported_revenue(rows: Iterable[Row]) -> tuple[Fraction | None, Fraction | None]:
    """The least and the extrapolated revenue of winning rows that are no re-engagements; None without known values.

    A value that is hidden or cannot be decoded is worth the mean of the known ones of its window.
    """
    counted = [row for row in rows if row.won and row.conversion != "re-engagement"]
    least, extrapolated, has_known = Fraction(0), Fraction(0), False
    for window in range(3):
        values = [worth(row) for row in counted if row.window == window]
        known = [value for value in values if value]
        if known:
            has_known = True
            least += sum((value[0] for value in known), Fraction(0))
            extrapolated += sum((value[1] for value in known), Fraction(0)) * len(values) / len(known)
    return (least, extrapolated) if has_known else (None, None)
