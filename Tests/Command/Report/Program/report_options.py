"""Random options of a report, and what they leave of the rows of a store."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timezone

from postback_rows import ATTRIBUTION_KIT, Row
from random_stores import DAY, DrawnStore

HOUR = 3600


def moment_text(moment: int) -> str:
    """The moment as an option has it."""
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Options:
    """The time of the report is [start, stop); it is made at `made_at`. All are Unix seconds."""

    made_at: int
    start: int | None = None
    stop: int | None = None
    are_days: bool = False
    network: str | None = None
    app: int | None = None
    by: str | None = None
    has_model: bool = True

    def words(self) -> list[str]:
        """The options as the command line has them; a day of --to is the last one that counts."""
        said = {"at": moment_text(self.made_at), "network": self.network, "app": self.app, "by": self.by}
        for name, moment in (("from", self.start), ("to", self.stop)):
            if moment is not None:
                day = moment - DAY if name == "to" else moment
                said[name] = moment_text(day)[:10] if self.are_days else moment_text(moment)
        return [f"--{name}={value}" for name, value in said.items() if value is not None]

    def has(self, row: Row) -> bool:
        """Whether the report counts this row."""
        return (
            (self.start is None or self.start <= row.arrived)
            and (self.stop is None or row.arrived < self.stop)
            and self.network in (None, row.network)
            and self.app in (None, row.app)
        )


def counted_rows(rows: list[Row], options: Options) -> list[Row]:
    """Each postback once, by its first copy (Rules, "Duplicate postbacks"), as far as the report is about it."""
    first: dict[tuple[bool, str, str, int], Row] = {}
    for row in sorted(rows, key=lambda row: row.arrived):
        first.setdefault((row.version == ATTRIBUTION_KIT, row.network, row.transaction, row.window), row)
    return [row for row in first.values() if options.has(row)]


def draw_options(chance: random.Random, store: DrawnStore) -> Options:
    last = max((row.arrived for row in store.rows), default=store.end)
    are_days, ends = chance.random() < 0.5, sorted(chance.sample(range(store.begin // HOUR, store.end // HOUR), 2))
    start, stop = (moment // 24 * DAY if are_days else moment * HOUR + chance.choice((0, 0, 1799)) for moment in ends)
    if are_days:
        stop += DAY
    has_start, has_stop = chance.choice(((False, False), (True, True), (True, False), (False, True)))
    return Options(
        made_at=last + 1 + chance.choice((0, 3 * HOUR, chance.randrange(6 * DAY), 100 * DAY)),
        start=start if has_start else None,
        stop=stop if has_stop else None,
        are_days=are_days,
        network=chance.choice((None, None, None, chance.choice(store.campaigns).network)),
        app=chance.choice((None, None, store.campaigns[0].app)),
        by=chance.choice((None, None, None, None, "country", "source-app", "ad-set", "total")),
        has_model=chance.random() < 0.85,
    )
