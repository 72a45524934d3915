"""Figures of lines that a report and the recount both have, in pairs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from counted_costs import summary, total
from recount import Key, Line, Recount
from reported import amount


class Pair(NamedTuple):
    """A figure as it is reported, and as it is recounted."""

    place: str
    figure: str
    reported: object
    recounted: object


class Place(NamedTuple):
    """A line of the report with its campaigns."""

    name: str
    found: dict[str, Any]
    keys: set[Key]


def places(document: dict[str, Any], recount: Recount) -> Iterator[Place]:
    """The total, networks and campaigns; reports by country and source app have no campaigns."""
    yield Place("total", document["total"], recount.campaigns())
    for network in document["total"]["networks"]:
        name = network["network"]
        yield Place(name, network, {key for key in recount.campaigns() if key[0] == name})
        for campaign in network.get("campaigns", []):
            key = name, campaign["identifier"]
            yield Place(f"{name} {campaign['identifier']}", campaign, {key})


def ratio_of_values(found: Any) -> Fraction | None:
    return None if found is None else Fraction(found)


def pairs_of_line(place: Place, line: Line) -> Iterator[Pair]:
    found, returned = place.found, place.found["return_on_ad_spend"]
    for figure, reported, recounted in (
        ("installs", found["installs"], line.installs),
        ("redownloads", found["redownloads"], line.redownloads),
        ("cost", amount(found["cost"]), line.cost),
        ("cost_is_partial", found["cost_is_partial"], line.cost_is_partial),
        ("cost_per_install", amount(found["cost_per_install"], "{4}"), line.cost_per_install),
        ("return min", ratio_of_values(returned["min"]), line.least_return),
        ("return extrapolated", ratio_of_values(returned["extrapolated"]), line.extrapolated_return),
    ):
        yield Pair(place.name, figure, reported, recounted)


def pairs_of_ad_sets(place: Place, recount: Recount) -> Iterator[Pair]:
    """An ad set costs what its own rows cost; ratios are of campaigns alone."""
    for found in place.found.get("ad_sets", []):
        (key,) = place.keys
        costs = [cost.counted for cost in recount.costs.get(key, []) if cost.row.identifier == found["identifier"]]
        name = f"{place.name} ad set {found['identifier']}"
        yield Pair(name, "cost", amount(found["cost"]), total(costs))
        yield Pair(name, "cost_per_install", found["cost_per_install"], None)


def pairs_of_document(document: dict[str, Any], recount: Recount) -> Iterator[Pair]:
    """All of the document that has to do with costs, apart from estimates."""
    for figure, recounted in summary(cost for costs in recount.costs.values() for cost in costs).items():
        yield Pair("costs", figure, amount(document["costs"][figure]), recounted)
    lines = list(places(document, recount))
    if not recount.is_by_other_lines:
        names = {place.name for place in lines[1:]}
        expected = {" ".join(key) for key in recount.campaigns()} | {network for network, _ in recount.campaigns()}
        yield Pair("lines", "names", sorted(names), sorted(expected))
    for place in lines:
        yield from pairs_of_line(place, recount.line(place.keys))
        yield from pairs_of_ad_sets(place, recount)


def pairs_of_rows(rows: list[dict[str, str]], recount: Recount) -> Iterator[Pair]:
    """The same figures in CSV."""
    for row in rows:
        level, network, identifier = row["level"], row["network"], row["identifier"]
        if level not in ("total", "network", "campaign"):
            continue
        keys = {key for key in recount.campaigns() if network in ("", key[0]) and identifier in ("", key[1])}
        line, name = recount.line(keys), f"CSV {level} {network} {identifier}"
        yield Pair(name, "installs", int(row["installs"]), line.installs)
        yield Pair(name, "redownloads", int(row["redownloads"]), line.redownloads)
        yield Pair(name, "cost", amount(row.get("cost")), line.cost)
        for figure, recounted in (
            ("cost_per_install", line.cost_per_install),
            ("return_on_ad_spend_min", line.least_return),
            ("return_on_ad_spend_extrapolated", line.extrapolated_return),
        ):
            yield Pair(name, figure, amount(row.get(figure), "{4}"), recounted)
