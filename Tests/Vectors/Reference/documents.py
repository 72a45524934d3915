"""Model documents: the ready ones, some that must be refused, each for one reason, and random ones."""

from __future__ import annotations

import base64
import copy
import json
import random
from pathlib import Path
from typing import Any, Callable

import reference

TOP = Path(__file__).resolve().parents[3]
READY = sorted((TOP / "Sources" / "SKANModels").glob("*.json"))

VALID: dict[str, Any] = {
    "schema": 1,
    "id": "a model",
    "protocol": 4,
    "currency": "USD",
    "rates": {"EUR": "1.09"},
    "raise_only": True,
    "windows": [
        {
            "rules": [
                {"fine": 1, "coarse": 0, "when": {"sessions": {"min": 1, "max": 5}, "day": {"min": 0, "max": 2}}},
                {"fine": 2, "coarse": 1, "lock": True, "when": {"events": [{"name": "win", "min_count": 2}]}},
                {
                    "fine": 3,
                    "coarse": 1,
                    "when": {"revenue": {"kind": "ad", "scope": "lifetime", "min": 0.5, "max": 9}},
                },
            ]
        },
        {"rules": [{"coarse": 0, "when": {"day": {"min": 3}}}, {"coarse": 1, "when": {"sessions": {"min": 2}}}]},
        {"rules": []},
    ],
}
VALID_3: dict[str, Any] = {
    "schema": 1,
    "id": "a model",
    "protocol": 3,
    "windows": [{"rules": [{"fine": 4, "when": {"revenue": {"kind": "iap", "min": 1}}}]}],
}


class Raw(int):
    """A number that is spelled in its own way."""

    def __new__(cls, text: str) -> Raw:
        made = super().__new__(cls)
        made.text = text  # type: ignore[attr-defined]
        return made


def spelled(value: Any) -> str:
    """JSON, raw numbers as they are."""
    if isinstance(value, Raw):
        return str(value.text)  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{spelled(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    return json.dumps(value)


def with_(pointer: str, value: Any, base: dict[str, Any] = VALID) -> str:
    """The valid document with another value at a place; a place that is not there is made."""
    changed = copy.deepcopy(base)
    target: Any = changed
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in path:
        target = target[int(part)] if isinstance(target, list) else target[part]
    if isinstance(target, list) and int(last) == len(target):
        target.append(value)
    else:
        target[int(last) if isinstance(target, list) else last] = value
    return spelled(changed)


def without(pointer: str, base: dict[str, Any] = VALID) -> str:
    changed = copy.deepcopy(base)
    target: Any = changed
    *path, last = pointer.split("/")[1:]
    for part in path:
        target = target[int(part)] if isinstance(target, list) else target[part]
    del target[last]
    return spelled(changed)


FINE = "/windows/0/rules/0/fine"
COARSE = "/windows/1/rules/0/coarse"
FIRST = "/windows/0/rules/0"
WHEN = "/windows/0/rules/0/when"
EVENT = "/windows/0/rules/1/when/events/0"
REVENUE = "/windows/0/rules/2/when/revenue"

# Name, place, part of the reason, document.
TABLE: list[tuple[str, str, str, str | bytes]] = [
    ("empty", "", "the text ends early", ""),
    ("no object", "", "not a JSON object", "[1]"),
    ("cut off", "", "the text ends early", '{"schema": 1'),
    ("trailing bytes", "", "bytes after the object", json.dumps(VALID) + "x"),
    ("byte-order mark", "", "not a JSON object", b"\xef\xbb\xbf" + json.dumps(VALID).encode()),
    ("not UTF-8", "", "not UTF-8", json.dumps(VALID).encode().replace(b"a model", b"a\xffmodel")),
    ("a key twice", "", "duplicate key", '{"schema": 1, "id": "a", "sch\\u0065ma": 1}'),
    ("a NUL in a key", "", "NUL in a key", '{"schema\\u0000": 1}'),
    ("a comment", "", "unexpected byte", "{/* hi */}"),
    ("too deep", "", "more than 32 nested", '{"x":' + "[" * 32 + "]" * 32 + "}"),
    ("over 64 KiB", "", "the limit is 65536", json.dumps(VALID) + " " * 65536),
    ("no schema", "/schema", "missing", without("/schema")),
    ("schema null", "/schema", "missing", with_("/schema", None)),
    ("another schema", "/schema", 'expected a whole number from 1 to 1, got the number "2"', with_("/schema", 2)),
    ("schema as text", "/schema", 'got the text "1"', with_("/schema", "1")),
    ("no id", "/id", "missing", without("/id")),
    ("an empty id", "/id", "1 to 64 printable ASCII", with_("/id", "")),
    ("a long id", "/id", "1 to 64 printable ASCII", with_("/id", "x" * 65)),
    ("an id beyond ASCII", "/id", "1 to 64 printable ASCII", with_("/id", "Modèle")),
    ("an id with a tab", "/id", "1 to 64 printable ASCII", with_("/id", "a\tb")),
    ("an id with a NUL", "/id", "1 to 64 printable ASCII", with_("/id", "a\0b")),
    ("a number as id", "/id", 'got the number "7"', with_("/id", 7)),
    ("protocol 2", "/protocol", "from 3 to 4", with_("/protocol", 2)),
    ("protocol as text", "/protocol", 'got the text "4"', with_("/protocol", "4")),
    ("a currency in small letters", "/currency", "three capital letters", with_("/currency", "usd")),
    ("a long currency", "/currency", "three capital letters", with_("/currency", "USDT")),
    ("a number as currency", "/currency", "three capital letters", with_("/currency", 840)),
    ("rates as array", "/rates", "expected an object, got an array", with_("/rates", [])),
    ("a rate's currency in small letters", "/rates/eur", "three capital letters as key", with_("/rates/eur", "1")),
    ("a rate's strange currency", "/rates/~0~1", "three capital letters as key", with_("/rates/~0~1", "1")),
    ("a rate as number", "/rates/EUR", "decimal text", with_("/rates/EUR", Raw("1.09"))),
    ("a rate of 0", "/rates/EUR", "above 0", with_("/rates/EUR", "0")),
    ("a rate below 0", "/rates/EUR", "above 0", with_("/rates/EUR", "-1")),
    ("a rate of 10^12", "/rates/EUR", "below 1e12", with_("/rates/EUR", "1000000000000")),
    ("a rate with an exponent", "/rates/EUR", "decimal text", with_("/rates/EUR", "1e2")),
    ("a rate with 13 places", "/rates/EUR", "at most 12 places", with_("/rates/EUR", "1.0000000000001")),
    ("a rate of 10 with 13 places", "/rates/EUR", "at most 12 places", with_("/rates/EUR", "10.0000000000005")),
    ("a rate of half a unit", "/rates/EUR", "at most 12 places", with_("/rates/EUR", "0.0000000000005")),
    ("a rate with zeros before a 13th place", "/rates/EUR", "12 places", with_("/rates/EUR", "1.09000000000010")),
    ("a rate with a comma", "/rates/EUR", "decimal text", with_("/rates/EUR", "1,09")),
    ("an empty rate", "/rates/EUR", "decimal text", with_("/rates/EUR", "")),
    ("a rate of null", "/rates/EUR", "got null", with_("/rates/EUR", None)),
    ("an own rate that is not 1", "/rates/USD", "own currency", with_("/rates/USD", "1.01")),
    ("raise_only as number", "/raise_only", "true or false", with_("/raise_only", 1)),
    ("an unknown key", "/comment", "unknown key", with_("/comment", "hi")),
    ("an unknown key with a slash", "/a~1b~0c", "unknown key", with_("/a~1b~0c", 1)),
    ("no windows", "/windows", "missing", without("/windows")),
    ("windows as object", "/windows", "expected an array, got an object", with_("/windows", {})),
    ("two windows", "/windows", "expected 3 in SKAN 4, got 2", with_("/windows", [{"rules": []}] * 2)),
    ("four windows", "/windows", "expected 3 in SKAN 4, got 4", with_("/windows", [{"rules": []}] * 4)),
    ("a window that is null", "/windows/1", "expected an object, got null", with_("/windows/1", None)),
    ("a window without rules", "/windows/2/rules", "missing", with_("/windows/2", {})),
    ("a window's unknown key", "/windows/0/name", "unknown key", with_("/windows/0/name", "x")),
    ("rules as object", "/windows/2/rules", "expected an array", with_("/windows/2/rules", {})),
    (
        "65 rules",
        "/windows/2/rules",
        "at most 64 rules, got 65",
        with_("/windows/2/rules", [{"coarse": 1, "when": {"sessions": {"min": n, "max": n + 1}}} for n in range(65)]),
    ),
    ("a rule that is text", FIRST, "expected an object, got the text", with_(FIRST, "rule")),
    ("a rule's unknown key", FIRST + "/if", "unknown key; known here: fine coarse lock when", with_(FIRST + "/if", {})),
    ("fine 64", FINE, "from 0 to 63", with_(FINE, 64)),
    ("fine -1", FINE, "from 0 to 63", with_(FINE, -1)),
    ("fine 1.5", FINE, "a whole number", with_(FINE, 1.5)),
    ("fine 1.0", FINE, "a whole number", with_(FINE, Raw("1.0"))),
    ("fine 1e0", FINE, "a whole number", with_(FINE, Raw("1e0"))),
    ("a huge fine", FINE, "from 0 to 63", with_(FINE, Raw("100000000000000000000000000000001"))),
    ("fine as text", FINE, 'got the text "1"', with_(FINE, "1")),
    ("no fine in window 0", FINE, "missing", without(FINE)),
    ("fine in window 1", "/windows/1/rules/0/fine", "only a rule of window 0", with_("/windows/1/rules/0/fine", 1)),
    (
        "the same fine twice",
        "/windows/0/rules/2/fine",
        "rule 0 has the fine value 1 too",
        with_("/windows/0/rules/2/fine", 1),
    ),
    ("a lower fine", "/windows/0/rules/2/fine", "not below 2", with_("/windows/0/rules/2/fine", 0)),
    ("coarse 3", COARSE, "from 0 to 2", with_(COARSE, 3)),
    (
        "coarse in capitals",
        COARSE,
        'a whole number from 0 to 2 or one of the words low medium high, got the text "Low"',
        with_(COARSE, "Low"),
    ),
    ("an unknown coarse", COARSE, 'low medium high, got the text "lowest"', with_(COARSE, "lowest")),
    ("two words as coarse", COARSE, "low medium high", with_(COARSE, "low medium")),
    ("a number as text as coarse", COARSE, 'got the text "0"', with_(COARSE, "0")),
    ("an empty coarse", COARSE, "low medium high", with_(COARSE, "")),
    ("a word as fine", FINE, "from 0 to 63", with_(FINE, "low")),
    (
        "a lower coarse by name",
        "/windows/1/rules/1/coarse",
        "not below 2 (high)",
        with_("/windows/1/rules", [{"coarse": "high", "when": {"day": {"min": 3}}}, {"coarse": "medium"}]),
    ),
    ("no coarse in window 1", COARSE, "missing", without(COARSE)),
    (
        "a lower coarse",
        "/windows/1/rules/1/coarse",
        "not below 2",
        with_(
            "/windows/1/rules",
            [{"coarse": 2, "when": {"day": {"min": 3}}}, {"coarse": 1, "when": {"sessions": {"min": 2}}}],
        ),
    ),
    ("a lower coarse in window 0", "/windows/0/rules/2/coarse", "not below 1", with_("/windows/0/rules/2/coarse", 0)),
    (
        "no coarse after one in window 0",
        "/windows/0/rules/2/coarse",
        "not below 1",
        without("/windows/0/rules/2/coarse"),
    ),
    ("lock as text", FIRST + "/lock", "true or false", with_(FIRST + "/lock", "yes")),
    ("when as array", WHEN, "expected an object", with_(WHEN, [])),
    ("an unknown condition", WHEN + "/level", "unknown key", with_(WHEN + "/level", 3)),
    ("sessions as number", WHEN + "/sessions", "expected an object", with_(WHEN + "/sessions", 3)),
    ("sessions below 0", WHEN + "/sessions/min", "from 0 to 4294967295", with_(WHEN + "/sessions/min", -1)),
    ("sessions of 2^32", WHEN + "/sessions/max", "from 0 to 4294967295", with_(WHEN + "/sessions/max", 2**32)),
    (
        "sessions with an unknown key",
        WHEN + "/sessions/min_count",
        "unknown key",
        with_(WHEN + "/sessions/min_count", 1),
    ),
    (
        "an empty range of sessions",
        WHEN + "/sessions",
        "expected min below max, got 5 and 5",
        with_(WHEN + "/sessions/min", 5),
    ),
    ("a range of sessions backwards", WHEN + "/sessions", "got 6 and 5", with_(WHEN + "/sessions/min", 6)),
    ("an empty range of days", WHEN + "/day", "expected min below max", with_(WHEN + "/day/max", 0)),
    ("half a day", WHEN + "/day/max", "a whole number", with_(WHEN + "/day/max", 0.5)),
    ("events as object", WHEN + "/events", "expected an array", with_(WHEN + "/events", {})),
    ("an event that is text", WHEN + "/events/0", "expected an object", with_(WHEN + "/events", ["win"])),
    ("an event without name", EVENT + "/name", "missing", without(EVENT + "/name")),
    ("an empty event name", EVENT + "/name", "1 to 32 printable ASCII", with_(EVENT + "/name", "")),
    ("a long event name", EVENT + "/name", "1 to 32 printable ASCII", with_(EVENT + "/name", "e" * 33)),
    ("an event name beyond ASCII", EVENT + "/name", "1 to 32 printable ASCII", with_(EVENT + "/name", "né")),
    (
        "an event's unknown key",
        EVENT + "/min",
        "unknown key; known here: name min_count max_count",
        with_(EVENT + "/min", 1),
    ),
    (
        "an empty range of counts",
        EVENT,
        "expected min_count below max_count, got 2 and 2",
        with_(EVENT + "/max_count", 2),
    ),
    (
        "an empty range by default",
        WHEN + "/events/0",
        "got 1 and 1",
        with_(WHEN + "/events", [{"name": "win", "max_count": 1}]),
    ),
    (
        "two ranges that cannot hold together",
        WHEN + "/events/1",
        "cannot hold together",
        with_(WHEN + "/events", [{"name": "win", "max_count": 3}, {"name": "win", "min_count": 3}]),
    ),
    (
        "65 event names",
        "/windows/2/rules/0/when/events/63/name",
        "at most 64 event names",
        with_("/windows/2/rules", [{"coarse": 0, "when": {"events": [{"name": f"e{n}"} for n in range(64)]}}]),
    ),
    ("revenue as number", REVENUE, "expected an object", with_(REVENUE, 5)),
    ("revenue of another kind", REVENUE + "/kind", "one of the words iap ad all", with_(REVENUE + "/kind", "IAP")),
    (
        "revenue of another scope",
        REVENUE + "/scope",
        "one of the words window lifetime",
        with_(REVENUE + "/scope", "day"),
    ),
    ("an amount as text", REVENUE + "/min", "a number between", with_(REVENUE + "/min", "0.5")),
    (
        "an amount with 13 places",
        REVENUE + "/min",
        "at most 12 places",
        with_(REVENUE + "/min", Raw("0.0000000000001")),
    ),
    ("an amount of 10^18", REVENUE + "/max", "between -1e18 and 1e18", with_(REVENUE + "/max", Raw("1e18"))),
    ("an empty range of revenue", REVENUE, "expected min below max", with_(REVENUE + "/max", Raw("5e-1"))),
    ("revenue's unknown key", REVENUE + "/currency", "unknown key", with_(REVENUE + "/currency", "EUR")),
    (
        "a rule that can never win",
        "/windows/1/rules/0",
        "can never win: wherever it holds, rule 1 holds too",
        with_("/windows/1/rules/1/when", {}),
    ),
    (
        "the same conditions twice",
        "/windows/1/rules/0",
        "can never win",
        with_("/windows/1/rules/1/when", {"day": {"min": 3}}),
    ),
    ("a narrower rule before", FIRST, "rule 1 holds too", with_("/windows/0/rules/1/when", {"sessions": {"min": 1}})),
    (
        "a narrower revenue before",
        "/windows/0/rules/2",
        "rule 3 holds too",
        with_(
            "/windows/0/rules/3",
            {"fine": 9, "coarse": 2, "when": {"revenue": {"kind": "ad", "scope": "lifetime", "min": 0.1}}},
        ),
    ),
    (
        "an empty later rule that asks for nothing",
        FIRST,
        "rule 1 holds too",
        with_("/windows/0/rules/1/when", {"events": [{"name": "win", "min_count": 0}], "sessions": {"max": 7}}),
    ),
    ("three windows in SKAN 3", "/windows", "expected 1 in SKAN 3, got 3", with_("/protocol", 3)),
    (
        "coarse in SKAN 3",
        "/windows/0/rules/0/coarse",
        "SKAN 3 has fine values only",
        with_("/windows/0/rules/0/coarse", 0, VALID_3),
    ),
    (
        "a lock in SKAN 3",
        "/windows/0/rules/0/lock",
        "SKAN 3 has no window locks",
        with_("/windows/0/rules/0/lock", True, VALID_3),
    ),
    (
        "ad revenue in SKAN 3",
        "/windows/0/rules/0/when/revenue/kind",
        "SKAN 3 knows no ad revenue",
        with_("/windows/0/rules/0/when/revenue/kind", "ad", VALID_3),
    ),
]


def invalid_documents() -> list[dict[str, Any]]:
    """The table as lines of a file; the reference has to refuse each at the same place."""
    for base in (VALID, VALID_3):
        reference.read_model(json.dumps(base).encode())
    lines = []
    for name, place, reason, document in TABLE:
        data = document if isinstance(document, bytes) else document.encode()
        found = None
        try:
            reference.read_model(data)
        except reference.Refused as refused:
            found = refused.place
        assert found == place, (name, found, place)
        lines.append({"id": name, "place": place, "reason": reason, "body_b64": base64.b64encode(data).decode()})
    return lines


# ------------------------------------------------------------------------------------------------------------ at random


def random_document(chance: random.Random) -> dict[str, Any]:
    """A document that is most often valid."""
    protocol = chance.choice((4, 4, 4, 3))
    raise_only = chance.random() < 0.7
    names = [f"event {number}" for number in range(chance.choice((1, 3, 8)))] + ["__SESSION__"]

    def maybe(probability: float, make: Callable[[], Any]) -> Any:
        return make() if chance.random() < probability else None

    def range_(low: str, high: str, most: int) -> dict[str, Any]:
        first = chance.randrange(most)
        made: dict[str, Any] = {}
        if chance.random() < 0.8:
            made[low] = first
        if chance.random() < 0.5:
            made[high] = first + 1 + chance.randrange(most)
        return made

    def when() -> dict[str, Any]:
        made = {
            "events": maybe(
                0.4,
                lambda: [
                    {"name": chance.choice(names), **range_("min_count", "max_count", 4)}
                    for _ in range(chance.choice((1, 1, 2)))
                ],
            ),
            "revenue": maybe(
                0.5,
                lambda: {
                    "kind": chance.choice(("iap", "all") if protocol == 3 else ("iap", "ad", "all")),
                    "scope": chance.choice(("window", "lifetime")),
                    **{name: value * chance.choice((1, 10)) / 100 for name, value in range_("min", "max", 800).items()},
                },
            ),
            "sessions": maybe(0.4, lambda: range_("min", "max", 4)),
            "day": maybe(0.3, lambda: range_("min", "max", 4)),
        }
        return {name: member for name, member in made.items() if member is not None}

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
