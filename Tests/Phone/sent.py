"""The postbacks that Apple sends of a conversion, by "Receiving postbacks in multiple conversion windows"."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from apple import HOUR, WINDOW_ENDS, Conversion

# Windows and delays: the hours between the end of a window, or its lock, and the postback.
DELAYS = ((24, 48), (24, 144), (24, 144))


class Ad(NamedTuple):
    """The ad that won."""

    identifier: str
    publisher: int
    marketplace: str
    country: str


class Disclosure(NamedTuple):
    """The tier of a conversion, and how many digits of the source identifier its postback of window 0 has."""

    tier: int
    digits: int
    is_country_large: bool


class Sent(NamedTuple):
    """What a postback tells, and when it arrives."""

    window: int
    identifier: str
    fine: int | None
    coarse: int | None
    publisher: int | None
    marketplace: str | None
    country: str | None
    arrival: int


def disclosure(tiers: Sequence[int], country: int) -> Disclosure:
    """`tiers`: those of the crowds of two, three and four digits; `country`: that of the country's crowd.

    The highest tier wins, and among equals the one with the most digits. Tiers 0 and 1 always give two digits.
    """
    tier = max(tiers)
    digits = max(digits for digits, each in enumerate(tiers, 2) if each == tier)
    return Disclosure(tier, digits if tier >= 2 else 2, country == 3)


def postbacks(conversion: Conversion, base: int, ad: Ad, shown: Disclosure, chance: Random) -> list[Sent]:
    """`base`: the time at which the conversion's windows began."""
    return [
        first(conversion, base, ad, shown, chance) if window == 0 else later(conversion, window, base, ad, chance)
        for window in range(3)
        if window == 0 or has_later(conversion, window, shown)
    ]


def has_later(conversion: Conversion, window: int, shown: Disclosure) -> bool:
    """Tier 0 has one postback alone; windows 1 and 2 have one only after a coarse update in them."""
    return shown.tier > 0 and not conversion.is_dropped and conversion.held[window].coarse is not None


def first(conversion: Conversion, base: int, ad: Ad, shown: Disclosure, chance: Random) -> Sent:
    """Tiers, column "index 0"."""
    held, is_third = conversion.held[0], shown.tier == 3
    return Sent(
        0,
        ad.identifier[-shown.digits :],
        held.fine if shown.tier >= 2 else None,
        held.coarse if shown.tier == 1 else None,
        ad.publisher if is_third else None,
        ad.marketplace if shown.tier > 0 else None,
        ad.country if is_third and shown.is_country_large else None,
        arrival(conversion, 0, base, chance),
    )


def later(conversion: Conversion, window: int, base: int, ad: Ad, chance: Random) -> Sent:
    """Tiers, column "index 1 and 2": two digits and a coarse value in every tier."""
    coarse, time = conversion.held[window].coarse, arrival(conversion, window, base, chance)
    return Sent(window, ad.identifier[-2:], None, coarse, None, ad.marketplace, None, time)


def arrival(conversion: Conversion, window: int, base: int, chance: Random) -> int:
    """A lock starts the delay at once."""
    locked = conversion.held[window].locked
    least, most = DELAYS[window]
    return (locked if locked is not None else base + WINDOW_ENDS[window]) + chance.randrange(least * HOUR, most * HOUR)
