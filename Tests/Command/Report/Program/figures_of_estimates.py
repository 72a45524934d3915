"""Returns on ad spend by estimates, and weeks of install. The estimate itself is a draw, so it is the report's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from figures import Pair, Place, places
from recount import Key, Recount, is_counted_install, ratio
from recounted_weeks import Week, recounted_weeks
from reported import amount

HORIZONS = ("day_2", "day_7", "day_35", "day_60", "day_90", "day_180", "to_date")
# Ends of intervals are divided before they are rounded to cents.
HALF_A_CENT, HALF_OF_LAST_PLACE = Fraction(5, 1000), Fraction(5, 100000)


def end_of_interval(reported: Fraction | None, above: Fraction | None, cost: Fraction | None) -> Fraction | None:
    """What is expected of an end: the quotient, or what is reported if rounding explains the difference."""
    expected = ratio(above, cost)
    if reported is None or expected is None or above is None or cost is None:
        return expected
    return reported if abs(reported * cost - above) <= HALF_A_CENT + HALF_OF_LAST_PLACE * cost else expected


def pairs_of_return(name: str, found: dict[str, Any], cost: Fraction | None) -> Iterator[Pair]:
    """The return of an estimate that is of the same installs as the cost."""
    returned = {end: amount(found["return_on_ad_spend"][end], "{4}") for end in ("estimate", "low", "high")}
    yield Pair(name, "return", returned["estimate"], ratio(amount(found["estimate"]), cost))
    for end in ("low", "high"):
        yield Pair(name, f"return {end}", returned[end], end_of_interval(returned[end], amount(found[end]), cost))


def pairs_of_line_return(place: Place, campaigns: dict[Key, Any], recount: Recount) -> Iterator[Pair]:
    """The return of a line is that of its campaigns that have a cost, whose estimates add up."""
    line = recount.line(place.keys)
    for horizon in HORIZONS:
        found, name = place.found["estimated_revenue"][horizon], f"{place.name} {horizon}"
        if not line.cost:
            yield Pair(name, "return", found["return_on_ad_spend"]["estimate"], None)
        elif not line.cost_is_partial:
            yield from pairs_of_return(name, found, line.cost)
        else:
            paid = [key for key in place.keys if recount.cost(key) is not None and has_installs(recount, key)]
            estimates = [amount(campaigns[key]["estimated_revenue"][horizon]["estimate"]) for key in paid]
            known = [estimate for estimate in estimates if estimate is not None]
            if known and len(known) == len(paid):
                returned = amount(found["return_on_ad_spend"]["estimate"], "{4}")
                yield Pair(name, "return", returned, ratio(sum(known, Fraction(0)), line.cost))


def has_installs(recount: Recount, key: Key) -> bool:
    return any(map(is_counted_install, recount.rows.get(key, [])))


def pairs_of_week(name: str, found: dict[str, Any], week: Week) -> Iterator[Pair]:
    yield Pair(name, "installs and redownloads", found["installs_and_redownloads"], sum(week.installs.values()))
    yield Pair(name, "cost", amount(found["cost"]), week.cost)
    for horizon in HORIZONS:
        # The estimate is of all installs of the week, the return of those of campaigns whose costs have dates.
        if set(week.installs) <= week.paid or not week.cost:
            yield from pairs_of_return(f"{name} {horizon}", found[horizon], week.cost)


def pairs_of_weeks(place: Place, recount: Recount) -> Iterator[Pair]:
    expected = {
        str(date(1970, 1, 1) + timedelta(days=day)): week for day, week in recounted_weeks(recount, place.keys).items()
    }
    found = {week["week"]: week for week in place.found["estimated_revenue"].get("weeks", [])}
    yield Pair(place.name, "weeks", sorted(found), sorted(expected))
    for name in sorted(set(found) & set(expected)):
        yield from pairs_of_week(f"{place.name} week {name}", found[name], expected[name])


def pairs_of_estimates(document: dict[str, Any], recount: Recount) -> Iterator[Pair]:
    """Figures by estimates. A report of several apps has no estimates, and no weeks."""
    if document["total"]["estimated_revenue"]["to_date"]["reason"] == "several_apps":
        return
    lines = list(places(document, recount))
    campaigns = {key: place.found for place in lines for key in place.keys if "ad_sets" in place.found}
    for place in lines:
        is_campaign = "ad_sets" in place.found
        if not recount.is_by_other_lines or not is_campaign:
            yield from pairs_of_line_return(place, campaigns, recount)
        if not is_campaign:
            yield from pairs_of_weeks(place, recount)


def pairs_of_estimate_rows(rows: list[dict[str, str]], recount: Recount) -> Iterator[Pair]:
    """The returns of lines in CSV whose campaigns all have a cost, or none."""
    for row in rows:
        level, network, identifier = row["level"], row["network"], row["identifier"]
        keys = {key for key in recount.campaigns() if network in ("", key[0]) and identifier in ("", key[1])}
        line = recount.line(keys)
        if level not in ("total", "network", "campaign") or line.cost_is_partial:
            continue
        for horizon in HORIZONS:
            estimate, returned = f"estimated_revenue_{horizon}", f"return_on_ad_spend_{horizon}"
            ends = {end: {"": "estimate"}.get(end, end[1:]) for end in ("", "_low", "_high")}
            found: dict[str, Any] = {name: row[estimate + end] for end, name in ends.items()}
            found["return_on_ad_spend"] = {name: row[returned + end] for end, name in ends.items()}
            yield from pairs_of_return(f"CSV {level} {network} {identifier} {horizon}", found, line.cost)
