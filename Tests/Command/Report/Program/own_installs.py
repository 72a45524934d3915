"""A store of an app's own installs, made by the engine itself: registered over half a year, with values and revenue."""

from __future__ import annotations

import json
import random
from pathlib import Path

from libskan import ConversionModel, Engine, SQLiteStore
from random_stores import BEGIN, DAY
from reported_values import MODEL


def fill_with_installs(file: Path, count: int) -> str:
    """The URL of the store."""
    chance, now = random.Random(1), [0]
    with Engine(SQLiteStore(str(file)), lambda: now[0], models=[ConversionModel(json.dumps(MODEL))]) as engine:
        for number in range(count):
            name = f"player-{number}"
            first = BEGIN - 20 * DAY + chance.randrange(230 * DAY)
            now[0] = first
            engine.register(name)
            for day in sorted([*chance.sample(range(60), 2), 0]):
                now[0] = first + day * DAY + 3600
                if chance.random() < 0.6:
                    engine.update_revenue(name, chance.choice((0.99, 1.99, 4.99, 9.99, 19.99)), "USD")
                if day < 35:
                    engine.update_conversion_values(name)
    return f"sqlite:{file}"
