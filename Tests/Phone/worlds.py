"""What Apple leaves open about AdAttributionKit: each thing a switch, each choice of all of them a world."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple


class World(NamedTuple):
    """One reading of Apple's text. The first choice of each switch is the first that the specification names."""

    mirror_reaches: str
    """Which of AdAttributionKit's conversions a call of SKAdNetwork updates too."""
    mirror_coarse: str
    """What such a call makes of their coarse value."""
    window_begins: str
    """What the windows of a conversion count from."""
    install_behind_newer: str
    """What a call for `[.install]` does while a re-engagement is newer."""
    untagged_reaches: str
    """Which re-engagements a call for `[.reengagement]` without a tag updates."""
    unknown_tag: str
    """What a call with a tag does whose conversion is not there, or has ended."""
    replaced: str
    """What a new conversion does to the earlier ones where they cannot overlap."""
    plain_parameter: str
    """The link's parameter where the app has not opted in to overlapping conversions."""

    def __str__(self) -> str:
        return ", ".join(f"{name}={choice or '(empty)'}" for name, choice in self._asdict().items())


CHOICES: dict[str, tuple[str, ...]] = {
    "mirror_reaches": ("install", "newest", "all"),
    "mirror_coarse": ("left", "cleared", "carried"),
    "window_begins": ("tap", "first update"),
    "install_behind_newer": ("updates", "nothing"),
    "untagged_reaches": ("newest", "all"),
    "unknown_tag": ("error", "ignored"),
    "replaced": ("open window", "all registered"),
    "plain_parameter": ("", "1"),
}


def all_worlds() -> list[World]:
    return [World(*choices) for choices in itertools.product(*CHOICES.values())]


def pairs(world: World) -> Iterator[tuple[int, str, int, str]]:
    """Each two choices that stand together."""
    for (left, one), (right, other) in itertools.combinations(enumerate(world), 2):
        yield left, one, right, other


def pairwise_worlds() -> list[World]:
    """A few worlds in which every two choices stand together at least once: the best next one each time."""
    worlds, chosen = all_worlds(), []
    missing = {pair for world in worlds for pair in pairs(world)}
    while missing:
        best = max(worlds, key=lambda world: len(missing.intersection(pairs(world))))
        missing.difference_update(pairs(best))
        chosen.append(best)
    return chosen
