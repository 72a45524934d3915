"""Lives of installs with conversion models: told by hand, and at random."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import reference
from documents import READY, TOP, random_document
from reference import plain
from traces import DAY, HOUR, START, Trace, document, inline

TRIAL = {
    "schema": 1,
    "id": "trial",
    "rates": {"EUR": "1.09"},
    "windows": [
        {
            "rules": [
                {"fine": 1, "when": {"sessions": {"min": 2}}},
                {"fine": 2, "coarse": 0, "when": {"events": [{"name": "level"}]}},
                {"fine": 3, "coarse": 1, "when": {"events": [{"name": "level", "min_count": 2, "max_count": 4}]}},
                {"fine": 9, "coarse": 1, "when": {"revenue": {"min": 0.99, "max": 100}}},
                {"fine": 9 + 1, "coarse": 2, "lock": True, "when": {"revenue": {"kind": "all", "min": 100}}},
            ]
        },
        {
            "rules": [
                {"coarse": 0, "when": {}},
                {"coarse": 1, "when": {"day": {"min": 4, "max": 6}}},
                {"coarse": 2, "lock": True, "when": {"events": [{"name": "buy", "min_count": 2}]}},
            ]
        },
        {"rules": [{"coarse": 2, "when": {"revenue": {"kind": "ad", "scope": "lifetime", "min": 1}}}]},
    ],
}


# ------------------------------------------------------------------------------------------------- lives told by hand


def told() -> list[Trace]:
    traces = []

    def trace(name: str, *models: Any, listed: list[int] | None = None, protocol: int = 4) -> Trace:
        made = [inline(model) if "schema" in model else model for model in models]
        new = Trace(name, made, list(range(len(made))) if listed is None else listed, protocol)
        traces.append(new)
        return new

    t = trace("the-last-rule-that-holds-wins", TRIAL)
    t.update()
    t.register()
    t.update()
    t.update()
    t.update()
    t.update("level")
    t.revenue("4.99")
    t.update("level")
    t.update("level")

    t = trace("raise-only-never-lowers", TRIAL)
    t.register()
    t.revenue("5")
    t.update()
    t.revenue("-5")
    t.update("level")
    t.update("level")
    t.revenue("1")
    t.update("level")

    lowering = {**TRIAL, "raise_only": False}
    t = trace("without-raise-only-a-value-goes-down", lowering)
    t.register()
    t.revenue("5")
    t.update()
    t.revenue("-5")
    t.update("level")
    t.update()
    t.update("level")

    t = trace("a-lock-ends-the-window", TRIAL)
    t.register()
    t.revenue("60")
    t.revenue("40", ad=True)
    t.update()
    t.update("level")
    t.update("other")
    t.later(2 * DAY)
    t.update("buy")
    t.update("buy")
    t.update("buy")
    t.revenue("1", ad=True)
    t.later(5 * DAY)
    t.update()
    t.update()

    t = trace(
        "the-same-value-again-locks",
        {
            **TRIAL,
            "windows": [
                {
                    "rules": [
                        {"fine": 1, "coarse": 1, "when": {"sessions": {"min": 1, "max": 3}}},
                        {"fine": 2, "coarse": 1, "when": {"sessions": {"min": 5}}},
                    ]
                },
                {"rules": [{"coarse": 1}, {"coarse": 1, "lock": True, "when": {"sessions": {"min": 3}}}]},
                {"rules": []},
            ],
        },
    )
    t.register()
    t.update()
    t.update()
    t.update()
    t.later(3 * DAY)
    for _ in range(5):
        t.update()
    t.later(6 * DAY)
    t.update()

    t = trace("counts-belong-to-the-window", TRIAL)
    t.register()
    t.update("level")
    t.update("buy")
    t.later(2 * DAY - 1)
    t.update("buy")
    t.later(1)
    t.explain()
    t.update("unknown")
    t.update("buy")
    t.update("__SESSION__")
    t.later(2 * DAY)
    t.update()
    t.later(35 * DAY)
    t.update("buy", "late")
    t.update("buy", "late")

    # Two hosts whose clocks differ by seconds, at a window's border.
    at_border = {
        "schema": 1,
        "id": "at-border",
        "raise_only": False,
        "windows": [
            {
                "rules": [
                    {"fine": 1, "when": {"sessions": {"min": 1}}},
                    {"fine": 3, "when": {"sessions": {"min": 3}}},
                ]
            },
            {
                "rules": [
                    {"coarse": 0, "when": {"sessions": {"min": 1}}},
                    {"coarse": 1, "when": {"sessions": {"min": 2}}},
                    {"coarse": 2, "lock": True, "when": {"revenue": {"min": 5}, "day": {"min": 2}}},
                ]
            },
            {"rules": [{"coarse": 1, "when": {"events": [{"name": "buy", "min_count": 2}]}}]},
        ],
    }
    t = trace("a-window-never-goes-back", at_border)
    t.register()
    t.now(START + 172_790)
    for _ in range(3):
        t.update()
    t.now(START + 172_801)
    t.update()
    t.now(START + 172_799)
    t.explain()
    t.update()
    t.revenue("4")
    t.now(START - HOUR)
    t.revenue("1")
    t.update("buy")
    t.now(START + 172_801)
    t.explain()
    t.now(START + 604_799)
    t.update("unknown")
    t.now(START + 604_800)
    t.update("buy")
    t.now(START + 604_799)
    t.update("buy")
    t.now(START)
    t.explain()
    t.now(START + 604_800 + 28 * DAY)
    t.update("buy")
    t.now(START + 604_800 + 28 * DAY - 1)
    t.update("buy")

    # What is not counted moves no window: there is nothing to forget.
    t = trace("a-window-that-counted-nothing-may-go-back", at_border)
    t.register()
    t.now(START + 172_790)
    t.update()
    t.update()
    t.now(START + 172_801)
    t.update("unknown")
    t.revenue("4")
    t.now(START + 172_799)
    t.update()

    t = trace("an-event-id-counts-once", TRIAL)
    t.update("level", "a")
    t.register()
    t.update("level", "a")
    t.update("level", "a")
    t.update("level", "b")
    for number in range(63):
        t.update("other", f"filler {number}", explained=False)
    t.update("level", "b")
    t.update("other", "filler 63")
    t.update("level", "a")
    t.update("level", "b")

    t = trace(
        "other-currencies-count-by-rate-or-not-at-all",
        {**TRIAL, "rates": {"EUR": "1.09", "JPY": "0.0067", "KWD": "3.251234567891"}},
    )
    t.register()
    t.revenue("0.9", "EUR")
    t.update()
    t.revenue("0.008256880733", "EUR")
    t.update()
    t.revenue("0.000000000001", "EUR")
    t.update()
    t.revenue("1000", "XYZ")
    t.revenue("7", "ABC", ad=True)
    t.update()
    t.revenue("-7", "ABC", ad=True)
    t.revenue("1500.5", "JPY")
    t.revenue("0.333333333333", "KWD", ad=True)
    t.revenue("0.1", "KWD")
    t.update()

    t = trace(
        "an-install-stays-on-its-model",
        TRIAL,
        {**TRIAL, "id": "newer", "windows": [{"rules": [{"fine": 63}]}, {"rules": []}, {"rules": []}]},
        listed=[0],
    )
    t.register()
    t.update()
    t.reopen([1, 0])
    t.update()
    t.reopen([1])
    t.update("level", "id")
    t.reopen([0, 1])
    t.update("level", "id")
    t.forget()
    t.reopen([1])
    t.explain()
    t.register()
    t.update()

    t = trace("an-import-takes-the-first-model", TRIAL, {**TRIAL, "id": "other"}, listed=[1, 0])
    t.import_details(
        {
            "skan_first_call_to_skadnetwork_timestamp": START - 3 * DAY,
            "skan_last_call_to_skadnetwork_timestamp": START - DAY,
            "skan_current_conversion_value": 7,
        }
    )
    t.update("buy")
    t.update("buy")

    t = trace("an-import-without-registration-has-no-model-yet", TRIAL)
    t.import_details({"skan_total_admon_revenue_by_currency": {"USD": 2.5}})
    t.update()
    t.register()
    t.update()
    t.later(8 * DAY)
    t.update()

    t = trace("a-clock-that-went-back-is-day-0", {"file": "Sources/SKANModels/retention.json"})
    t.register()
    t.later(-5000)
    t.update()
    t.later(5000 + DAY)
    t.update()
    t.later(DAY)
    t.update()
    t.later(4 * DAY)
    t.update()
    t.update()

    flags = {"file": "Sources/SKANModels/conversion_events.json"}
    t = trace("six-flags", flags)
    t.register()
    for event in ("purchase", "tutorial_complete", "purchase", "ad_watched", "registration", "level_10", "add_to_cart"):
        t.update(event)

    skan3 = {"file": "Sources/SKANModels/skan3_revenue.json"}
    t = trace("skan3-takes-only-greater-values", skan3, protocol=3)
    t.update()
    t.register()
    t.update()
    t.revenue("4.99")
    t.update()
    t.revenue("-3")
    t.update()
    t.later(23 * HOUR)
    t.revenue("30", "EUR")
    t.update()
    t.later(DAY - 1)
    t.update()
    t.later(1)
    t.update("late", "id")

    days = {
        "schema": 1,
        "id": "days",
        "protocol": 3,
        "raise_only": False,
        "windows": [
            {
                "rules": [
                    {"fine": 5, "when": {"day": {"min": 0, "max": 1}}},
                    {"fine": 0, "when": {"sessions": {"min": 1, "max": 2}}},
                    {"fine": 4, "when": {"day": {"min": 1}}},
                    {"fine": 6, "when": {"day": {"min": 1}, "sessions": {"min": 4}}},
                ]
            }
        ],
    }
    t = trace("skan3-days-and-counts-go-on", days, protocol=3)
    t.register()
    t.update()
    t.update()
    t.later(DAY - 1)
    t.update()
    t.later(DAY - 1)
    t.update()

    t = trace("every-value-decodes", TRIAL)
    for window in range(3):
        for fine in (None, *range(12)):
            for coarse in (None, 0, 1, 2):
                if fine is not None or coarse is not None:
                    t.decode(0, window, fine, coarse)

    # What registering alone gives, beside rules for fine 0.
    everything = {
        "sessions": {"min": 1, "max": 4},
        "day": {"min": 1, "max": 2},
        "events": [{"name": "win", "min_count": 2}, {"name": "lose", "min_count": 0, "max_count": 1}],
    }
    whens = [
        {**everything, "revenue": {"kind": "all", "scope": "lifetime", "min": 0.5, "max": 5}},
        {"revenue": {"kind": "ad", "min": -5, "max": -0.5}},
        {"revenue": {"min": -5, "max": 0}},
        {"revenue": {"min": -5, "max": 0.01}},
        {},
    ]
    for number, when in enumerate(whens):
        rules = [{"fine": 0, "coarse": 0, "when": when}, {"fine": 1, "coarse": 0, "when": {"sessions": {"min": 9}}}]
        later = {"rules": [{"coarse": 0, "when": when}]}
        model = {"schema": 1, "id": "registration", "windows": [{"rules": rules}, later, {"rules": []}]}
        t = trace(f"fine-0-is-what-registering-gives-{number}", model)
        for fine, coarse in ((0, None), (0, 0), (0, 1), (None, 0), (1, None)):
            t.decode(0, 0, fine, coarse)
        t.decode(0, 1, 0, None)
        t.decode(0, 1, None, 0)
    named = {
        **TRIAL,
        "rates": {"EUR": "1.09000000000000", "JPY": "0.00670000000000000000"},
        "windows": [
            {
                "rules": [
                    {"fine": 1, "coarse": "low"},
                    {"fine": 2, "coarse": 1, "when": {"sessions": {"min": 2}}},
                    {"fine": 3, "coarse": "high", "when": {"revenue": {"min": 109}}},
                ]
            },
            {"rules": [{"coarse": "low"}, {"coarse": "medium", "when": {"sessions": {"min": 2}}}]},
            {"rules": [{"coarse": "high"}]},
        ],
    }
    t = trace("coarse-by-name-and-rates-with-zeros-behind", named)
    t.register()
    t.update()
    t.update()
    t.revenue("100", "EUR")
    t.update()
    for days_later in (2, 5):
        t.later(days_later * DAY)
        t.update()
        t.update()
    for window in range(3):
        for coarse in range(3):
            t.decode(0, window, None, coarse)
    quoted = {**TRIAL, "id": 'a "b\\ c', "windows": [{"rules": [{"fine": 1, "when": {"events": [{"name": '"x\\'}]}}]}]}
    quoted["windows"] += [{"rules": []}, {"rules": []}]
    t = trace("names-may-hold-quotes", quoted)
    t.register()
    t.update('"x\\')
    t = trace("skan3-fine-0-is-what-registering-gives", days, skan3, protocol=3)
    for model_number in (0, 1):
        t.decode(model_number, 0, 0, None)
        t.decode(model_number, 0, 5, None)
    return traces


# ------------------------------------------------------------------------------------------------------ lives at random


def live(trace: Trace, chance: random.Random, steps: int) -> None:
    """A life in which much happens."""
    model = trace.engine.models[0]
    names = [*model.names, None, "__SESSION__", "unknown"]
    currencies = [model.currency, *model.rates, "XYZ"]
    if chance.random() < 0.9:
        trace.register()
    for _ in range(steps):
        turn = chance.random()
        if turn < 0.15:
            trace.later(chance.choice((1, HOUR, DAY // 2, DAY, 3 * DAY)) if chance.random() < 0.9 else -HOUR)
        elif turn < 0.40:
            amount = Decimal(chance.choice((1, 1, 10, 99, 4999, 12345, 10**11))) / Decimal(
                chance.choice((1, 100, 10**9))
            )
            trace.revenue(
                plain(-amount if chance.random() < 0.15 else amount),
                chance.choice(currencies),
                trace.protocol == 4 and chance.random() < 0.4,
            )
        elif turn < 0.95:
            for _ in range(chance.choice((1, 1, 3))):
                event_id = chance.choice((None, None, f"id {chance.randrange(9)}"))
                trace.update(chance.choice(names), event_id, chance.random() < 0.2)
        else:
            window = chance.randrange(len(model.windows))
            fine = chance.choice((None, chance.randrange(64))) if window == 0 else None
            coarse = chance.choice((None, 0, 1, 2)) if trace.protocol == 4 else None
            if fine is None and coarse is None:
                fine = chance.randrange(64)
            trace.decode(0, window, fine, coarse)


def random_lives() -> list[Trace]:
    chance = random.Random(6)
    traces = []
    for path in READY:
        name = str(path.relative_to(TOP))
        for number in range(3):
            protocol = reference.read_model(path.read_bytes()).protocol
            trace = Trace(f"{path.stem}-{number}", [{"file": name}], [0], protocol)
            live(trace, chance, 30)
            traces.append(trace)
    while len(traces) < 3 * len(READY) + 40:
        value = random_document(chance)
        try:
            model = reference.read_model(document(value))
        except reference.Refused:
            continue
        trace = Trace(f"random-{len(traces)}", [inline(value)], [0], model.protocol)
        live(trace, chance, 20)
        traces.append(trace)
    return traces
