"""Revenue and conversion models once more, from the text of the rules alone.

What is counted, what a model decides, and which documents are refused.

Rules, "Update revenue", "Many amounts", "Model document", "Model counts", "Model revenue", "Model decision",
"Model refusals", "Model decode".

Slow and plain on purpose. It makes the expectations of models and batches, and checks them.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

EXACT = Context(prec=200)
PLACES = Decimal("1e-12")
OPEN = Decimal("Infinity")
CLOSES = {0: 172_800, 1: 604_800, 2: 3_024_000}
DAY = 86_400
MOST = 2**32 - 1
COARSE = ("low", "medium", "high")


def rounded(amount: Decimal) -> Decimal:
    return amount.quantize(PLACES, rounding=ROUND_HALF_EVEN, context=EXACT)


class Refused(Exception):
    """A document that breaks a rule: its place as a JSON pointer."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place


# ---------------------------------------------------------------------------------------------------------- documents


class Number(str):
    """A number as it is written."""


def parsed(document: bytes) -> Any:
    """Rules, "JSON", and the document."""
    if len(document) > 65_536:
        raise Refused("", "over 64 KiB")

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in members]
        if len(set(names)) < len(names):
            raise Refused("", "a key twice")
        if any("\0" in name for name in names):
            raise Refused("", "a NUL in a key")
        return dict(members)

    def constant(_: str) -> Any:
        raise Refused("", "no number")

    try:
        value = json.loads(
            document.decode("utf-8"),
            object_pairs_hook=pairs,
            parse_int=Number,
            parse_float=Number,
            parse_constant=constant,
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Refused("", str(error)) from None
    if not isinstance(value, dict) or depth(value) > 32:
        raise Refused("", "no object, or too deep")
    return value


def depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


class Reader:
    """An object at its place."""

    def __init__(self, value: Any, place: str, known: tuple[str, ...] | None) -> None:
        self.place = place
        if not isinstance(value, dict):
            raise Refused(place, "no object")
        self.members: dict[str, Any] = {name: member for name, member in value.items() if member is not None}
        for name in value:
            if known is not None and name not in known:
                raise Refused(self.at(name), "unknown key")

    def at(self, name: str) -> str:
        return self.place + "/" + name.replace("~", "~0").replace("/", "~1")

    def need(self, name: str) -> Any:
        if name not in self.members:
            raise Refused(self.at(name), "missing")
        return self.members[name]

    def whole(self, name: str, low: int, high: int) -> int | None:
        value = self.members.get(name)
        if value is None:
            return None
        if not isinstance(value, Number) or not re.fullmatch(r"-?\d+", value) or not low <= int(value) <= high:
            raise Refused(self.at(name), f"no whole number from {low} to {high}")
        return int(value)

    def coarse(self, name: str) -> int | None:
        value = self.members.get(name)
        if is_text(value) and value in COARSE:
            return COARSE.index(value)
        return self.whole(name, 0, 2)

    def flag(self, name: str, default: bool) -> bool:
        value = self.members.get(name, default)
        if not isinstance(value, bool):
            raise Refused(self.at(name), "neither true nor false")
        return value

    def word(self, name: str, words: tuple[str, ...]) -> str:
        value = self.members.get(name, words[0])
        if isinstance(value, Number) or value not in words:
            raise Refused(self.at(name), f"none of {words}")
        return str(value)

    def amount(self, name: str) -> Decimal | None:
        value = self.members.get(name)
        if value is None:
            return None
        if not isinstance(value, Number):
            raise Refused(self.at(name), "no number")
        amount = EXACT.create_decimal(value)
        if abs(amount) >= Decimal("1e18") or rounded(amount) != amount:
            raise Refused(self.at(name), "out of range, or too many places")
        return amount

    def elements(self, name: str) -> list[Any]:
        value = self.members.get(name, [])
        if not isinstance(value, list):
            raise Refused(self.at(name), "no array")
        return value


Range = tuple[Decimal, Decimal]


@dataclass
class Rule:
    """A rule of a window. Its conditions are of "sessions", "day", "event NAME" and "revenue KIND SCOPE"."""

    fine: int | None
    coarse: int | None
    lock: bool
    conditions: dict[str, Range] = field(default_factory=dict)

    def range(self, name: str) -> Range:
        """What it asks for, or all that there is: a count begins with 0."""
        return self.conditions.get(name, (-OPEN if name.startswith("revenue ") else Decimal(0), OPEN))


@dataclass
class Model:
    """A document that is right."""

    version: str
    id: str
    protocol: int
    currency: str
    rates: dict[str, Decimal]
    raise_only: bool
    names: list[str]
    windows: list[list[Rule]]
    conversion: str = "install"


def is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def is_printable(value: Any, most: int) -> bool:
    return is_text(value) and re.fullmatch(rf"[ -~]{{1,{most}}}", value) is not None


def read_model(document: bytes) -> Model:
    known = ("schema", "id", "protocol", "conversion", "currency", "rates", "raise_only", "windows")
    root = Reader(parsed(document), "", known)
    root.need("schema")
    root.whole("schema", 1, 1)
    protocol = root.whole("protocol", 3, 4) or 4
    conversion = root.word("conversion", ("install", "re-engagement"))
    if conversion == "re-engagement" and protocol == 3:
        raise Refused("/conversion", "only in SKAN 4")
    raise_only = root.flag("raise_only", True)
    if not is_printable(root.need("id"), 64):
        raise Refused("/id", "not printable ASCII")
    currency = root.members.get("currency", "USD")
    if not is_text(currency) or not re.fullmatch("[A-Z]{3}", currency):
        raise Refused("/currency", "not three capital letters")
    rates = read_rates(root, currency)
    windows = root.need("windows")
    if not isinstance(windows, list) or len(windows) != (3 if protocol == 4 else 1):
        raise Refused("/windows", "not the protocol's windows")
    names: list[str] = []
    rules = [
        read_window(window, number, protocol, raise_only, names, conversion) for number, window in enumerate(windows)
    ]
    version = hashlib.sha256(document).hexdigest()
    return Model(version, root.need("id"), protocol, currency, rates, raise_only, names, rules, conversion)


def read_rates(root: Reader, own: str) -> dict[str, Decimal]:
    rates = Reader(root.members.get("rates", {}), "/rates", None)
    read: dict[str, Decimal] = {}
    for name, value in root.members.get("rates", {}).items():
        if not re.fullmatch("[A-Z]{3}", name):
            raise Refused(rates.at(name), "not three capital letters")
        if not is_text(value) or not re.fullmatch(r"(0|[1-9]\d*)(\.\d+)?", value):
            raise Refused(rates.at(name), "no decimal text")
        rate = EXACT.create_decimal(value)
        if not 0 < rate < Decimal("1e12") or rounded(rate) != rate:
            raise Refused(rates.at(name), "out of range, or too many places")
        if name == own and rate != 1:
            raise Refused(rates.at(name), "the own currency counts 1")
        read[name] = rate
    return read


def read_window(
    window: Any, number: int, protocol: int, raise_only: bool, names: list[str], conversion: str
) -> list[Rule]:
    place = f"/windows/{number}"
    reader = Reader(window, place, ("rules",))
    reader.need("rules")
    values = reader.elements("rules")
    if len(values) > 64:
        raise Refused(place + "/rules", "too many rules")
    rules: list[Rule] = []
    for index, value in enumerate(values):
        rule = read_rule(value, f"{place}/rules/{index}", number, protocol, names, conversion)
        before = rules[-1] if rules else None
        if rule.fine is not None and any(other.fine == rule.fine for other in rules):
            raise Refused(f"{place}/rules/{index}/fine", "there before")
        if raise_only and before:
            if rule.fine is not None and before.fine is not None and rule.fine < before.fine:
                raise Refused(f"{place}/rules/{index}/fine", "lower than before")
            if height(rule.coarse) < height(before.coarse):
                raise Refused(f"{place}/rules/{index}/coarse", "lower than before")
        rules.append(rule)
    if conversion == "re-engagement":
        require_value(place, number, rules)
    for earlier in range(len(rules)):
        if any(contains(later, rules[earlier]) for later in rules[earlier + 1 :]):
            raise Refused(f"{place}/rules/{earlier}", "can never win")
    return rules


def require_value(place: str, window: int, rules: list[Rule]) -> None:
    """Rules, "Re-engagement models": there is always a value."""
    if not rules:
        raise Refused(place + "/rules", "no rule")
    if rules[0].conditions:
        raise Refused(place + "/rules/0/when", "not empty")
    if rules[0].lock:
        raise Refused(place + "/rules/0/lock", "a lock")
    if window == 0 and rules[0].fine != 0:
        raise Refused(place + "/rules/0/fine", "not 0")
    for index, rule in enumerate(rules):
        if rule.coarse is None:
            raise Refused(f"{place}/rules/{index}/coarse", "missing")


def height(value: int | None) -> int:
    return -1 if value is None else value


def read_rule(value: Any, place: str, window: int, protocol: int, names: list[str], conversion: str) -> Rule:
    reader = Reader(value, place, ("fine", "coarse", "lock", "when"))
    rule = Rule(reader.whole("fine", 0, 63), reader.coarse("coarse"), reader.flag("lock", False))
    if window == 0:
        reader.need("fine")
    elif rule.fine is not None:
        raise Refused(place + "/fine", "only in window 0")
    else:
        reader.need("coarse")
    if protocol == 3 and rule.coarse is not None:
        raise Refused(place + "/coarse", "fine values only")
    if protocol == 3 and rule.lock:
        raise Refused(place + "/lock", "fine values only")

    when = Reader(reader.members.get("when", {}), place + "/when", ("events", "revenue", "sessions", "day"))

    def condition(name: str, low: Decimal | int, high: Decimal | int | None, at: str) -> None:
        if high is not None and low >= high:
            raise Refused(at, "an empty range")
        old = rule.range(name)
        both = max(old[0], Decimal(low)), min(old[1], OPEN if high is None else Decimal(high))
        if both[0] >= both[1]:
            raise Refused(at, "an empty range together")
        rule.conditions[name] = both

    def simple(name: str) -> None:
        if name in when.members:
            part = Reader(when.members[name], when.at(name), ("min", "max"))
            low, high = part.whole("min", 0, MOST), part.whole("max", 0, MOST)
            condition(name, low or 0, high, when.at(name))

    simple("sessions")
    for index, member in enumerate(when.elements("events")):
        event = Reader(member, f"{place}/when/events/{index}", ("name", "min_count", "max_count"))
        name = event.need("name")
        if not is_printable(name, 32):
            raise Refused(event.at("name"), "no event name")
        low, high = event.whole("min_count", 0, MOST), event.whole("max_count", 0, MOST)
        if name != "__SESSION__" and name not in names:
            if len(names) == 64:
                raise Refused(event.at("name"), "too many names")
            names.append(name)
        condition(
            "sessions" if name == "__SESSION__" else "event " + name, 1 if low is None else low, high, event.place
        )
    simple("day")
    if "revenue" in when.members:
        part = Reader(when.members["revenue"], when.at("revenue"), ("kind", "scope", "min", "max"))
        scopes = ("window", "lifetime") + (("conversion",) if conversion == "re-engagement" else ())
        kind, scope = part.word("kind", ("iap", "ad", "all")), part.word("scope", scopes)
        if protocol == 3 and kind == "ad":
            raise Refused(part.at("kind"), "no ad revenue in SKAN 3")
        name = f"revenue {kind} {'lifetime' if protocol == 3 else scope}"
        condition(name, part.amount("min") or Decimal(0), part.amount("max"), part.place)
    return rule


def contains(wide: Rule, narrow: Rule) -> bool:
    """Whether every condition of the one is contained in the other's."""
    return all(
        low <= narrow.range(name)[0] and narrow.range(name)[1] <= high for name, (low, high) in wide.conditions.items()
    )


# ------------------------------------------------------------------------------------------------------------ installs


@dataclass
class Install:
    """What is known of one."""

    first: int | None = None
    last: int | None = None
    fine: int | None = None
    previous_fine: int | None = None
    coarse: list[int | None] = field(default_factory=lambda: [None] * 3)
    previous_coarse: list[int | None] = field(default_factory=lambda: [None] * 3)
    locks: list[int | None] = field(default_factory=lambda: [None] * 3)
    revenue: dict[tuple[str, str], dict[str, Decimal]] = field(default_factory=dict)  # by scope or window, and kind
    model: str | None = None
    counted_window: int = 0
    sessions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)  # event ids of updates, and of revenue
    paid: list[str] = field(default_factory=list)
    updates: int = 0


class Engine:
    """An engine, perhaps with conversion models, and the install that it is asked about."""

    def __init__(self, protocol: int, models: list[Model]) -> None:
        self.protocol = protocol
        self.models = models
        self.now = 0
        self.install = Install()

    # What a step answers: a status, and perhaps an update.

    def register(self) -> tuple[str, Any]:
        install = self.install
        if install.first is not None:
            return "ALREADY_REGISTERED", None
        install.first = install.last = self.now
        install.model = self.models[0].version if self.models else None
        if self.protocol == 3:
            return "OK", None
        install.fine = 0
        return "OK", self.give(0, 0, None, False)

    def time(self) -> int:
        """The clock; before the first second of the window that something was counted in, that second."""
        install = self.install
        if install.first is None or install.counted_window == 0:
            return self.now
        return max(self.now, install.first + CLOSES[install.counted_window - 1])

    def window(self) -> int | None:
        install = self.install
        if install.first is None or install.last is None:
            return None
        if self.protocol == 3:
            return 0 if self.now - install.last < DAY else None
        return next((number for number, end in CLOSES.items() if self.time() - install.first < end), None)

    def update_revenue(self, amount: str, currency: str, ad: bool, event_id: str | None = None) -> str:
        """Rules, "Update revenue", "Revenue tables", "Event ids"."""
        install, value, currency = self.install, rounded(Decimal(amount)), currency.upper()
        if event_id is not None and event_id in install.paid[-64:]:
            return "DUPLICATE_EVENT"
        scopes = ["lifetime"]
        if self.protocol == 4 and self.window() is not None:
            scopes.append(str(self.window()))
        tables = [install.revenue.get((scope, "ad" if ad else "iap"), {}) for scope in scopes]
        if value:
            tables = [{**table, currency: EXACT.add(table.get(currency, Decimal(0)), value)} for table in tables]
        if any(len(table) > 64 or abs(table.get(currency, Decimal(0))) >= 10**18 for table in tables):
            return "LIMIT_EXCEEDED"
        install.revenue.update({(scope, "ad" if ad else "iap"): table for scope, table in zip(scopes, tables)})
        if event_id is not None:
            install.paid.append(event_id)
        return "OK"

    def update_item(self, item: dict[str, Any]) -> str:
        """One of many amounts: Rules, "Arguments"."""
        amount = item.get("amount_text", item["amount"])
        place, event_id = item.get("install", "install-1"), item.get("event_id")
        is_ad = item.get("ad_monetization", False)
        if (
            not 1 <= len(place.encode()) <= 128
            or any(letter < " " or letter == "\x7f" for letter in place)
            or abs(rounded(Decimal(amount))) >= 10**12
            or not re.fullmatch("[A-Za-z]{3}", item["currency"])
            or (is_ad and self.protocol == 3)
            or (event_id is not None and not 1 <= len(event_id.encode()) <= 128)
        ):
            return "INVALID_ARGUMENT"
        return self.update_revenue(amount, item["currency"], is_ad, event_id)

    def import_details(self, body: dict[str, Any]) -> None:
        """What the traces import, into an install without a record."""
        install = self.install
        install.first = body.get("skan_first_call_to_skadnetwork_timestamp")
        install.last = body.get("skan_last_call_to_skadnetwork_timestamp")
        install.fine = body.get("skan_current_conversion_value")
        tables = {
            ("lifetime", "iap"): "skan_total_revenue_by_currency",
            ("lifetime", "ad"): "skan_total_admon_revenue_by_currency",
            ("0", "iap"): "p0_total_iap_revenue",
        }
        for place, key in tables.items():
            install.revenue[place] = {currency: Decimal(str(amount)) for currency, amount in body.get(key, {}).items()}
        if install.first is not None and self.models:
            install.model = self.models[0].version

    def give(self, window: int, fine: int | None, coarse: int | None, lock: bool) -> dict[str, Any]:
        self.install.updates += 1
        return {
            "id": self.install.updates,
            "window": window,
            "fine_value": fine,
            "coarse_value": coarse,
            "lock_window": lock,
            "timestamp": self.time(),
        }

    def model(self) -> Model | None:
        return next((model for model in self.models if model.version == self.install.model), None)

    def update_values(self, event: str | None, event_id: str | None) -> tuple[str, Any]:
        install = self.install
        if event_id is not None and event_id in install.seen[-64:]:
            return "DUPLICATE_EVENT", None
        if install.first is None:
            return "NOT_REGISTERED", None
        answer = self.decided(event)
        if event_id is not None and answer[0] != "MODEL_UNKNOWN":
            install.seen.append(event_id)
        return answer

    def decided(self, event: str | None) -> tuple[str, Any]:
        install, window, model = self.install, self.window(), self.model()
        if window is None:
            return "WINDOW_CLOSED", None
        if model is None:
            return "MODEL_UNKNOWN", None
        now = self.time()
        is_session = event in (None, "__SESSION__")
        if install.counted_window != window and (is_session or event in model.names):
            install.counted_window, install.sessions, install.counts = window, 0, {}
        if is_session:
            install.sessions = min(install.sessions + 1, MOST)
        elif event in model.names:
            install.counts[event] = min(install.counts.get(event, 0) + 1, MOST)

        number = self.winner(model, window)
        if number is None:
            return "NO_NEW_VALUE", None
        rule = model.windows[window][number]
        if self.protocol == 3:
            assert rule.fine is not None
            if rule.fine <= (install.fine or 0):
                return "NO_NEW_VALUE", None
            install.fine, install.last = rule.fine, now
            return "OK", self.give(0, rule.fine, None, False)

        if install.locks[window] is not None:
            return "WINDOW_LOCKED", None
        new, old = [height(rule.coarse)], [height(install.coarse[window])]
        if window == 0:
            new, old = [height(rule.fine), *new], [height(install.fine), *old]
        if (new == old and not rule.lock) or (model.raise_only and new < old):
            return "NO_NEW_VALUE", None
        if window == 0:
            install.previous_fine, install.fine = install.fine, rule.fine
        install.previous_coarse[window], install.coarse[window] = install.coarse[window], rule.coarse
        if rule.lock:
            install.locks[window] = now
        install.last = now
        return "OK", self.give(window, rule.fine, rule.coarse, rule.lock)

    # What a rule asks for.

    def day(self) -> int:
        assert self.install.first is not None
        return max(0, (self.time() - self.install.first) // DAY)

    def total(self, model: Model, kind: str, scope: str, window: int) -> Decimal:
        place = "lifetime" if scope == "lifetime" or self.protocol == 3 else str(window)
        totals: dict[str, Decimal] = {}
        for part in ("iap", "ad") if kind == "all" else (kind,):
            for currency, amount in self.install.revenue.get((place, part), {}).items():
                totals[currency] = EXACT.add(totals.get(currency, Decimal(0)), amount)
        total = Decimal(0)
        for currency, amount in totals.items():
            rate = Decimal(1) if currency == model.currency else model.rates.get(currency)
            if rate is not None:
                value = rounded(EXACT.multiply(amount, rate))
                total = EXACT.add(total, max(-Decimal("1e24"), min(value, Decimal("1e24"))))
        return total

    def value(self, model: Model, window: int, name: str) -> Decimal | int:
        """What a condition is about."""
        what, *rest = name.split(" ", 1)
        if what == "revenue":
            kind, scope = rest[0].split(" ")
            return self.total(model, kind, scope, window)
        if what == "day":
            return self.day()
        if self.install.counted_window != window:
            return 0
        return self.install.sessions if what == "sessions" else self.install.counts.get(rest[0], 0)

    def winner(self, model: Model, window: int) -> int | None:
        won = None
        for number, rule in enumerate(model.windows[window]):
            conditions = rule.conditions.items()
            if all(low <= self.value(model, window, name) < high for name, (low, high) in conditions):
                won = number
        return won

    def explain(self) -> tuple[str, Any]:
        if self.install.first is None:
            return "NOT_REGISTERED", None
        window, model = self.window(), self.model()
        if window is None:
            return "WINDOW_CLOSED", None
        if model is None:
            return "MODEL_UNKNOWN", None
        number = self.winner(model, window)
        rule = None if number is None else model.windows[window][number]
        return "OK", {
            "model": model.version,
            "id": model.id,
            "window": window,
            "day": self.day(),
            "sessions": self.value(model, window, "sessions"),
            "events": {name: self.value(model, window, "event " + name) for name in model.names},
            "currency": model.currency,
            "revenue": {
                scope: {kind: self.total(model, kind, scope, window) for kind in ("iap", "ad", "all")}
                for scope in ("window", "lifetime")
            },
            "currencies_without_rate": self.currencies_without_rate(model),
            "rule": number,
            "fine": rule and rule.fine,
            "coarse": rule and rule.coarse,
            "lock": rule is not None and rule.lock,
        }

    def currencies_without_rate(self, model: Model) -> list[str]:
        unknown = {
            currency
            for table in self.install.revenue.values()
            for currency, amount in table.items()
            if amount and currency != model.currency and currency not in model.rates
        }
        return sorted(unknown)

    def details(self) -> dict[str, Any]:
        install = self.install

        def table(scope: str, kind: str) -> Any:
            totals = install.revenue.get((scope, kind), {})
            return {currency: totals[currency] for currency in sorted(totals)} or None

        if self.protocol == 3:
            return {
                "skan_conversion_value": install.fine,
                "skan_first_call_to_skadnetwork_timestamp": install.first,
                "skan_last_call_to_skadnetwork_timestamp": install.last,
                "skan_total_revenue_by_currency": table("lifetime", "iap"),
            }
        return {
            "skan_current_conversion_value": install.fine,
            "prev_fine_value": install.previous_fine,
            "skan_first_call_to_skadnetwork_timestamp": install.first,
            "skan_last_call_to_skadnetwork_timestamp": install.last,
            "skan_total_revenue_by_currency": table("lifetime", "iap"),
            "skan_total_admon_revenue_by_currency": table("lifetime", "ad"),
            **{f"p{number}_coarse": install.coarse[number] for number in range(3)},
            **{f"p{number}_window_lock": install.locks[number] for number in range(3)},
            **{f"p{number}_prev_coarse_value": install.previous_coarse[number] for number in range(3)},
            **{f"p{number}_total_iap_revenue": table(str(number), "iap") for number in range(3)},
            **{f"p{number}_total_admon_revenue": table(str(number), "ad") for number in range(3)},
        }


# ------------------------------------------------------------------------------------------------------------ decoding


def decode(model: Model, window: int, fine: int | None, coarse: int | None) -> Any:
    """All rules with the value and their envelope; None: undecodable. Fine 0 is also what registering gives."""
    registers = window == 0 and fine == 0 and coarse is None
    found = [
        number
        for number, rule in enumerate(model.windows[window])
        if (fine is None or rule.fine == fine) and (coarse is None or rule.coarse == coarse)
    ]
    if not found and not registers:
        return None
    rules = [model.windows[window][number] for number in found]
    decoded: dict[str, Any] = {
        "window": window,
        "currency": model.currency,
        "rules": [
            {
                "rule": number,
                "fine": rule.fine,
                "coarse": rule.coarse,
                "lock": rule.lock,
                "when": envelope(model, [rule]),
            }
            for number, rule in zip(found, rules)
        ],
        "envelope": envelope(model, rules),
    }
    if registers:
        for part in (*decoded["envelope"]["events"], *decoded["envelope"]["revenue"]):
            include_nothing(part)
        for name in ("sessions", "day"):
            include_nothing(decoded["envelope"][name] or {})
        decoded["registration"] = True
    return decoded


def include_nothing(range_: dict[str, Any]) -> None:
    """Widens a range of an envelope to hold 0."""
    for name in ("min", "min_count"):
        if range_.get(name) is not None:
            range_[name] = min(range_[name], Decimal(0))
    if range_.get("max") is not None and range_["max"] <= 0:
        range_["max"] = None


def envelope(model: Model, rules: list[Rule]) -> dict[str, Any]:
    def hull(name: str, low: str = "min", high: str = "max") -> dict[str, Any] | None:
        """The least range that has those of all rules; None where no rule asks."""
        if not any(name in rule.conditions for rule in rules):
            return None
        bounds = min(rule.range(name)[0] for rule in rules), max(rule.range(name)[1] for rule in rules)
        return {key: None if bound.is_infinite() else bound for key, bound in zip((low, high), bounds)}

    events = [(name, hull("event " + name, "min_count", "max_count")) for name in model.names]
    revenue = [
        (kind, scope, hull(f"revenue {kind} {scope}"))
        for scope in ("window", "lifetime")
        for kind in ("iap", "ad", "all")
    ]
    return {
        "events": [{"name": name, **range_} for name, range_ in events if range_],
        "revenue": [{"kind": kind, "scope": scope, **range_} for kind, scope, range_ in revenue if range_],
        "sessions": hull("sessions"),
        "day": hull("day"),
    }


def plain(value: Any) -> str:
    """JSON as libskan writes it: UTF-8, no spaces, plain decimals without trailing zeros."""
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{plain(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(plain, value)) + "]"
    if isinstance(value, Decimal):
        return format(EXACT.normalize(value), "f") if value else "0"
    return json.dumps(value, ensure_ascii=False)
