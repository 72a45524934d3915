"""libskan's conversion models against the reference: `differential.py HISTORIES`.

For every ready model, so many random histories: what an update decides, what explains it and what its value decodes to
are the reference's, and what it decodes to contains what happened. Raise-only never lowers. As many random documents as
histories: both take them, or both refuse them at the same place.
"""

from __future__ import annotations

import json
import random
import sys
from decimal import Decimal
from typing import Any

import reference
from documents import READY, random_document
from libskan import ConversionModel, Engine, InvalidDocument, RevenueKind, Update
from reference import Refused, plain

START = 1_700_000_000
HOUR, DAY = 3600, 86_400
Both = tuple[ConversionModel, reference.Model]
failures = 0
checks = 0


def expect(holds: bool, what: str, *details: Any) -> None:
    global failures, checks
    checks += 1
    if not holds:
        failures += 1
        print(what, *details, file=sys.stderr)


def inside(value: Decimal | int, low: Any, high: Any) -> bool:
    return (low is None or low <= value) and (high is None or value < high)


def contains(decoded: dict[str, Any] | None, seen: dict[str, Any] | None, prefix: str = "") -> bool:
    """Whether a document of `decode` has the rule and all that was counted of one of `explain`."""
    if decoded is None or seen is None:
        return False
    envelope = decoded[f"{prefix}envelope"]
    ranges = [(seen["events"][event["name"]], event["min_count"], event["max_count"]) for event in envelope["events"]]
    for name in ("sessions", "day", "hours"):
        if envelope.get(name) is not None:
            ranges.append((seen[name], envelope[name]["min"], envelope[name]["max"]))
    for part in envelope["revenue"]:
        ranges.append((seen["revenue"][part["scope"]][part["kind"]], part["min"], part["max"]))
    for part in envelope.get("measures", []):
        ranges.append((seen["measures"][part["name"]], part["min"], part["max"]))
    won = seen[f"{prefix}rule"] in [rule["rule"] for rule in decoded[f"{prefix}rules"]]
    return won and all(inside(*range_) for range_ in ranges)


class History:
    """One random life, on both."""

    def __init__(self, name: str, both: Both, seed: int) -> None:
        self.name, self.chance = f"{name} {seed}", random.Random(f"{name} {seed}")
        self.model, self.read = both
        self.now = START
        self.engine = Engine(protocol=self.read.protocol, models=[self.model], clock=lambda: self.now)
        self.reference = reference.Engine(self.read.protocol, [self.read])
        self.highest: dict[int, tuple[int, int]] = {}

    def run(self) -> None:
        chance, names = self.chance, [*self.read.all_names, None]
        self.reference.now = self.now
        self.engine.register("player-1")
        self.reference.register()
        for _ in range(chance.randrange(3, 12)):
            turn = chance.random()
            if turn < 0.2:
                self.now += chance.choice((60, HOUR, DAY, 2 * DAY, 7 * DAY, -1, -HOUR, -3 * DAY))
                self.reference.now = self.now
            elif turn < 0.5:
                self.earn()
            else:
                self.update(chance.choice(names), chance.random() < 0.4)
        self.update(None)
        details = self.engine.details("player-1").json
        expect(details == plain(self.reference.details()), self.name, "details", details)

    def amount(self) -> tuple[Decimal, str, bool]:
        chance = self.chance
        amount = Decimal(chance.choice((1, 5, 99, 499, 1999, 12345))) / chance.choice((1, 100, 100, 1000))
        if chance.random() < 0.1:
            amount = -amount
        currency = chance.choice([self.read.currency, *self.read.rates, "XYZ"])
        return amount, currency, self.read.protocol == 4 and chance.random() < 0.5

    def earn(self) -> None:
        amount, currency, ad = self.amount()
        self.engine.update_revenue("player-1", amount, currency, kind=RevenueKind(ad))
        self.reference.update_revenue(str(amount), currency, ad)

    def update(self, event: str | None, is_paid: bool = False) -> None:
        if is_paid:
            amount, currency, ad = self.amount()
            result = self.engine.update_conversion_values(
                "player-1", event, amount=amount, currency=currency, kind=RevenueKind(ad)
            )
            status, update = self.reference.update_values(event, None, (str(amount), currency, ad))
        else:
            result = self.engine.update_conversion_values("player-1", event)
            status, update = self.reference.update_values(event, None)
        expect(result.outcome.name == status, self.name, result, status)
        given = result.update and {**result.update._asdict()}
        expect(given == update, self.name, given, update)
        if not result.update:
            return
        self.check_pending(result.update)
        _, seen = self.engine.explanation("player-1")
        _, should = self.reference.explain()
        expect(plain(seen) == plain(should), self.name, "explain", seen, should)
        fine, coarse, window = result.update.fine_value, result.update.coarse_value, result.update.window
        for values in {(fine, coarse), (fine, None), (None, coarse)} - {(None, None)}:
            decoded, should = self.model.decode(window, *values), reference.decode(self.read, window, *values)
            expect(plain(decoded) == plain(should), self.name, "decode", decoded, should)
            if decoded is None or "coarse_rules" not in decoded:
                expect(contains(decoded, seen), self.name, "what happened is not in", decoded)
                continue
            # Of each value by itself: the rule that gave it now, not one that gave it before.
            assert seen is not None
            if values[0] is not None and seen["fine"] == fine:
                expect(contains(decoded, seen), self.name, "what happened is not in", decoded)
            if values[1] is not None and seen["coarse"] == coarse:
                expect(contains(decoded, seen, "coarse_"), self.name, "what happened is not in", decoded)
        value = (-1 if fine is None else fine, -1 if coarse is None else coarse)
        apart = self.read.windows[window].coarse_rules is not None
        lowest = self.highest.get(window, (-1, -1))
        if self.read.raise_only:
            expect(not apart or min(value[0] - lowest[0], value[1] - lowest[1]) >= 0, self.name, "lowered to", value)
            expect(value >= self.highest.get(window, (-1, -1)), self.name, "lowered to", value)
        self.highest[window] = value

    def check_pending(self, update: Update) -> None:
        """The update is what the app is handed: the install's fine value is there, where it has none."""
        fine = self.engine.details("player-1").fine_value or 0 if update.fine_value is None else update.fine_value
        for call in self.engine.pending_calls("player-1").calls:
            handed = Update(*(getattr(call, name) for name in Update._fields))
            expect(handed == update._replace(fine_value=fine), self.name, "another update waits", handed)
            return
        expect(False, self.name, "the update does not wait")


def read_both(document: str) -> Both | None:
    """What both make of it; None where both refuse it."""
    place = None
    try:
        read = reference.read_model(document.encode())
    except Refused as refused:
        place = refused.place
    try:
        model = ConversionModel(document)
    except InvalidDocument as refused:
        is_same = place is not None and refused.message.startswith(f'model at "{place}": ')
        expect(is_same, "document", document, place, refused)
        return None
    expect(place is None and model.version == read.version, "document", document, place)
    return None if place is not None else (model, read)


def main() -> int:
    histories = int(sys.argv[1])
    chance = random.Random(histories)
    documents = [(path.stem, path.read_text(encoding="utf-8"), range(histories)) for path in READY]
    documents += [("random", json.dumps(random_document(chance)), range(seed, seed + 1)) for seed in range(histories)]
    for name, document, seeds in documents:
        both = read_both(document)
        if both is None:
            continue
        for seed in seeds:
            History(name, both, seed).run()
    print(f"{len(READY)} ready models and random ones, {histories} histories each: ", end="")
    print(f"{checks - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
