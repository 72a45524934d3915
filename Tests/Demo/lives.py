"""How the players of the demo behave: drawn from a seed, so that every run lives the same lives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

DAY = 86_400


@dataclass(frozen=True)
class Kind:
    """What sets kinds of players apart; chances are from 0 to 1."""

    name: str
    share: float
    """Of all players."""
    first_return: float
    """Comes back on day 1."""
    keeps_coming: float
    """Of that chance, each day after."""
    sessions: int
    """On a day, at most."""
    impressions: int
    """In a session, at most."""
    buys: float
    """In a session."""
    prices: tuple[str, ...]
    """In dollars."""


CASUAL = Kind("casual player", 0.55, 0.35, 0.78, 2, 3, 0.002, ("0.99", "0.99", "1.99"))
REGULAR = Kind("regular player", 0.3, 0.65, 0.93, 3, 4, 0.015, ("0.99", "0.99", "1.99", "4.99"))
PAYER = Kind("paying player", 0.12, 0.75, 0.96, 3, 2, 0.13, ("1.99", "4.99", "4.99", "9.99"))
WHALE = Kind("big spender", 0.03, 0.9, 0.985, 5, 1, 0.42, ("9.99", "19.99", "49.99", "99.99"))
KINDS = (CASUAL, REGULAR, PAYER, WHALE)


@dataclass(frozen=True)
class Currency:
    """What a dollar costs, the smallest unit, and who pays so."""

    code: str
    share: float
    per_dollar: Decimal
    unit: Decimal


CURRENCIES = (
    Currency("USD", 0.6, Decimal(1), Decimal("0.01")),
    Currency("EUR", 0.25, Decimal("0.92"), Decimal("0.01")),
    Currency("JPY", 0.15, Decimal(149), Decimal(1)),
)


@dataclass(frozen=True)
class Action:
    """What a player does at one moment."""

    time: int
    """Seconds since the demo's first day began."""
    player: int
    what: str
    """`launch`, the first one; `tap` on an ad, which leads back into the app; `session`, in which the app takes what
    waits for it; `impression`; or an event."""
    currency: str = ""
    amount: Decimal = Decimal(0)
    repeats: int = 0
    """So many times a purchase is posted again."""
    is_lost: bool = False
    """The update that this session hands to the app does not arrive."""


class Life:
    """One player's, to be drawn."""

    def __init__(self, seed: int, player: int) -> None:
        self.chance = Random(f"{seed} {player}")
        self.ads = Random(f"{seed} {player} ads")
        self.player = player
        self.kind = self.chance.choices(KINDS, [kind.share for kind in KINDS])[0]
        self.currency = self.chance.choices(CURRENCIES, [currency.share for currency in CURRENCIES])[0]
        self.sessions = 0
        self.taps = 0
        self.completed: set[str] = set()
        self.time = 0

    def happens(self, chance: float) -> bool:
        """With that chance."""
        return self.chance.random() < chance

    def actions(self, days: int) -> Iterator[Action]:
        """In order of time: installed on the first day, back on some of the others."""
        start = self.chance.randrange(DAY)
        returns = self.kind.first_return
        yield from self.session(start)
        for day in range(days):
            if day > 0:
                if not self.happens(returns):
                    continue
                returns *= self.kind.keeps_coming if day > 1 else 1
            for _ in range(self.chance.randrange(self.kind.sessions) + (day > 0)):
                time = start + day * DAY + self.chance.randrange(DAY)
                if time > self.time:
                    yield from self.tap(time)
                    yield from self.session(time)

    def tap(self, time: int) -> Iterator[Action]:
        """On an ad, before some of the sessions."""
        if self.taps < 3 and self.ads.random() < 0.02:
            self.taps += 1
            yield Action(time, self.player, "tap")

    def session(self, time: int) -> Iterator[Action]:
        """What a player does while the app is open."""
        self.time = time
        self.sessions += 1
        yield self.act("launch" if self.sessions == 1 else "session", 30, 150, is_lost=self.happens(0.05))
        if "tutorial_complete" not in self.completed and self.happens(0.65):
            yield self.complete("tutorial_complete", 60, 360)
        elif self.sessions > 2 and self.completed == {"tutorial_complete"} and self.happens(0.3):
            yield self.complete("level_10", 20, 80)
        for _ in range(self.chance.randint(0, self.kind.impressions)):
            worth = Decimal(self.chance.randrange(1500, 19500)) / 1_000_000
            yield self.act("impression", 20, 220, currency="USD", amount=worth)
        if self.happens(self.kind.buys):
            dollars = Decimal(self.chance.choice(self.kind.prices))
            price = (dollars * self.currency.per_dollar).quantize(self.currency.unit)
            repeats = self.chance.randint(1, 2) if self.happens(0.2) else 0
            yield self.act("purchase", 10, 11, currency=self.currency.code, amount=price, repeats=repeats)

    def complete(self, event: str, least: int, end: int) -> Action:
        """An event that comes once."""
        self.completed.add(event)
        return self.act(event, least, end)

    def act(self, what: str, least: int, end: int, **more: Any) -> Action:
        """Now; what comes next comes so many seconds later."""
        action = Action(self.time, self.player, what, **more)
        self.time += self.chance.randrange(least, end)
        return action
