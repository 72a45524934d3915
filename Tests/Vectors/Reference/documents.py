"""Model documents: the ready ones, and random ones."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import reference

TOP = Path(__file__).resolve().parents[3]
# Those for installs.
READY = [path for path in sorted((TOP / "Sources" / "SKANModels").glob("*.json")) if path.stem != "reengagement"]


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
            listed = [revenue() for _ in range(chance.choice((1, 1, 2)))]
            made["revenue"] = listed if len(listed) > 1 else listed[0]
        for name, probability in (("sessions", 0.4), (chance.choice(("day", "hours")), 0.3)):
            if chance.random() < probability:
                made[name] = range_("min", "max", 60 if name == "hours" else 4)
        if measures and chance.random() < 0.4:
            made["measures"] = [{"name": chance.choice([*measures]), "min": chance.randrange(3)}]
        return made

    def revenue() -> dict[str, Any]:
        return {
            "kind": chance.choice(("iap", "all") if protocol == 3 else ("iap", "ad", "all")),
            "scope": chance.choice(("window", "lifetime")),
            **{name: value * chance.choice((1, 10)) / 100 for name, value in range_("min", "max", 800).items()},
        }

    def measure() -> dict[str, Any]:
        made: dict[str, Any] = {chance.choice(("count", "sum", "days")): chance.sample([*names, "*"], 2)}
        if chance.random() < 0.5:
            made["scope"] = "lifetime"
        if chance.random() < 0.3:
            made["kind"] = chance.choice(("iap",) if protocol == 3 else ("iap", "ad"))
        if chance.random() < 0.3:
            made["amount"] = range_("min", "max", 20)
        if chance.random() < 0.3:
            made[chance.choice(("day", "hours"))] = range_("min", "max", 30)
        return made

    def generator() -> dict[str, Any]:
        subjects: list[dict[str, Any]] = [{"event": names[0]}, {"sessions": True}, {"revenue": {"kind": "all"}}]
        subjects += [{"measure": name} for name in measures]
        digits = [
            {**subject, "at": sorted(chance.sample(range(1, 9), chance.choice((1, 2))))}
            for subject in chance.sample(subjects, 2)
        ]
        return {"digits": digits, **({"coarse": [2, 4]} if protocol == 4 else {})}

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
        if number == 0 and chance.random() < 0.2:
            rules = [generator()]
        made: dict[str, Any] = {"rules": rules}
        if number == 0 and protocol == 4 and chance.random() < 0.3:
            for rule in rules:
                rule.pop("coarse", None)
            apart = [chance.choice((0, 1, 2)) for _ in range(chance.choice((1, 3)))]
            made["coarse_rules"] = [{"coarse": coarse, "when": when()} for coarse in sorted(apart)]
        return made

    measures = {f"measure {number}": measure() for number in range(chance.choice((0, 0, 1, 3)))}
    return {
        "schema": 1,
        "id": f"random {chance.randrange(1000)}",
        "protocol": protocol,
        "currency": chance.choice(("USD", "EUR")),
        "rates": {"GBP": "1.27", "JPY": "0.0067", "KWD": "3.251234567891"},
        "raise_only": raise_only,
        **({"measures": measures} if measures else {}),
        "windows": [window(number) for number in range(3 if protocol == 4 else 1)],
    }
