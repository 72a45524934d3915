"""What a conversion model gives for what happened in a conversion: the value that Apple has to hold.

Told by whoever runs a life what was credited to which conversion, and when calls were asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from apple import HOUR, WINDOW_ENDS
from reference import EXACT, Model

Value = tuple[int, int | None]


@dataclass
class Ledger:
    """One conversion: what was credited to it, and the value that its model gave last, by window."""

    model: Model
    start: int
    is_install: bool
    values: dict[int, Value] = field(default_factory=dict)
    rules: dict[int, int] = field(default_factory=dict)
    locked: set[int] = field(default_factory=set)
    counted: int = 0
    sessions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    sums: dict[tuple[str, str], Decimal] = field(default_factory=dict)
    fine: int = 0

    def window(self, now: int) -> int | None:
        return next((number for number, end in enumerate(WINDOW_ENDS) if now - self.start < end), None)

    def begin(self) -> None:
        """What came before is of no window."""
        self.counted = 0
        self.sums = {place: total for place, total in self.sums.items() if place[0] != "window"}

    def enter(self, now: int) -> int | None:
        window = self.window(now)
        if window is not None and window != self.counted:
            self.counted, self.sessions, self.counts = window, 0, {}
            self.sums = {place: total for place, total in self.sums.items() if place[0] != "window"}
        return window

    def pay(self, amount: Decimal, kind: str, now: int) -> None:
        """In the model's currency."""
        scopes = ["conversion"] if self.enter(now) is None else ["conversion", "window"]
        for scope in scopes:
            self.sums[scope, kind] = self.sums.get((scope, kind), Decimal(0)) + amount

    def count(self, event: str | None, now: int, lifetime: Ledger) -> None:
        window = self.enter(now)
        if window is None:
            return
        if event is None:
            self.sessions += 1
        elif event in self.model.names:
            self.counts[event] = self.counts.get(event, 0) + 1
        self.decide(window, now, lifetime, is_first=False)

    def first_update(self, now: int, lifetime: Ledger) -> None:
        """A re-engagement has a value in each window."""
        window = self.window(now)
        if window is not None and window not in self.values:
            self.enter(now)
            self.decide(window, now, lifetime, is_first=True)

    def decide(self, window: int, now: int, lifetime: Ledger, *, is_first: bool) -> None:
        number = self.winner(window, now, lifetime)
        rule = self.model.windows[window].rules[number]
        new: Value = (rule.fine if rule.fine is not None else self.fine, rule.coarse)
        old = self.values.get(window)
        if window in self.locked:
            return
        if old is not None and not is_first:
            is_lower = (new[0], new[1] or 0) < (old[0], -1 if old[1] is None else old[1])
            if (new == old and not rule.lock) or (self.model.raise_only and is_lower):
                return
        self.values[window], self.rules[window] = new, number
        self.fine = new[0]
        if rule.lock and not is_first:
            self.locked.add(window)

    def winner(self, window: int, now: int, lifetime: Ledger) -> int:
        def holds(name: str, low: Decimal, high: Decimal) -> bool:
            return low <= self.seen(name, now, lifetime) < high

        rules = self.model.windows[window].rules
        return max(
            number
            for number, rule in enumerate(rules)
            if all(holds(name, low, high) for name, (low, high) in rule.conditions.items())
        )

    def seen(self, name: str, now: int, lifetime: Ledger) -> Decimal | int:
        what, *rest = name.split(" ", 1)
        if what == "sessions":
            return self.sessions
        if what == "hours":
            return (now - self.start) // HOUR
        if what == "event":
            return self.counts.get(rest[0], 0)
        kind, scope = rest[0].split(" ")
        sums = lifetime.sums if scope == "lifetime" else self.sums
        scope = "conversion" if scope == "lifetime" else scope
        kinds = ("iap", "ad") if kind == "all" else (kind,)
        return sum((sums.get((scope, each), Decimal(0)) for each in kinds), Decimal(0))


def converted(amount: Decimal, currency: str, model: Model) -> Decimal | None:
    rate = Decimal(1) if currency == model.currency else model.rates.get(currency)
    return None if rate is None else EXACT.multiply(amount, rate)
