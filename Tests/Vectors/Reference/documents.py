"""Model documents: the ready ones, and random ones."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import reference

TOP = Path(__file__).resolve().parents[3]
READY = sorted((TOP / "Sources" / "SKANModels").glob("*.json"))


def random_document(chance: random.Random) -> dict[str, Any]:
    """A document that is most often valid."""
    protocol = chance.choice((4, 4, 4, 3))
    raise_only = chance.random() < 0.7
    names = [f"event {number}" for number in range(chance.choice((1, 3, 8)))] + ["__SESSION__"]

    def range_(low: str, high: str, most: int) -> dict[str, Any]:
        first = chance.randrange(most)
        made: dict[str, Any] = {}
        if chance.random() < 0.8:
            made[low] = first
        if chance.random() < 0.5:
            made[high] = first + 1 + chance.randrange(most)
        return made

    def when() -> dict[str, Any]:
        made: dict[str, Any] = {}
        if chance.random() < 0.4:
            counts = [range_("min_count", "max_count", 4) for _ in range(chance.choice((1, 1, 2)))]
            made["events"] = [{"name": chance.choice(names), **count} for count in counts]
        if chance.random() < 0.5:
            made["revenue"] = {
                "kind": chance.choice(("iap", "all") if protocol == 3 else ("iap", "ad", "all")),
                "scope": chance.choice(("window", "lifetime")),
                **{name: value * chance.choice((1, 10)) / 100 for name, value in range_("min", "max", 800).items()},
            }
        for name, probability in (("sessions", 0.4), ("day", 0.3)):
            if chance.random() < probability:
                made[name] = range_("min", "max", 4)
        return made

    def window(number: int) -> dict[str, Any]:
        count = chance.choice((1, 3, 6))
        fines = chance.sample(range(64), count)
        coarses: list[int | None] = [chance.choice((None, 0, 1, 2) if number == 0 else (0, 1, 2)) for _ in range(count)]
        if raise_only:
            fines.sort()
            coarses.sort(key=reference.height)
        rules = []
        for fine, coarse in zip(fines, coarses):
            rule: dict[str, Any] = {"fine": fine} if number == 0 else {}
            if coarse is not None and protocol == 4:
                rule["coarse"] = coarse
            if protocol == 4 and chance.random() < 0.1:
                rule["lock"] = True
            rule["when"] = when()
            rules.append(rule)
        return {"rules": rules}

    return {
        "schema": 1,
        "id": f"random {chance.randrange(1000)}",
        "protocol": protocol,
        "currency": chance.choice(("USD", "EUR")),
        "rates": {"GBP": "1.27", "JPY": "0.0067", "KWD": "3.251234567891"},
        "raise_only": raise_only,
        "windows": [window(number) for number in range(3 if protocol == 4 else 1)],
    }
