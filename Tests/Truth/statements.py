"""Judges what a report says is likely: that a campaign is better than another one, and that a target is reached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from populations import Population
from reports import RATIO, REVENUE, Key, lines, number
from worlds import Job

# Nothing is said of fewer statements.
FEWEST = 10
LIKELY, UNLIKELY = 0.8, 0.2


class Statement(NamedTuple):
    """Something that a report gives a probability for; `seems`: whether its estimates alone say so."""

    family: str
    world: int
    # "better" or "target".
    kind: str
    subject: str
    probability: float
    seems: bool
    is_true: bool


def statements(job: Job, document: dict[str, Any], true: dict[Key, Population]) -> Iterator[Statement]:
    found = dict(lines(document["total"]))
    horizon = document["compared_by"]["horizon"]
    ratio = document["compared_by"]["figure"] == RATIO
    yield from comparisons(job, found, true, horizon, ratio)
    if document["target"] is not None:
        yield from targets(job, document, found, true)


def comparisons(
    job: Job, found: dict[Key, dict[str, Any]], true: dict[Key, Population], horizon: str, is_ratio: bool
) -> Iterator[Statement]:
    """Of each two campaigns. A report names only those that it thinks likely to be worse; others have the probability 0."""
    compared = [key for key, line in found.items()
                if len(key) == 2 and key in true and line[REVENUE].get("comparison") is not None]
    for one in compared:
        better = found[one][REVENUE]["comparison"]["better_than"]
        likely = {(other["network"], other["identifier"]): float(other["probability"]) for other in better}
        for other in compared:
            truths = [worth(true[key], horizon, is_ratio) for key in (one, other)]
            told = [said(found[key], horizon, is_ratio) for key in (one, other)]
            if one == other or None in truths or None in told:
                continue
            subject = f"{' '.join(one)} than {' '.join(other)}"
            seems, is_true = (first > second for first, second in (told, truths))  # type: ignore[operator]
            yield Statement(*(job.family, job.seed, "better", subject), likely.get(other, 0.0), seems, is_true)


def worth(population: Population, horizon: str, is_ratio: bool) -> float | None:
    """What campaigns are compared by."""
    if is_ratio:
        return population.return_on_ad_spend(horizon)
    return population.revenue[horizon] / population.installs if population.installs else None


def said(line: dict[str, Any], horizon: str, is_ratio: bool) -> float | None:
    found = line[REVENUE][horizon]
    if is_ratio:
        return number(found[RATIO]["estimate"])
    estimate = number(found["estimate"])
    return None if estimate is None else estimate / max(line["installs"], 1)


def targets(
    job: Job, document: dict[str, Any], found: dict[Key, dict[str, Any]], true: dict[Key, Population]
) -> Iterator[Statement]:
    target, horizon = float(document["target"][RATIO]), document["target"]["horizon"]
    for key, line in found.items():
        probability = line[REVENUE].get("target_probability")
        if len(key) > 2 or probability is None or key not in true:
            continue
        truth, estimate = true[key].return_on_ad_spend(horizon), number(line[REVENUE][horizon][RATIO]["estimate"])
        if truth is None or estimate is None:
            continue
        of = job.family, job.seed, "target", " ".join(key)
        yield Statement(*of, float(probability), estimate >= target, truth >= target)


# ------------------------------------------------------------------------------------------------------------- the bar


class Score(NamedTuple):
    """Of statements of one kind: how many are likely or unlikely by the report, and how many of those are true."""

    likely: int
    likely_true: int
    unlikely: int
    unlikely_true: int


def score(found: Iterable[Statement]) -> Score:
    found = list(found)
    likely = [one.is_true for one in found if one.probability >= LIKELY]
    # The report does not name campaigns that it thinks unlikely to be worse.
    unlikely = [one.is_true for one in found if one.kind == "target" and one.probability <= UNLIKELY]
    return Score(len(likely), sum(likely), len(unlikely), sum(unlikely))


def by_kind(found: Iterable[Statement]) -> dict[tuple[str, str], Score]:
    """By family and kind."""
    groups: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for one in found:
        groups[one.family, one.kind].append(one)
    return {key: score(of) for key, of in sorted(groups.items())}


def told(found: Iterable[Statement]) -> Iterator[str]:
    """A table: of statements that the report thinks likely and unlikely, how many are true, in percent."""
    yield "".join(f"{title:>14}" for title in ("statements", "kind", "likely", "true", "unlikely", "true"))
    for (family, kind), of in by_kind(found).items():
        shares = [f"{100 * true / count:.1f}" if count else "-" for count, true in
                  ((of.likely, of.likely_true), (of.unlikely, of.unlikely_true))]
        yield "".join(f"{cell:>14}" for cell in (family, kind, of.likely, shares[0], of.unlikely, shares[1]))


def faults(found: Iterable[Statement], families: Iterable[str]) -> list[str]:
    """At least 80 % of what is likely has to be true, and at most 20 % of what is unlikely."""
    wrong = []
    for (family, kind), of in by_kind(found).items():
        if family not in families:
            continue
        if of.likely >= FEWEST and of.likely_true < LIKELY * of.likely:
            wrong.append(f"{family}, {kind}: {of.likely_true} of {of.likely} likely statements are true")
        if of.unlikely >= FEWEST and of.unlikely_true > UNLIKELY * of.unlikely:
            wrong.append(f"{family}, {kind}: {of.unlikely_true} of {of.unlikely} unlikely statements are true")
    return wrong
