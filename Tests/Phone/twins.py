"""P10: an install without re-engagements is the same on an engine that has models for them."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from apple import DAY, HOUR
from libskan import INSTALL_ALONE, CallResult, Outcome, Result
from life import INSTALL, PROPERTIES, START, Broken, Setting
from stores import DictionaryStore

# What every record draws at random: the count and the ids of its writes, and so the checksum.
DRAWN = slice(60, 100)
CHECKSUM = 8


def content(store: DictionaryStore) -> bytes | None:
    """A record but for what is drawn."""
    if INSTALL not in store.records:
        return None
    data = store.records[INSTALL][0]
    return data[: DRAWN.start] + data[DRAWN.stop : -CHECKSUM]


def calls(amount: Decimal, event: str | None, event_id: str, update: int) -> list[Callable[[Any], object]]:
    """What a host does with an install."""
    return [
        lambda each: each.register(INSTALL),
        lambda each: each.update_revenue(INSTALL, amount, "USD", event_id=event_id),
        lambda each: without_locks(each.update_conversion_values(INSTALL, event, event_id=event_id)),
        lambda each: each.update_conversion_values(INSTALL, event, event_id=event_id, reengagement=INSTALL_ALONE),
        lambda each: each.pending_calls(INSTALL),
        lambda each: each.acknowledge_calls(INSTALL, [(update, CallResult.DELIVERED)]),
        lambda each: each.metadata(INSTALL),
        lambda each: each.explanation(INSTALL),
    ]


def without_locks(result: Result) -> Result:
    """Of an event that may count for re-engagements a locked window is no outcome: it has no new value."""
    return Result(Outcome.NO_NEW_VALUE) if result.outcome is Outcome.WINDOW_LOCKED else result


def check_twins(number: int, engine: Callable[..., Any], plain: Callable[..., Any]) -> int:
    """One life on both; how often they were compared."""
    chance, now, checks = random.Random(number), START, 0
    setting = Setting(chance.random() < 0.5, 2, "return")
    stores = DictionaryStore(), DictionaryStore()
    engines = engine(setting, lambda: float(now), stores[0]), plain(lambda: float(now), stores[1])
    for _ in range(30):
        now += chance.choice((0, 60, HOUR, DAY, 3 * DAY))
        amount = Decimal(chance.randrange(-500, 3000)) / 100
        event, event_id = chance.choice(("buy", "level", None)), f"{chance.randrange(20)}"
        update = START * 1_000_000 + chance.randrange(9)
        call = chance.choice(calls(amount, event, event_id, update))
        came = [answered(call, each) for each in engines]
        details = [each.details(INSTALL).json for each in engines]
        contents = [content(store) for store in stores]
        checks += 1
        if came[0] != came[1] or details[0] != details[1] or contents[0] != contents[1]:
            raise Broken(f"P10, {PROPERTIES['P10']}: twins {number}: {came}, {details}, {contents}")
    for each in engines:
        each.close()
    return checks


def answered(call: Callable[[Any], object], engine: Any) -> object:
    try:
        return call(engine)
    except Exception as error:
        return str(error)
