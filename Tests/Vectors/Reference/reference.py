"""Revenue and conversion models once more, from the text of the rules alone.

What is counted, what a model decides, and which documents are refused.

Rules, "Update revenue", "Many amounts", "Update conversion values", "Model document", "Model counts",
"Model measures", "Digits", "Coarse rules", "Model revenue", "Model decision", "Model refusals", "Model decode".

Slow and plain on purpose. It makes the expectations of models and batches, and checks them.
"""

from __future__ import annotations

import hashlib
import itertools
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
HOUR = 3_600
MOST = 2**32 - 1
MOST_RULES, MOST_NAMES, MOST_MEASURES, MOST_DIGITS = 256, 64, 32, 6
MOST_SUM = Decimal("1e24")
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
        return None if value is None else exact_amount(value, self.at(name))

    def elements(self, name: str) -> list[Any]:
        value = self.members.get(name, [])
        if not isinstance(value, list):
            raise Refused(self.at(name), "no array")
        return value


def exact_amount(value: Any, place: str) -> Decimal:
    if not isinstance(value, Number):
        raise Refused(place, "no number")
    amount = EXACT.create_decimal(value)
    if abs(amount) >= Decimal("1e18") or rounded(amount) != amount:
        raise Refused(place, "out of range, or too many places")
    return amount


Range = tuple[Decimal, Decimal]
Paid = tuple[str, str, bool]
"""What came with an event: its amount, its currency, and whether it is ad revenue."""


@dataclass
class Measure:
    """A named number of an install. Its events may be "*" and "__SESSION__"; a range of days is in hours, too."""

    counting: str
    events: list[str]
    scope: str
    kind: str
    amount: Range | None
    unit: str
    hours: Range | None

    @property
    def asks_amount(self) -> bool:
        return self.counting == "sum" or self.kind != "all" or self.amount is not None

    def names(self, event: str) -> bool:
        return event in self.events or ("*" in self.events and event != "__SESSION__")

    def definition(self) -> dict[str, Any]:
        return {
            self.counting: self.events,
            "scope": self.scope,
            "kind": self.kind,
            "amount": bounds(self.amount),
            "day": bounds(in_days(self.hours)) if self.unit == "day" else None,
            "hours": bounds(self.hours) if self.unit == "hours" else None,
        }


def bounds(range_: Range | None) -> dict[str, Any] | None:
    return range_ and {name: None if end.is_infinite() else end for name, end in zip(("min", "max"), range_)}


def in_days(hours: Range | None) -> Range | None:
    """The smallest range of whole days around it."""
    if hours is None:
        return None
    return hours[0] // 24, hours[1] if hours[1].is_infinite() else (hours[1] + 23) // 24


@dataclass
class Rule:
    """A rule of a window.

    Its conditions are of "sessions", "hours", "event NAME", "revenue KIND SCOPE", "measure NAME" and "sum NAME".
    """

    fine: int | None
    coarse: int | None
    lock: bool
    conditions: dict[str, Range] = field(default_factory=dict)

    def range(self, name: str) -> Range:
        """What it asks for, or all that there is: a count begins with 0."""
        is_money = name.startswith(("revenue ", "sum "))
        return self.conditions.get(name, (-OPEN if is_money else Decimal(0), OPEN))

    def ask(self, name: str, range_: Range, place: str) -> None:
        """A condition beside those on the same thing."""
        if range_[0] >= range_[1]:
            raise Refused(place, "an empty range")
        old = self.range(name)
        both = max(old[0], range_[0]), min(old[1], range_[1])
        if both[0] >= both[1]:
            raise Refused(place, "an empty range together")
        self.conditions[name] = both


@dataclass
class Window:
    """The rules of a window; None: no coarse rules."""

    rules: list[Rule]
    coarse_rules: list[Rule] | None = None


@dataclass
class Model:
    """A document that is right."""

    version: str
    id: str
    protocol: int
    currency: str
    rates: dict[str, Decimal]
    raise_only: bool
    measures: dict[str, Measure]
    all_names: list[str]
    """Of all events, 64 at most."""
    names: list[str]
    """Of those that are counted one by one."""
    windows: list[Window]
    asks_hours: bool = False
    conversion: str = "install"

    @property
    def has_coarse_rules(self) -> bool:
        return any(window.coarse_rules is not None for window in self.windows)


def is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def is_printable(value: Any, most: int) -> bool:
    return is_text(value) and re.fullmatch(rf"[ -~]{{1,{most}}}", value) is not None


def is_event_name(value: Any) -> bool:
    """Rules, "Arguments", for engines with models."""
    if not is_text(value) or re.search("[\0-\x1f\x7f\ud800-\udfff]", value):
        return False
    return 1 <= len(value.encode()) <= 64


def read_model(document: bytes) -> Model:
    known = ("schema", "id", "protocol", "conversion", "currency", "rates", "raise_only", "measures", "windows")
    root = Reader(parsed(document), "", known)
    root.need("schema")
    root.whole("schema", 1, 1)
    protocol = root.whole("protocol", 3, 4) or 4
    conversion = root.word("conversion", ("install", "re-engagement"))
    if conversion == "re-engagement" and protocol == 3:
        raise Refused("/conversion", "only in SKAN 4")
    if conversion == "re-engagement" and "measures" in root.members:
        raise Refused("/measures", "not for re-engagements")
    raise_only = root.flag("raise_only", True)
    if not is_printable(root.need("id"), 64):
        raise Refused("/id", "not printable ASCII")
    currency = root.members.get("currency", "USD")
    if not is_text(currency) or not re.fullmatch("[A-Z]{3}", currency):
        raise Refused("/currency", "not three capital letters")
    rates = read_rates(root, currency)
    version = hashlib.sha256(document).hexdigest()
    model = Model(
        version, root.need("id"), protocol, currency, rates, raise_only, {}, [], [], [], conversion=conversion
    )
    read_measures(root, model)
    windows = root.need("windows")
    if not isinstance(windows, list) or len(windows) != (3 if protocol == 4 else 1):
        raise Refused("/windows", "not the protocol's windows")
    for number, window in enumerate(windows):
        model.windows.append(read_window(window, number, model))
    return model


def read_measures(root: Reader, model: Model) -> None:
    if "measures" not in root.members:
        return
    measures = Reader(root.members["measures"], "/measures", None)
    # A member that is null counts too.
    if len(root.members["measures"]) > MOST_MEASURES:
        raise Refused("/measures", "too many")
    for name, value in root.members["measures"].items():
        if not is_printable(name, 32):
            raise Refused(measures.at(name), "no name")
        model.measures[name] = read_measure(value, measures.at(name), model)


def read_measure(value: Any, place: str, model: Model) -> Measure:
    reader = Reader(value, place, ("count", "sum", "days", "scope", "kind", "amount", "day", "hours"))
    found = [counting for counting in ("count", "sum", "days") if counting in reader.members]
    if len(found) != 1:
        raise Refused(place, "none or more than one of count, sum and days")
    scope, kind = reader.word("scope", ("window", "lifetime")), reader.word("kind", ("all", "iap", "ad"))
    if model.protocol == 3 and kind == "ad":
        raise Refused(reader.at("kind"), "no ad revenue in SKAN 3")
    names = reader.elements(found[0])
    if not 1 <= len(names) <= MOST_NAMES:
        raise Refused(reader.at(found[0]), "no names, or too many")
    for index, name in enumerate(names):
        at = f"{reader.at(found[0])}/{index}"
        if not is_event_name(name):
            raise Refused(at, "no event name")
        if name in names[:index]:
            raise Refused(at, "there twice")
        if name != "*":
            add_name(name, at, model)
    amount = None
    if "amount" in reader.members:
        part = Reader(reader.members["amount"], reader.at("amount"), ("min", "max"))
        amount = amounts(part, -OPEN)
        if amount[0] >= amount[1]:
            raise Refused(part.place, "an empty range")
    unit = next((unit for unit in ("day", "hours") if unit in reader.members), "")
    if unit == "day" and "hours" in reader.members:
        raise Refused(reader.at("hours"), "beside day")
    hours = read_time(reader, unit) if unit else None
    return Measure(found[0], names, scope, kind, amount, unit, hours)


def add_name(name: str, place: str, model: Model) -> None:
    if name == "__SESSION__" or name in model.all_names:
        return
    if len(model.all_names) == MOST_NAMES:
        raise Refused(place, "too many names")
    model.all_names.append(name)


def amounts(part: Reader, lowest: Decimal) -> Range:
    low, high = part.amount("min"), part.amount("max")
    return (lowest if low is None else low), (OPEN if high is None else high)


def wholes(part: Reader, low: str = "min", high: str = "max", lowest: int = 0) -> Range:
    first, end = part.whole(low, 0, MOST), part.whole(high, 0, MOST)
    return Decimal(lowest if first is None else first), (OPEN if end is None else Decimal(end))


def read_time(reader: Reader, unit: str) -> Range:
    """A range of days or hours, in hours."""
    part = Reader(reader.members[unit], reader.at(unit), ("min", "max"))
    scale = 24 if unit == "day" else 1
    low, high = (end * scale for end in wholes(part))
    if low >= high:
        raise Refused(part.place, "an empty range")
    return low, high


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


def read_window(window: Any, number: int, model: Model) -> Window:
    place = f"/windows/{number}"
    reader = Reader(window, place, ("rules", "coarse_rules"))
    reader.need("rules")
    has_coarse_rules = "coarse_rules" in reader.members
    if has_coarse_rules and (number > 0 or model.protocol == 3):
        raise Refused(place + "/coarse_rules", "only in window 0 of SKAN 4")
    values = "coarse" if number else "fine alone" if has_coarse_rules else "fine"
    rules = read_rules(reader, "rules", values, model)
    if model.conversion == "re-engagement":
        require_value(reader, "rules", rules, has_coarse=not has_coarse_rules)
    if not has_coarse_rules:
        return Window(rules)
    coarse_rules = read_rules(reader, "coarse_rules", "coarse alone", model)
    if model.conversion == "re-engagement":
        require_value(reader, "coarse_rules", coarse_rules, has_coarse=True)
    return Window(rules, coarse_rules)


def read_rules(reader: Reader, name: str, values: str, model: Model) -> list[Rule]:
    rules: list[Rule] = []
    places: list[str] = []
    for index, value in enumerate(reader.elements(name)):
        place = f"{reader.at(name)}/{index}"
        is_generator = isinstance(value, dict) and value.get("digits") is not None
        made = read_generator(value, place, values, model) if is_generator else [read_rule(value, place, values, model)]
        for rule in made:
            before = rules[-1] if rules else None
            if model.raise_only and before:
                if height(rule.fine) < height(before.fine):
                    raise Refused(f"{place}/{'first' if is_generator else 'fine'}", "lower than before")
                if height(rule.coarse) < height(before.coarse):
                    raise Refused(f"{place}/coarse", "lower than before")
            rules.append(rule)
            places.append(place)
        if len(rules) > MOST_RULES:
            raise Refused(reader.at(name), "too many rules")
    for earlier in range(len(rules)):
        if any(contains(later, rules[earlier]) for later in rules[earlier + 1 :]):
            raise Refused(places[earlier], "can never win")
    return rules


def require_value(reader: Reader, name: str, rules: list[Rule], has_coarse: bool) -> None:
    """Rules, "Re-engagement models": there is always a value."""
    place, listed = reader.at(name), reader.elements(name)
    if not rules:
        raise Refused(place, "no rule")
    if rules[0].conditions:
        raise Refused(place + "/0/when", "not empty")
    if rules[0].lock:
        raise Refused(place + "/0/lock", "a lock")
    if rules[0].fine:
        raise Refused(place + "/0/fine", "not 0")
    for index, rule in enumerate(rules if has_coarse else []):
        if rule.coarse is None:
            raise Refused((f"{place}/{index}" if len(listed) == len(rules) else place) + "/coarse", "missing")


def height(value: int | None) -> int:
    return -1 if value is None else value


def check_coarse(place: str, values: str, model: Model) -> None:
    if model.protocol == 3:
        raise Refused(place + "/coarse", "fine values only")
    if values == "fine alone":
        raise Refused(place + "/coarse", "beside coarse rules")


def read_lock(reader: Reader, model: Model) -> bool:
    lock = reader.flag("lock", False)
    if lock and model.protocol == 3:
        raise Refused(reader.at("lock"), "fine values only")
    return lock


def read_rule(value: Any, place: str, values: str, model: Model) -> Rule:
    reader = Reader(value, place, ("fine", "coarse", "lock", "when"))
    fine, coarse = reader.whole("fine", 0, 63), reader.coarse("coarse")
    rule = Rule(fine, coarse, read_lock(reader, model))
    if values.startswith("fine"):
        reader.need("fine")
    elif fine is not None:
        raise Refused(place + "/fine", "only in window 0")
    else:
        reader.need("coarse")
    if coarse is not None:
        check_coarse(place, values, model)
    read_when(reader, rule, model)
    return rule


def read_when(reader: Reader, rule: Rule, model: Model) -> None:
    known = ("events", "revenue", "sessions", "day", "hours", "measures")
    when = Reader(reader.members.get("when", {}), reader.at("when"), known)
    if "sessions" in when.members:
        part = Reader(when.members["sessions"], when.at("sessions"), ("min", "max"))
        rule.ask("sessions", wholes(part), part.place)
    for index, member in enumerate(when.elements("events")):
        event = Reader(member, f"{when.at('events')}/{index}", ("name", "min_count", "max_count"))
        name = event_condition(event.need("name"), event.at("name"), model)
        rule.ask(name, wholes(event, "min_count", "max_count", 1), event.place)
    if "day" in when.members:
        rule.ask("hours", read_time(when, "day"), when.at("day"))
    if "hours" in when.members:
        if "day" in when.members:
            raise Refused(when.at("hours"), "beside day")
        rule.ask("hours", read_time(when, "hours"), when.at("hours"))
        model.asks_hours = True
    if "revenue" in when.members:
        listed = when.members["revenue"]
        single = not isinstance(listed, list)
        for index, member in enumerate([listed] if single else listed):
            place = when.at("revenue") + ("" if single else f"/{index}")
            part = Reader(member, place, ("kind", "scope", "min", "max"))
            rule.ask(revenue_condition(part, model), amounts(part, Decimal(0)), place)
    for index, member in enumerate(when.elements("measures")):
        part = Reader(member, f"{when.at('measures')}/{index}", ("name", "min", "max"))
        name = measure_condition(part.need("name"), part.at("name"), model)
        if not part.members.keys() & {"min", "max"}:
            raise Refused(part.place, "neither min nor max")
        rule.ask(name, amounts(part, Decimal(0)) if name.startswith("sum ") else wholes(part), part.place)


def event_condition(name: Any, place: str, model: Model) -> str:
    if not is_event_name(name):
        raise Refused(place, "no event name")
    if name == "__SESSION__":
        return "sessions"
    add_name(name, place, model)
    if name not in model.names:
        model.names.append(name)
    return f"event {name}"


def revenue_condition(part: Reader, model: Model) -> str:
    scopes = ("window", "lifetime") + (("conversion",) if model.conversion == "re-engagement" else ())
    kind, scope = part.word("kind", ("iap", "ad", "all")), part.word("scope", scopes)
    if model.protocol == 3 and kind == "ad":
        raise Refused(part.at("kind"), "no ad revenue in SKAN 3")
    return f"revenue {kind} {'lifetime' if model.protocol == 3 else scope}"


def measure_condition(name: Any, place: str, model: Model) -> str:
    if not is_text(name) or name not in model.measures:
        raise Refused(place, "no such measure")
    return f"{'sum' if model.measures[name].counting == 'sum' else 'measure'} {name}"


def read_generator(value: Any, place: str, values: str, model: Model) -> list[Rule]:
    """The rules of all states of its digits, the last of which changes fastest."""
    reader = Reader(value, place, ("digits", "first", "coarse", "lock", "when"))
    if not values.startswith("fine"):
        raise Refused(place + "/digits", "only in rules of window 0")
    members = reader.elements("digits")
    if not 1 <= len(members) <= MOST_DIGITS:
        raise Refused(place + "/digits", "none or too many")
    first = reader.whole("first", 0, 63) or 0
    steps = None
    if "coarse" in reader.members:
        check_coarse(place, values, model)
        steps = reader.elements("coarse")
        if len(steps) != 2 or any(not isinstance(step, Number) or not re.fullmatch(r"-?\d+", step) for step in steps):
            raise Refused(place + "/coarse", "not two whole numbers")
        if not 0 <= int(steps[0]) <= int(steps[1]) <= 64:
            raise Refused(place + "/coarse", "not ascending, or out of range")
    common = Rule(None, None, read_lock(reader, model))
    read_when(reader, common, model)
    digits: list[tuple[str, list[Decimal]]] = []
    count = 1
    named = len(model.names)
    for index, member in enumerate(members):
        at = f"{place}/digits/{index}"
        name, found = read_digit(member, at, model)
        if name in common.conditions or name in dict(digits):
            raise Refused(at, "there before")
        count *= len(found) + 1
        if first + count - 1 > 63:
            raise Refused(place + "/first", "a value above 63 would come")
        digits.append((name, found))
    # The first of the rules that ask for an event asks for the last digit's.
    model.names[named:] = reversed(model.names[named:])
    rules = []
    for fine, states in enumerate(itertools.product(*(range(len(found) + 1) for _, found in digits)), first):
        coarse = None if steps is None else sum(int(step) <= fine for step in steps)
        rule = Rule(fine, coarse, common.lock, dict(common.conditions))
        for state, (name, found) in zip(states, digits):
            if state:
                rule.conditions[name] = found[state - 1], found[state] if state < len(found) else OPEN
        rules.append(rule)
    return rules


def read_digit(value: Any, place: str, model: Model) -> tuple[str, list[Decimal]]:
    reader = Reader(value, place, ("event", "measure", "revenue", "sessions", "day", "hours", "at"))
    found = []
    if "event" in reader.members:
        found.append(event_condition(reader.members["event"], reader.at("event"), model))
    if "measure" in reader.members:
        found.append(measure_condition(reader.members["measure"], reader.at("measure"), model))
    if "revenue" in reader.members:
        part = Reader(reader.members["revenue"], reader.at("revenue"), ("kind", "scope"))
        found.append(revenue_condition(part, model))
    for name in ("sessions", "day", "hours"):
        if name in reader.members:
            if reader.members[name] is not True:
                raise Refused(reader.at(name), "not true")
            found.append("sessions" if name == "sessions" else "hours")
            model.asks_hours = model.asks_hours or name == "hours"
    if len(found) != 1:
        raise Refused(place, "none or more than one thing")
    reader.need("at")
    read: list[Decimal] = []
    for index, number in enumerate(reader.elements("at")):
        at = f"{place}/at/{index}"
        if found[0].startswith(("revenue ", "sum ")):
            bound = exact_amount(number, at)
        else:
            if not isinstance(number, Number) or not re.fullmatch(r"-?\d+", number) or not 1 <= int(number) <= MOST:
                raise Refused(at, "not whole, or below 1")
            bound = Decimal(number) * (24 if "day" in reader.members else 1)
        if read and bound <= read[-1]:
            raise Refused(at, "not above the one before")
        read.append(bound)
    if not read:
        raise Refused(place + "/at", "no bounds")
    return found[0], read


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
    updated_window: int = 0  # of the last update
    sessions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    measured: dict[str, Decimal] = field(default_factory=dict)
    last_days: dict[str, int] = field(default_factory=dict)
    purchases: dict[str, bool] = field(default_factory=dict)  # by event id: whether an event was counted, too
    impressions: dict[str, bool] = field(default_factory=dict)
    events: dict[str, bool] = field(default_factory=dict)
    update_number: int = 0  # of the last update

    # Rules, "Event ids".

    def has_amount(self, event_id: str | None) -> bool:
        return event_id in self.purchases or event_id in self.impressions

    def has_event(self, event_id: str | None) -> bool:
        return any(entries.get(event_id or "", False) for entries in (self.purchases, self.impressions, self.events))

    def remember_amount(self, event_id: str, ad: bool) -> None:
        remember(self.impressions if ad else self.purchases, event_id, self.has_event(event_id))

    def remember_event(self, event_id: str) -> None:
        paid = next((entries for entries in (self.purchases, self.impressions) if event_id in entries), None)
        if paid is not None:
            paid[event_id] = True
        else:
            remember(self.events, event_id, True)


def remember(entries: dict[str, bool], event_id: str, has_event: bool) -> None:
    entries[event_id] = has_event
    if len(entries) > 64:
        del entries[next(iter(entries))]


class Engine:
    """An engine, perhaps with conversion models, and the install that it is asked about."""

    def __init__(self, protocol: int, models: list[Model]) -> None:
        self.protocol = protocol
        self.models = models
        self.now = 0
        self.microseconds = 0  # of the clock, behind the second
        self.forgotten = 0  # the greatest number of an update of an install that was forgotten
        self.install = Install()

    # What a step answers: a status, and perhaps an update.

    def register(
        self, first_launch: int = 0, begins_again: bool = False, keeps_revenue: bool = False
    ) -> tuple[str, Any]:
        """Rules, "Register"."""
        if not 0 <= first_launch <= max(self.now + 60, 0):
            return "INVALID_ARGUMENT", None
        install, first = self.install, first_launch or self.now
        if install.first is not None:
            if not begins_again or first <= install.first:
                return "ALREADY_REGISTERED", None
            self.end_life(keeps_revenue)
        install.first = install.last = first
        install.model = self.models[0].version if self.models else None
        if self.protocol == 3:
            return "OK", None
        install.fine = 0
        return "OK", self.give(0, 0, None, False) if self.window() == 0 else None

    def end_life(self, keeps_revenue: bool) -> None:
        install = self.install
        kept = {name: getattr(install, name) for name in ("purchases", "impressions", "events", "update_number")}
        if keeps_revenue:
            kept["revenue"] = {place: table for place, table in install.revenue.items() if place[0] == "lifetime"}
        install.__dict__ = {**Install().__dict__, **kept}

    def time(self) -> int:
        """The clock, but not before the window in which something was counted last, nor before the last update's.

        Without a model, a clock that is more than an hour behind was set back on purpose.
        """
        install = self.install
        latest = max(install.counted_window, install.updated_window)
        if install.first is None or latest == 0:
            return self.now
        start = install.first + CLOSES[latest - 1]
        return self.now if install.model is None and self.now < start - HOUR else max(self.now, start)

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
        if event_id is not None and install.has_amount(event_id):
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
            install.remember_amount(event_id, ad)
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
        install.coarse[0], install.locks[0] = body.get("p0_coarse"), body.get("p0_window_lock")
        tables = {
            ("lifetime", "iap"): "skan_total_revenue_by_currency",
            ("lifetime", "ad"): "skan_total_admon_revenue_by_currency",
            ("0", "iap"): "p0_total_iap_revenue",
        }
        for place, key in tables.items():
            install.revenue[place] = {currency: Decimal(str(amount)) for currency, amount in body.get(key, {}).items()}
        if install.first is not None and self.models:
            install.model = self.models[0].version

    def next_update_number(self) -> int:
        """Rules, "Update numbers"."""
        if self.install.update_number == 0:
            clock = self.now * 1_000_000 + self.microseconds
            self.install.update_number = max(min(max(clock, 0), 2**53 - 2**32), self.forgotten)
        self.install.update_number += 1
        return self.install.update_number

    def forget(self) -> Install:
        """The install that is unknown again."""
        self.forgotten = max(self.forgotten, self.install.update_number)
        self.install = Install()
        return self.install

    def give(self, window: int, fine: int | None, coarse: int | None, lock: bool) -> dict[str, Any]:
        self.install.updated_window = window
        return {
            "id": self.next_update_number(),
            "window": window,
            "fine_value": fine,
            "coarse_value": coarse,
            "lock_window": lock,
            "timestamp": self.time(),
        }

    def model(self) -> Model | None:
        return next((model for model in self.models if model.version == self.install.model), None)

    def update_values(self, event: str | None, event_id: str | None, paid: Paid | None = None) -> tuple[str, Any]:
        install = self.install
        if event_id is not None and install.has_event(event_id):
            return "DUPLICATE_EVENT", None
        if install.first is None:
            return "NOT_REGISTERED", None
        if self.window() is not None and self.model() is None:
            return "MODEL_UNKNOWN", None
        if paid and self.update_revenue(*paid, event_id) == "LIMIT_EXCEEDED":
            return "LIMIT_EXCEEDED", None
        answer = self.decided(event, paid)
        if event_id is not None:
            install.remember_event(event_id)
        return answer

    def count(self, name: str, paid: Paid | None, model: Model, window: int) -> None:
        """Rules, "Model counts", "Model measures"."""
        install = self.install
        is_session = name == "__SESSION__"
        if not (is_session or name in model.names or any(part.names(name) for part in model.measures.values())):
            return
        if install.counted_window != window:
            install.counted_window, install.sessions, install.counts = window, 0, {}
            for part, measure in model.measures.items():
                if measure.scope == "window":
                    install.measured.pop(part, None)
                    install.last_days.pop(part, None)
        if is_session:
            install.sessions = min(install.sessions + 1, MOST)
        elif name in model.names:
            install.counts[name] = min(install.counts.get(name, 0) + 1, MOST)
        for part, measure in model.measures.items():
            if measure.names(name):
                self.measure(part, measure, paid, model)

    def measure(self, name: str, measure: Measure, paid: Paid | None, model: Model) -> None:
        install, hours = self.install, self.hours()
        amount = paid and self.converted(model, paid[1].upper(), rounded(Decimal(paid[0])))
        if measure.hours and not measure.hours[0] <= hours < measure.hours[1]:
            return
        if measure.kind != "all" and (paid is None or measure.kind != ("ad" if paid[2] else "iap")):
            return
        if measure.amount and (amount is None or not measure.amount[0] <= amount < measure.amount[1]):
            return
        value = install.measured.get(name, Decimal(0))
        if measure.counting == "sum":
            value = max(-MOST_SUM, min(MOST_SUM, EXACT.add(value, amount or Decimal(0))))
        elif measure.counting == "count":
            value = min(value + 1, Decimal(MOST))
        elif hours // 24 > install.last_days.get(name, -1):
            value = min(value + 1, Decimal(MOST))
            install.last_days[name] = hours // 24
        install.measured[name] = value

    def decided(self, event: str | None, paid: Paid | None) -> tuple[str, Any]:
        install, window, model = self.install, self.window(), self.model()
        if window is None or model is None:
            return "WINDOW_CLOSED", None
        now = self.time()
        self.count("__SESSION__" if event is None else event, paid, model, window)

        if model.windows[window].coarse_rules is not None:
            return self.decided_apart(model, now)
        number = self.winner(model, window)
        if number is None:
            return "NO_NEW_VALUE", None
        rule = model.windows[window].rules[number]
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

    def decided_apart(self, model: Model, now: int) -> tuple[str, Any]:
        """Rules, "Coarse rules", which window 0 has."""
        install = self.install
        fine, coarse = self.winning(model, 0), self.winning(model, 0, is_coarse=True)
        if fine is None and coarse is None:
            return "NO_NEW_VALUE", None
        if install.locks[0] is not None:
            return "WINDOW_LOCKED", None
        if fine and model.raise_only and height(fine.fine) < height(install.fine):
            fine = None
        if coarse and model.raise_only and height(coarse.coarse) < height(install.coarse[0]):
            coarse = None
        values = (fine.fine if fine else install.fine), (coarse.coarse if coarse else install.coarse[0])
        locks = bool((fine and fine.lock) or (coarse and coarse.lock))
        if values == (install.fine, install.coarse[0]) and not locks:
            return "NO_NEW_VALUE", None
        values = values[0] or 0, values[1]  # an import may have no fine value
        install.previous_fine, install.fine = install.fine, values[0]
        install.previous_coarse[0], install.coarse[0] = install.coarse[0], values[1]
        if locks:
            install.locks[0] = now
        install.last = now
        return "OK", self.give(0, *values, locks)

    # What a rule asks for.

    def hours(self) -> int:
        assert self.install.first is not None
        return max(0, (self.time() - self.install.first) // HOUR)

    def converted(self, model: Model, currency: str, amount: Decimal) -> Decimal | None:
        """In the model's currency; None without a rate."""
        rate = Decimal(1) if currency == model.currency else model.rates.get(currency)
        if rate is None:
            return None
        return max(-MOST_SUM, min(rounded(EXACT.multiply(amount, rate)), MOST_SUM))

    def total(self, model: Model, kind: str, scope: str, window: int) -> Decimal:
        place = "lifetime" if scope == "lifetime" or self.protocol == 3 else str(window)
        totals: dict[str, Decimal] = {}
        for part in ("iap", "ad") if kind == "all" else (kind,):
            for currency, amount in self.install.revenue.get((place, part), {}).items():
                totals[currency] = EXACT.add(totals.get(currency, Decimal(0)), amount)
        total = Decimal(0)
        for currency, amount in totals.items():
            total = EXACT.add(total, self.converted(model, currency, amount) or Decimal(0))
        return total

    def value(self, model: Model, window: int, name: str) -> Decimal | int:
        """What a condition is about."""
        what, *rest = name.split(" ", 1)
        if what == "revenue":
            kind, scope = rest[0].split(" ")
            return self.total(model, kind, scope, window)
        if what == "hours":
            return self.hours()
        is_of_window = what not in ("measure", "sum") or model.measures[rest[0]].scope == "window"
        if is_of_window and self.install.counted_window != window:
            return 0
        if what in ("measure", "sum"):
            return self.install.measured.get(rest[0], Decimal(0))
        return self.install.sessions if what == "sessions" else self.install.counts.get(rest[0], 0)

    def winner(self, model: Model, window: int, is_coarse: bool = False) -> int | None:
        won = None
        part = model.windows[window]
        for number, rule in enumerate((part.coarse_rules or []) if is_coarse else part.rules):
            conditions = rule.conditions.items()
            if all(low <= self.value(model, window, name) < high for name, (low, high) in conditions):
                won = number
        return won

    def winning(self, model: Model, window: int, is_coarse: bool = False) -> Rule | None:
        number, part = self.winner(model, window, is_coarse), model.windows[window]
        return None if number is None else ((part.coarse_rules or []) if is_coarse else part.rules)[number]

    def explain(self) -> tuple[str, Any]:
        if self.install.first is None:
            return "NOT_REGISTERED", None
        window, model = self.window(), self.model()
        if window is None:
            return "WINDOW_CLOSED", None
        if model is None:
            return "MODEL_UNKNOWN", None
        rule, coarse = self.winning(model, window), self.winning(model, window, is_coarse=True)
        decides = rule if model.windows[window].coarse_rules is None else coarse
        apart = {"coarse_rule": self.winner(model, window, is_coarse=True)} if model.has_coarse_rules else {}
        measured = {name: self.value(model, window, f"measure {name}") for name in model.measures}
        return "OK", {
            "model": model.version,
            "id": model.id,
            "window": window,
            "day": self.hours() // 24,
            **({"hours": self.hours()} if model.asks_hours else {}),
            "sessions": self.value(model, window, "sessions"),
            "events": {name: self.value(model, window, "event " + name) for name in model.names},
            **({"measures": measured} if measured else {}),
            "currency": model.currency,
            "revenue": {
                scope: {kind: self.total(model, kind, scope, window) for kind in ("iap", "ad", "all")}
                for scope in ("window", "lifetime")
            },
            "currencies_without_rate": self.currencies_without_rate(model),
            "rule": self.winner(model, window),
            **apart,
            "fine": rule and rule.fine,
            "coarse": decides and decides.coarse,
            "lock": any(part is not None and part.lock for part in (rule, coarse)),
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
    part = model.windows[window]
    if part.coarse_rules is None:
        found = with_value(part.rules, fine, coarse)
        registers = window == 0 and fine == 0 and coarse is None
        apart: list[int] = []
    else:
        found = [] if fine is None else with_value(part.rules, fine, None)
        apart = [] if coarse is None else with_value(part.coarse_rules, None, coarse)
        registers = fine == 0
        if (coarse is not None and not apart) or (fine is not None and not found and not registers):
            return None
    if not found and not apart and not registers:
        return None
    definitions = {name: measure.definition() for name, measure in model.measures.items()}
    decoded: dict[str, Any] = {
        "window": window,
        "currency": model.currency,
        **({"measures": definitions} if definitions else {}),
        **decoded_rules(model, part.rules, found, ""),
    }
    if part.coarse_rules is not None:
        decoded.update(decoded_rules(model, part.coarse_rules, apart, "coarse_"))
    if registers:
        envelope = decoded["envelope"]
        for range_ in (*envelope["events"], *envelope["revenue"], *envelope.get("measures", [])):
            include_nothing(range_)
        for name in ("sessions", "day", "hours"):
            include_nothing(envelope.get(name) or {})
        decoded["registration"] = True
    return decoded


def with_value(rules: list[Rule], fine: int | None, coarse: int | None) -> list[int]:
    return [
        number
        for number, rule in enumerate(rules)
        if (fine is None or rule.fine == fine) and (coarse is None or rule.coarse == coarse)
    ]


def decoded_rules(model: Model, rules: list[Rule], found: list[int], prefix: str) -> dict[str, Any]:
    return {
        f"{prefix}rules": [
            {
                "rule": number,
                "fine": rules[number].fine,
                "coarse": rules[number].coarse,
                "lock": rules[number].lock,
                "when": envelope(model, [rules[number]]),
            }
            for number in found
        ],
        f"{prefix}envelope": envelope(model, [rules[number] for number in found]),
    }


def include_nothing(range_: dict[str, Any]) -> None:
    """Widens a range of an envelope to hold 0."""
    for name in ("min", "min_count"):
        if range_.get(name) is not None:
            range_[name] = min(range_[name], Decimal(0))
    if range_.get("max") is not None and range_["max"] <= 0:
        range_["max"] = None


def envelope(model: Model, rules: list[Rule]) -> dict[str, Any]:
    def hull(name: str) -> Range | None:
        """The least range that has those of all rules; None where no rule asks."""
        if not any(name in rule.conditions for rule in rules):
            return None
        return min(rule.range(name)[0] for rule in rules), max(rule.range(name)[1] for rule in rules)

    def event(name: str, range_: dict[str, Any] | None) -> list[dict[str, Any]]:
        return [{"name": name, "min_count": range_["min"], "max_count": range_["max"]}] if range_ else []

    revenue = [
        (kind, scope, bounds(hull(f"revenue {kind} {scope}")))
        for scope in ("window", "lifetime")
        for kind in ("iap", "ad", "all")
    ]
    measured = [(name, bounds(hull(measure_condition(name, "", model)))) for name in model.measures]
    hours = hull("hours")
    return {
        "events": [part for name in model.names for part in event(name, bounds(hull(f"event {name}")))],
        "revenue": [{"kind": kind, "scope": scope, **range_} for kind, scope, range_ in revenue if range_],
        "sessions": bounds(hull("sessions")),
        "day": bounds(in_days(hours)),
        **({"hours": bounds(hours)} if model.asks_hours else {}),
        **({"measures": [{"name": name, **range_} for name, range_ in measured if range_]} if model.measures else {}),
    }


def plain(value: Any) -> str:
    """JSON as libskan writes it: UTF-8, no spaces, plain decimals without trailing zeros."""
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        return (
            "{"
            + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{plain(member)}" for name, member in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ",".join(map(plain, value)) + "]"
    if isinstance(value, Decimal):
        return format(EXACT.normalize(value), "f") if value else "0"
    return json.dumps(value, ensure_ascii=False)
