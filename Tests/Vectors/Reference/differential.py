"""libskan's conversion models against the reference: `differential.py HISTORIES`.

For every ready model, so many random histories: what an update decides is what the reference decides, and what its
value decodes to contains what happened. Raise-only never lowers. As many random documents as histories: both take them,
or both refuse them at the same place.
"""

from __future__ import annotations

import json
import random
import sys
from decimal import Decimal
from typing import Any

import reference
from documents import READY, random_document
from libskan import Engine, InvalidDocument, Model
from reference import Refused

START = 1_700_000_000
HOUR, DAY = 3600, 86_400
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


def contains(envelope: dict[str, Any], seen: dict[str, Any]) -> bool:
    """Whether a document of `explain` lies in an envelope."""
    ranges = [(seen["events"][event["name"]], event["min_count"], event["max_count"]) for event in envelope["events"]]
    for name in ("sessions", "day"):
        if envelope[name] is not None:
            ranges.append((seen[name], envelope[name]["min"], envelope[name]["max"]))
    for part in envelope["revenue"]:
        ranges.append((seen["revenue"][part["scope"]][part["kind"]], part["min"], part["max"]))
    return all(inside(*range_) for range_ in ranges)


class History:
    """One random life, on both."""

    def __init__(self, name: str, model: Model, read: reference.Model, seed: int) -> None:
        self.name, self.model, self.seed = f"{name} {seed}", model, seed
        self.chance = random.Random(f"{name} {seed}")
        self.now = START
        self.engine = Engine(protocol=read.protocol, models=[model], clock=lambda: self.now)
        self.reference = reference.Engine(read.protocol, [read])
        self.read = read
        self.highest: dict[int, tuple[int, int]] = {}

    def run(self) -> None:
        chance, names = self.chance, [*self.read.names, None]
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
                self.update(chance.choice(names))
        self.update(None)

    def earn(self) -> None:
        chance = self.chance
        amount = Decimal(chance.choice((1, 5, 99, 499, 1999, 12345))) / chance.choice((1, 100, 100, 1000))
        if chance.random() < 0.1:
            amount = -amount
        currency = chance.choice([self.read.currency, *self.read.rates, "XYZ"])
        ad = self.read.protocol == 4 and chance.random() < 0.5
        self.engine.update_revenue("player-1", amount, currency, ad_monetization=ad)
        self.reference.update_revenue(str(amount), currency, ad)

    def update(self, event: str | None) -> None:
        result = self.engine.update_conversion_values("player-1", event)
        status, update = self.reference.update_values(event, None)
        expect(result.outcome.name == status, self.name, result, status)
        given = result.update and {**result.update._asdict()}
        expect(given == update, self.name, given, update)
        if not result.update:
            return
        expect(self.engine.pending_update("player-1").update == result.update, self.name, "the update does not wait")
        _, seen = self.engine.explain("player-1")
        fine, coarse, window = result.update.fine_value, result.update.coarse_value, result.update.window
        decoded = self.model.decode(window, fine, coarse)
        for meaning in [decoded] if fine is None else [decoded, self.model.decode(window, fine)]:
            is_inside = meaning is not None and seen is not None and contains(meaning["envelope"], seen)
            expect(is_inside, self.name, "decode")
        if seen is not None and decoded is not None:
            expect(seen["rule"] in [rule["rule"] for rule in decoded["rules"]], self.name, "the rule is not decoded")
        value = (-1 if fine is None else fine, -1 if coarse is None else coarse)
        if self.read.raise_only:
            expect(value >= self.highest.get(window, (-1, -1)), self.name, "lowered to", value)
        self.highest[window] = value


def read_both(value: dict[str, Any]) -> None:
    document = json.dumps(value).encode()
    try:
        read: reference.Model | Refused = reference.read_model(document)
    except Refused as refused:
        read = refused
    try:
        taken: Model | InvalidDocument = Model(document)
    except InvalidDocument as refused:
        taken = refused
    if isinstance(read, Refused):
        is_same = isinstance(taken, InvalidDocument) and taken.message.startswith(f'model at "{read.place}": ')
        expect(is_same, "document", document, read, taken)
    else:
        expect(isinstance(taken, Model) and taken.version == read.version, "document", document, taken)


def main() -> int:
    histories = int(sys.argv[1])
    for path in READY:
        model, read = Model(path.read_bytes()), reference.read_model(path.read_bytes())
        for seed in range(histories):
            History(path.stem, model, read, seed).run()
    chance = random.Random(histories)
    for number in range(histories):
        value = random_document(chance)
        read_both(value)
        try:
            read = reference.read_model(json.dumps(value).encode())
        except Refused:
            continue
        History("random", Model(json.dumps(value)), read, number).run()
    print(f"{len(READY)} ready models and random ones, {histories} histories each: ", end="")
    print(f"{checks - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
