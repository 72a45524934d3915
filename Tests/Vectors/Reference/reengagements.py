"""Re-engagements once more, from the text of the rules alone.

Rules, "Conversions", "Re-engage", "Credit", "Update conversions", "Re-engagement revenue", "Re-engagement models",
"Calls", "Acknowledging calls", "End", "Re-engagement details".

Slow and plain on purpose, as the rest of the reference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from reference import CLOSES, DAY, EXACT, HOUR, MOST, Engine, Model, Paid, Rule, height, rounded

REENGAGEMENTS = 6
GREATEST = Decimal("1e24")
ENDS_ON_SERVER = ("host", "invalid tag")
CALL = ("id", "conversion", "framework", "types", "window", "fine_value", "coarse_value", "lock_window", "timestamp")
CALL += ("valid_until", "tag")
Json = dict[str, Any]


@dataclass
class Reengagement:
    """What is kept of one."""

    number: int
    start: int
    tag: str | None
    open_id: str | None
    reference: str | None
    model: str
    window: int
    ended: str | None = None
    sessions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    sums: dict[tuple[str, str], Decimal] = field(default_factory=dict)  # by scope and kind
    fine: int = 0
    coarse: list[int | None] = field(default_factory=lambda: [None] * 3)
    locks: list[int | None] = field(default_factory=lambda: [None] * 3)
    update: Json = field(default_factory=dict)
    delivered: bool = False

    def time(self, now: int) -> int:
        """Rules, "Re-engagement windows"."""
        return max(now, self.start, self.start + (CLOSES[self.window - 1] if self.window else 0))

    def open_window(self, now: int) -> int | None:
        elapsed = self.time(now) - self.start
        return next((number for number, end in CLOSES.items() if elapsed < end), None)

    def is_active(self, now: int) -> bool:
        return self.ended is None and self.open_window(now) is not None

    def enter(self, now: int) -> int:
        window = self.open_window(now)
        assert window is not None
        if window != self.window:
            self.window, self.sessions, self.counts = window, 0, {}
            self.sums = {place: amount for place, amount in self.sums.items() if place[0] == "conversion"}
        return window

    def document(self) -> Json:
        def sums(scope: str) -> Json:
            return {kind: self.sums.get((scope, kind), Decimal(0)) for kind in ("iap", "ad")}

        return {
            "number": self.number,
            "tag": self.tag,
            "open_id": self.open_id,
            "reference": self.reference,
            "start": self.start,
            "ended": self.ended,
            "model": self.model,
            "window": self.window,
            "sessions": self.sessions,
            "events": {name: count for name, count in sorted(self.counts.items()) if count},
            "revenue": {scope: sums(scope) for scope in ("conversion", "window")},
            "fine_value": self.fine,
            "coarse_value": self.coarse,
            "window_lock": self.locks,
            "update": self.update or None,
            "delivered": self.delivered,
        }


def system(version: str | None) -> tuple[int, ...] | None:
    """The numbers of a version; None where it is not known."""
    if version is None or not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){0,2}", version):
        return None
    numbers = [int(number) for number in version.split(".")]
    return tuple([*numbers, 0, 0][:3])


def is_text(text: str, most: int) -> bool:
    return len(text.encode()) <= most and not any(letter < " " or letter == "\x7f" for letter in text)


class ReengagingEngine(Engine):
    """An engine with models for re-engagements."""

    def __init__(
        self,
        protocol: int,
        models: list[Model],
        reengagement_models: list[Model],
        credit: str = "all",
        cooldown_hours: int = 0,
        transport: Callable[[str | None], tuple[str, Any]] | None = None,
    ) -> None:
        super().__init__(protocol, models)
        self.reengagement_models = reengagement_models
        self.credit, self.cooldown = credit, cooldown_hours * 3600
        self.transport = transport

    # What is kept of the install beside what an engine without re-engagements keeps.

    @property
    def kept(self) -> list[Reengagement]:
        kept: list[Reengagement] = self.install.__dict__.setdefault("reengagements", [])
        return kept

    def next_number(self) -> int:
        number: int = self.install.__dict__.get("reengagement_number", 0) + 1
        self.install.__dict__["reengagement_number"] = number
        return number

    def give(self, window: int, fine: int | None, coarse: int | None, lock: bool) -> Json:
        update = super().give(window, fine, coarse, lock)
        self.install.__dict__["update"], self.install.__dict__["delivered"] = update, False
        return update

    def end_life(self, keeps_revenue: bool) -> None:
        kept, number = self.kept, self.install.__dict__.get("reengagement_number", 0)
        super().end_life(keeps_revenue)
        self.install.__dict__.update(reengagements=kept, reengagement_number=number)
        for each in kept:
            each.ended = each.ended or "host"

    def active(self) -> list[Reengagement]:
        return [kept for kept in self.kept if kept.is_active(self.now)]

    def newest(self) -> Reengagement | None:
        return max(self.active(), key=lambda kept: (kept.start, kept.number), default=None)

    def model_of(self, kept: Reengagement) -> Model | None:
        return next((model for model in self.reengagement_models if model.version == kept.model), None)

    def credited(self, number: int) -> list[Reengagement]:
        """Rules, "Credit"."""
        if number:
            return [kept for kept in self.active() if kept.number == number]
        newest = self.newest()
        return self.active() if self.credit == "all" else [newest] if newest else []

    # Re-engage.

    def reengage(
        self,
        open_id: str | None = None,
        tag: str | None = None,
        reference: str | None = None,
        opened_at: int = 0,
        is_started: bool = False,
        is_overlapping: bool = False,
        os_version: str | None = None,
    ) -> tuple[str, int]:
        is_wrong = open_id is not None and (not open_id or not is_text(open_id, 128))
        if is_wrong or not is_text(tag or "", 256) or not is_text(reference or "", 64) or opened_at < 0:
            return "INVALID_ARGUMENT", 0
        if self.protocol == 3 or not self.reengagement_models:
            return "MISUSE", 0
        version = system(os_version)
        if version is not None and version < (18, 0, 0):
            return "UNSUPPORTED", 0
        if not is_overlapping or not tag or (version is not None and version < (18, 4, 0)):
            tag = None
        start = self.now if opened_at == 0 or opened_at > self.now else opened_at

        known = self.known(open_id, tag, opened_at, start)
        if is_started:
            for kept in self.active():
                if tag is None or kept.tag == tag:
                    kept.update = {**kept.update, "id": self.next_update_number()}
                    kept.delivered = False
        if known is not None:
            return "DUPLICATE_EVENT", known.number
        active = self.active()
        if (
            self.now - start >= CLOSES[2]
            or (self.now - start >= CLOSES[0] and not is_started)
            or (tag is None and any(kept.ended is None and kept.start > start for kept in self.kept))
            or (len(active) == REENGAGEMENTS and all(kept.start > start for kept in active))
        ):
            return "WINDOW_CLOSED", 0
        for kept in active:
            if kept.tag is None and kept.start <= start:
                kept.ended = "superseded"
        if len(self.kept) == REENGAGEMENTS:
            self.kept.remove(self.first_to_go())
        model = self.reengagement_models[0]
        new = Reengagement(self.next_number(), start, tag, open_id, reference or None, model.version, 0)
        new.window = new.open_window(self.now) or 0
        self.kept.append(new)
        self.first_update(new, model)
        return "OK", new.number

    def known(self, open_id: str | None, tag: str | None, opened_at: int, start: int) -> Reengagement | None:
        newest = self.newest()
        is_bare = open_id is None and tag is None and opened_at != 0

        def is_cooling(kept: Reengagement) -> bool:
            return kept is newest and tag is None and kept.tag is None and 0 <= start - kept.start < self.cooldown

        fits: list[Callable[[Reengagement], bool]] = [
            lambda kept: open_id is not None and kept.open_id == open_id,
            lambda kept: (
                tag is not None and kept.tag == tag and (kept.is_active(self.now) or kept.ended == "invalid tag")
            ),
            lambda kept: is_bare and kept.open_id is None and kept.tag is None and kept.start == start,
            is_cooling,
        ]
        for fit in fits:
            for kept in reversed(self.kept):
                if fit(kept):
                    return kept
        return None

    def first_to_go(self) -> Reengagement:
        active = self.active()
        for kept in self.kept:
            if kept not in active:
                return kept
        return min(active, key=lambda kept: (kept.start, kept.number))

    # Values.

    def take(self, kept: Reengagement, fine: int | None, coarse: int | None, lock: bool) -> None:
        now, window = kept.time(self.now), kept.window
        if window == 0 and fine is not None:
            kept.fine = fine
        kept.coarse[window] = coarse
        if lock:
            kept.locks[window] = now
        kept.update = {
            "id": self.next_update_number(),
            "window": window,
            "fine_value": kept.fine,
            "coarse_value": coarse,
            "lock_window": lock,
            "timestamp": now,
        }
        kept.delivered = False

    def first_update(self, kept: Reengagement, model: Model) -> None:
        window = kept.enter(self.now)
        rule, coarse = self.winners_of(kept, model, window)
        self.take(kept, rule.fine, (coarse or rule).coarse, False)

    def winner_of(self, kept: Reengagement, model: Model, window: int, rules: list[Rule]) -> int:
        won = None
        for number, rule in enumerate(rules):
            conditions = rule.conditions.items()
            if all(low <= self.value_of(kept, model, window, name) < high for name, (low, high) in conditions):
                won = number
        assert won is not None
        return won

    def winners_of(self, kept: Reengagement, model: Model, window: int) -> tuple[Rule, Rule | None]:
        """The rule that holds, and the coarse rule where the window has those."""
        part = model.windows[window]
        rule = part.rules[self.winner_of(kept, model, window, part.rules)]
        if part.coarse_rules is None:
            return rule, None
        return rule, part.coarse_rules[self.winner_of(kept, model, window, part.coarse_rules)]

    def value_of(self, kept: Reengagement, model: Model, window: int, name: str) -> Decimal | int:
        what, *rest = name.split(" ", 1)
        if what == "revenue":
            kind, scope = rest[0].split(" ")
            return self.sum_of(kept, model, window, kind, scope)
        if what == "hours":
            return (kept.time(self.now) - kept.start) // HOUR
        if kept.window != window:
            return 0
        return kept.sessions if what == "sessions" else kept.counts.get(rest[0], 0)

    def sum_of(self, kept: Reengagement, model: Model, window: int, kind: str, scope: str) -> Decimal:
        if scope == "lifetime":
            return self.total(model, kind, "lifetime", window)
        if scope == "window" and kept.window != window:
            return Decimal(0)
        kinds = ("iap", "ad") if kind == "all" else (kind,)
        total = Decimal(0)
        for part in kinds:
            total = EXACT.add(total, kept.sums.get((scope, part), Decimal(0)))
        return rounded(max(-GREATEST, min(total, GREATEST)))

    def decide(self, kept: Reengagement, event: str | None) -> bool:
        """Counts, and takes a value where there is a new one."""
        model = self.model_of(kept)
        assert model is not None
        window = kept.enter(self.now)
        if event in (None, "__SESSION__"):
            kept.sessions = min(kept.sessions + 1, MOST)
        elif event in model.names:
            assert event is not None
            kept.counts[event] = min(kept.counts.get(event, 0) + 1, MOST)
        rule, apart = self.winners_of(kept, model, window)
        if kept.locks[window] is not None:
            return False
        if apart is not None:
            return self.decide_apart(kept, model, rule, apart)
        new, old = [height(rule.coarse)], [height(kept.coarse[window])]
        if window == 0:
            new, old = [height(rule.fine), *new], [height(kept.fine), *old]
        if (new == old and not rule.lock) or (model.raise_only and new < old):
            return False
        self.take(kept, rule.fine, rule.coarse, rule.lock)
        return True

    def decide_apart(self, kept: Reengagement, model: Model, fine: Rule, coarse: Rule) -> bool:
        """Rules, "Coarse rules": each value by itself."""
        takes_fine = not model.raise_only or height(fine.fine) >= height(kept.fine)
        takes_coarse = not model.raise_only or height(coarse.coarse) >= height(kept.coarse[0])
        values = (fine.fine if takes_fine else kept.fine), (coarse.coarse if takes_coarse else kept.coarse[0])
        locks = (takes_fine and fine.lock) or (takes_coarse and coarse.lock)
        if values == (kept.fine, kept.coarse[0]) and not locks:
            return False
        self.take(kept, *values, locks)
        return True

    # Revenue and updates.

    def update_revenue(
        self, amount: str, currency: str, ad: bool, event_id: str | None = None, reengagement: int = 0
    ) -> str:
        status = super().update_revenue(amount, currency, ad, event_id)
        value = rounded(Decimal(amount))
        if status != "OK" or not value:
            return status
        for kept in self.credited(reengagement):
            model = self.model_of(kept)
            if model is None:
                continue
            rate = Decimal(1) if currency.upper() == model.currency else model.rates.get(currency.upper())
            if rate is None:
                continue
            kept.enter(self.now)
            for scope in ("conversion", "window"):
                place = scope, "ad" if ad else "iap"
                total = EXACT.add(kept.sums.get(place, Decimal(0)), EXACT.multiply(value, rate))
                kept.sums[place] = max(-GREATEST, min(total, GREATEST))
        return status

    def update_conversions(
        self, event: str | None, event_id: str | None = None, reengagement: int = 0, paid: Paid | None = None
    ) -> str:
        has_part = bool(self.models) or self.transport is not None
        if self.protocol == 3 or not (has_part or self.reengagement_models):
            return "MISUSE"
        install = self.install
        if event_id is not None and install.has_event(event_id):
            return "DUPLICATE_EVENT"
        if self.misses_model(reengagement):
            return "MODEL_UNKNOWN"
        is_paid = paid is not None and (install.first is not None or self.active())
        if paid and is_paid and self.update_revenue(*paid, event_id, reengagement) == "LIMIT_EXCEEDED":
            return "LIMIT_EXCEEDED"
        status = self.updated(event, reengagement, has_part, paid)
        if event_id is not None and status in ("OK", "NO_NEW_VALUE", "WINDOW_CLOSED"):
            install.remember_event(event_id)
        return status

    def misses_model(self, number: int) -> bool:
        """Whether the install's model, or that of the re-engagement that is named, is not the engine's."""
        if any(kept.number == number and self.model_of(kept) is None for kept in self.active()):
            return True
        if self.window() is None:
            return False
        if self.models:
            return self.model() is None
        return self.transport is not None and self.install.model is not None

    def updated(self, event: str | None, number: int, has_part: bool, paid: Paid | None) -> str:
        active = self.active()
        if self.install.first is None and not active:
            return "NOT_REGISTERED"
        if self.window() is None and not active:
            return "WINDOW_CLOSED"
        is_new = False
        if self.window() is not None and has_part:
            status, update = self.transport(event) if self.transport else self.decided(event, paid)
            if status in ("TRANSPORT", "REJECTED", "MALFORMED_RESPONSE", "ILLEGAL_VALUE"):
                return status
            is_new = update is not None
        for kept in self.credited(number):
            if self.model_of(kept) is not None:
                is_new = self.decide(kept, event) or is_new
        return "OK" if is_new else "NO_NEW_VALUE"

    def apply(self, body: str | None) -> tuple[str, Any]:
        """What the traces' endpoint answers; None: it fails. Rules, "Apply response", as far as they need it."""
        if body is None:
            return "TRANSPORT", None
        answer, install, window = json.loads(body), self.install, self.window()
        assert window is not None
        if "conversion_value" not in answer:
            return ("NO_NEW_VALUE" if answer["status"] == "ok" else "REJECTED"), None
        fine, coarse = answer["conversion_value"], answer.get("skan_updated_coarse_value")
        if window == 0:
            install.previous_fine, install.fine = install.fine, fine
        install.previous_coarse[window], install.coarse[window] = install.coarse[window], coarse
        install.last = self.time()
        return "OK", self.give(window, fine, coarse, False)

    def pending_update(self) -> Json | None:
        install = self.install.__dict__
        update: Json | None = install.get("update")
        return None if not update or install["delivered"] or update["window"] != self.window() else update

    # Calls.

    def pending_calls(self, os_version: str | None = None) -> tuple[str, list[Json]]:
        for kept in self.active():
            model = self.model_of(kept)
            if model is not None and kept.update["window"] != kept.open_window(self.now):
                self.first_update(kept, model)
        install = self.install.__dict__
        update = install.get("update")
        is_waiting = update is not None and update["window"] == self.window() and not install["delivered"]
        ready = [kept for kept in self.active() if kept.update["window"] == kept.open_window(self.now)]
        if is_waiting or any(kept.tag is None and not kept.delivered for kept in ready):
            for kept in self.active():
                kept.delivered = False
        version = system(os_version) or (9999, 0, 0)
        waiting = [kept for kept in ready if not kept.delivered]
        untagged = [kept for kept in waiting if kept.tag is None]
        tagged = sorted((kept for kept in waiting if kept.tag is not None), key=lambda kept: (kept.start, kept.number))
        calls = self.install_calls(version) if is_waiting else []
        calls += [self.call(kept) for kept in untagged if version >= (18, 0, 0)]
        calls += [self.call(kept) for kept in tagged if version >= (18, 4, 0)]
        ends = [self.end_of(call["conversion"]) for call in calls]
        calls = [{**call, "valid_until": min(ends)} for call in calls]
        return ("OK" if calls else "NOTHING_PENDING"), [{name: call[name] for name in CALL} for call in calls]

    def end_of(self, conversion: int) -> int:
        if conversion == 0 and self.protocol == 3:
            assert self.install.last is not None
            return self.install.last + DAY
        if conversion == 0:
            window = self.window()
            assert self.install.first is not None
            assert window is not None
            return self.install.first + CLOSES[window]
        kept = next(kept for kept in self.kept if kept.number == conversion)
        window = kept.open_window(self.now)
        assert window is not None
        return kept.start + CLOSES[window]

    def install_calls(self, version: tuple[int, ...]) -> list[Json]:
        update = self.install.__dict__["update"]
        is_open = any(kept.open_window(self.now) is not None and kept.ended not in ENDS_ON_SERVER for kept in self.kept)
        lock = update["lock_window"]
        common = {
            "id": update["id"],
            "conversion": 0,
            "window": update["window"],
            "fine_value": (self.install.fine or 0) if update["fine_value"] is None else update["fine_value"],
            "coarse_value": update["coarse_value"],
            "timestamp": update["timestamp"],
            "tag": None,
        }
        aak = {**common, "framework": "AdAttributionKit", "types": "install", "lock_window": lock}
        skan = {**common, "framework": "SKAdNetwork", "types": None, "lock_window": lock and not is_open}
        if version < (18, 0, 0):
            aak["types"], skan["lock_window"] = None, lock
        calls = [aak, skan] if lock else [skan, aak]
        if version < (17, 4, 0) or self.protocol == 3:
            calls = [skan]
        if version < (16, 1, 0):
            calls = [{**skan, "coarse_value": None, "lock_window": False}] if update["window"] == 0 else []
        return [] if version < (14, 0, 0) else calls

    def call(self, kept: Reengagement) -> Json:
        return {
            "id": kept.update["id"],
            "conversion": kept.number,
            "framework": "AdAttributionKit",
            "types": "re-engagement" if kept.tag is None else None,
            "window": kept.update["window"],
            "fine_value": kept.fine,
            "coarse_value": kept.coarse[kept.update["window"]],
            "lock_window": kept.update["lock_window"] and kept.tag is not None,
            "timestamp": kept.update["timestamp"],
            "tag": kept.tag,
        }

    def acknowledge_calls(self, results: list[tuple[int, str]]) -> str:
        """Rules, "Acknowledging calls"."""
        for id, result in results:
            self.acknowledge(id, result)
        return "OK"

    def acknowledge(self, id: int, result: str) -> None:
        install = self.install.__dict__
        if install.get("update") and install["update"]["id"] == id:
            install["delivered"] = result == "delivered"
            if result == "delivered":
                self.renew(None)
            return
        kept = next((kept for kept in self.kept if kept.update["id"] == id), None)
        if kept is None:
            return
        is_refused = result in ("invalid tag", "tag not supported") and kept.tag is not None and kept.ended is None
        kept.delivered = result == "delivered"
        if kept.delivered and kept.tag is None and kept.is_active(self.now):
            self.renew(kept)
        if is_refused and result == "tag not supported" and kept is self.newest():
            kept.tag = None
        elif is_refused:
            kept.ended = result

    def renew(self, other: Reengagement | None) -> None:
        for kept in self.active():
            if kept is not other:
                kept.delivered = False

    # The rest.

    def end_reengagement(self, number: int) -> str:
        if self.protocol == 3:
            return "MISUSE"
        if number < 1:
            return "INVALID_ARGUMENT"
        for kept in self.kept:
            if kept.number == number:
                kept.ended = kept.ended or "host"
                return "OK"
        return "NOT_FOUND"

    def explain_reengagement(self, number: int) -> tuple[str, Any]:
        if number < 1:
            return "INVALID_ARGUMENT", None
        kept = next((kept for kept in self.kept if kept.number == number), None)
        if kept is None:
            return "NOT_FOUND", None
        if not kept.is_active(self.now):
            return "WINDOW_CLOSED", None
        model, window = self.model_of(kept), kept.open_window(self.now)
        if model is None:
            return "MODEL_UNKNOWN", None
        assert window is not None
        part = model.windows[window]
        rule, coarse = self.winners_of(kept, model, window)
        hours = (kept.time(self.now) - kept.start) // HOUR
        apart = None if part.coarse_rules is None else self.winner_of(kept, model, window, part.coarse_rules)
        return "OK", {
            "model": model.version,
            "id": model.id,
            "window": window,
            "day": hours // 24,
            **({"hours": hours} if model.asks_hours else {}),
            "sessions": self.value_of(kept, model, window, "sessions"),
            "events": {name: self.value_of(kept, model, window, "event " + name) for name in model.names},
            "currency": model.currency,
            "revenue": {
                scope: {kind: self.sum_of(kept, model, window, kind, scope) for kind in ("iap", "ad", "all")}
                for scope in ("window", "conversion", "lifetime")
            },
            "currencies_without_rate": self.currencies_without_rate(model),
            "rule": self.winner_of(kept, model, window, part.rules),
            **({"coarse_rule": apart} if model.has_coarse_rules else {}),
            "fine": rule.fine,
            "coarse": (coarse or rule).coarse,
            "lock": rule.lock or (coarse is not None and coarse.lock),
        }

    def details(self) -> Json:
        details = super().details()
        if self.kept:
            details["reengagements"] = [kept.document() for kept in self.kept]
        return details
