"""Batches: many amounts in one call, each of which counts as it would alone. Told by hand, and at random."""

from __future__ import annotations

import random
from typing import Any

from reference import Number
from traces import DAY, START, Trace

LONG = 512  # more zeros than any number needs


def item(install: str, amount: str, event_id: str | None = None, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"install": install, "amount": Number(amount), "currency": "USD", **fields}
    return made if event_id is None else {**made, "event_id": event_id}


def mixed() -> list[dict[str, Any]]:
    """Three items of "a", with one of "b" between them."""
    return [item("a", "1", "1"), item("b", "2"), item("a", "4", "1"), item("a", "8")]


def each_counts_as_it_would_alone(protocol: int) -> Trace:
    trace = Trace(f"each-counts-as-it-would-alone-{protocol}", [], [], protocol)
    trace.revenue_many([])
    trace.revenue_many(mixed())
    trace.revenue_many(mixed())
    for install in "ab":
        trace.register(install)
    trace.revenue_many(mixed())
    trace.later(DAY // 2)
    trace.revenue_many([item("b", "-2"), item("a", "0.5", "2", currency="eur"), item("a", "-0.5", currency="EUR")])
    return trace


def windows_and_kinds_are_told_apart() -> Trace:
    trace = Trace("windows-and-kinds-are-told-apart", [], [])
    trace.register("a")
    for days in (1, 2, 10, 30):
        items = [item("a", "1.5"), item("b", "1"), item("a", "2.25", ad_monetization=True), item("a", "-0.5")]
        trace.revenue_many(items)
        trace.later(days * DAY)
    trace.revenue_many(items)
    return trace


def nothing_changes_where_nothing_is_new() -> Trace:
    trace = Trace("nothing-changes-where-nothing-is-new", [], [])
    items = [item("a", "5", "x"), item("b", "0"), item("a", "5", "x"), item("b", "0.0000000000004", "y")]
    trace.revenue_many(items)
    trace.revenue_many(items)
    return trace


def an_item_that_is_wrong_holds_up_no_other() -> list[Trace]:
    """What the message names is named otherwise in other languages."""
    amount = ("amount: expected a ", " between -1e12 and 1e12, got ")
    currency = "currency: expected three ASCII letters, got "
    install = (": expected 1 to 128 bytes of UTF-8 without control bytes, got ",)
    event = (": expected 1 to 128 bytes, got ",)
    wrong: dict[str, tuple[Any, ...]] = {
        "no-install": (item("", "1"), "", *install, "an empty text"),
        "control-byte": (item("a\u0001b", "1"), "", *install, '"a\\x01b"'),
        "long-install": (item("i" * 129, "1"), "", *install, "(129 bytes)"),
        "high-amount": (item("a", "1e12"), *amount),
        "low-amount": (item("a", "-1e12"), *amount),
        "long-currency": (item("a", "1", currency="DOLLAR"), currency),
        "short-currency": (item("a", "1", currency="US"), currency + '"US"'),
        "odd-currency": (item("a", "1", currency="U$D"), currency + '"U$D"'),
        "ads": (item("a", "1", ad_monetization=True), "", ": expected false in SKAN 3, got true"),
        "empty-event": (item("a", "1", ""), "", *event, "an empty text"),
        "long-event": (item("a", "1", "e" * 129), "", *event, "(129 bytes)"),
    }
    traces = []
    for name, (bad, message, *more) in wrong.items():
        trace = Trace(f"an-item-that-is-wrong-holds-up-no-other-{name}", [], [], 3)
        good = item("a", "3")
        trace.revenue_many([good, bad, good, bad, item("b", "1", currency="??")], "items[1]: " + message, *more)
        trace.revenue_many([*[good] * 17, bad, bad], "items[17]: " + message, *more)
        trace.revenue_many([bad], "items[0]: " + message, *more)
        traces.append(trace)
    return traces


def a_text_is_counted_exactly() -> list[Trace]:
    """Ten times each. The number beside it is not looked at."""
    zeros, shifted = "4.99" + "0" * (1024 - 4), "0." + "0" * 500 + "1e501"
    texts = {
        "tenth": "0.1",
        "price": "4.99",
        "refund": "-0.5",
        "exponent": "499e-2",
        "hundreds": "1E+2",
        "places": "123456789012.123456789012",
        "rounded": "0.10000000000000000001",
        "half-even": "0.0000000000015",
        "most": "999999999999.999999999999",
        "least": "-999999999999.9999999999994",
        "zeros": zeros,
        "shifted": shifted,
    }
    traces = []
    for name, text in texts.items():
        trace = Trace(f"a-text-is-counted-exactly-{name}", [], [])
        trace.revenue_many([item("a", "7", amount_text=text)] * 10)
        traces.append(trace)
    return traces


def a_text_of_nothing_records_its_event_id() -> Trace:
    trace = Trace("a-text-of-nothing-records-its-event-id", [], [])
    trace.revenue_many([item("a", "1", "x", amount_text="0.0000000000005"), item("a", "1", "x")])
    return trace


def the_last_64_event_ids_are_kept(protocol: int) -> Trace:
    """Also where more of them came in one call."""
    trace = Trace(f"the-last-64-event-ids-are-kept-{protocol}", [], [], protocol)
    items = [item("a", "1", f"e{number:05}") for number in range(100)]
    trace.revenue_many(items[:50])
    trace.revenue_many(items)
    trace.revenue_many(items[36:])
    trace.revenue_many([items[35], items[36], items[99]])
    return trace


def begun_at_limits(name: str, protocol: int) -> Trace:
    """Installs to whose tables, or to one of which, little can be added."""
    trace = Trace(name, [], [], protocol)
    currencies = [f"A{chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(64)]
    trace.import_details({"skan_total_revenue_by_currency": dict.fromkeys(currencies, 1)}, "full")
    trace.import_details({"skan_total_revenue_by_currency": {"EUR": 3, "USD": 999_999_999_999_999_999}}, "rich")
    if protocol == 4:
        window: dict[str, Any] = {"p0_total_iap_revenue": {"JPY": -4, "USD": 999_999_999_999_999_999}}
        window["skan_first_call_to_skadnetwork_timestamp"] = START
        window["skan_last_call_to_skadnetwork_timestamp"] = START
        trace.import_details(window, "window")
    for install in "ab":
        trace.register(install)
    return trace


def what_exceeds_a_table_is_not_counted(protocol: int) -> Trace:
    trace = begun_at_limits(f"what-exceeds-a-table-is-not-counted-{protocol}", protocol)
    for install, more, message in (
        ("full", "USD", "64 currencies"),
        ("rich", "USD", "1e18"),
        ("window", "USD", "1e18"),
    ):
        if install == "window" and protocol == 3:
            continue
        items = [item(install, "1", "x", currency=more), item("a", "1"), item(install, "-1", "x", currency="AAA")]
        trace.revenue_many(items, "items[0]: ", message)
        trace.revenue_many(items)
    return trace


def told() -> list[Trace]:
    return [
        *map(each_counts_as_it_would_alone, (3, 4)),
        windows_and_kinds_are_told_apart(),
        nothing_changes_where_nothing_is_new(),
        *an_item_that_is_wrong_holds_up_no_other(),
        *a_text_is_counted_exactly(),
        a_text_of_nothing_records_its_event_id(),
        *map(the_last_64_event_ids_are_kept, (3, 4)),
        *map(what_exceeds_a_table_is_not_counted, (3, 4)),
    ]


# ---------------------------------------------------------------------------------------------------- batches at random


def random_item(chance: random.Random) -> dict[str, Any]:
    amounts = ("1", "0.1", "-2.5", "0", "4.99", "1e11", "1e-12", "1e12", "5", "-0.01")
    texts = ("1.0", "0.10", "-25e-1", "0", "4.990", "1e11", "1E-12", "1e12", "5", "-0.010")
    number = chance.randrange(10)
    made = item(
        chance.choice(("a", "b", "c", "d", "e", "full", "rich", "window")) if chance.random() < 0.975 else "",
        amounts[number],
        chance.choice(("", "1", "2", "3", "4", "order-1234567", "order-1234568")) if chance.random() < 0.6 else None,
        currency=chance.choice(("USD", "USD", "USD", "EUR", "usd", "JPY", "ZZZ", "US", "GBP")),
    )
    if number != 7 and chance.random() < 0.25:  # a text of 1e12 cannot be given in every language
        made["amount_text"] = texts[number]
    if chance.random() < 1 / 6:
        made["ad_monetization"] = True
    return made


def random_batches() -> list[Trace]:
    chance = random.Random(12)
    traces = []
    for number in range(40):
        trace = begun_at_limits(f"batches-{number}", 3 + number % 2)
        for _ in range(3):
            trace.later(chance.randrange(4) * DAY)
            trace.revenue_many([random_item(chance) for _ in range(chance.randrange(1, 40))])
        traces.append(trace)
    return traces
