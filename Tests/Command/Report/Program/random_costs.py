"""Random files of campaigns: names, and costs with and without a date in several currencies."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import dataclass
from datetime import datetime, timezone
from fractions import Fraction

from random_stores import BEGIN, DAY, Campaign, DrawnStore

RATES = {"USD": "1", "EUR": "1.0937", "JPY": "0.0065"}
COLUMNS = ("network", "network_name", "identifier", "campaign", "ad_set", "cost", "currency", "date")


@dataclass(frozen=True)
class Cost:
    """A row of the file. Its day is that of Unix time, None without a date; its cost is text, empty without one."""

    network: str
    identifier: str
    cost: str = ""
    currency: str = "USD"
    day: int | None = None

    @property
    def campaign(self) -> tuple[str, str]:
        """Network and identifier of the campaign."""
        return self.network, self.identifier if self.is_old else self.identifier[-2:]

    @property
    def is_old(self) -> bool:
        """Whether the campaign comes before SKAdNetwork 4.0."""
        return self.identifier.startswith("campaign-id")

    @property
    def amount(self) -> Fraction | None:
        """Its cost in the currency of the report."""
        return Fraction(self.cost) * Fraction(RATES[self.currency]) if self.cost else None


def draw_amount(chance: random.Random) -> str:
    return chance.choice(
        (
            str(chance.randrange(1000)),
            f"{chance.randrange(100000) / 100:.2f}",
            f"{chance.randrange(200) / 100:.2f}",
            f"{chance.randrange(10**7) / 10**4:.4f}",
            "0",
            "0.00",
        )
    )


def draw_days(chance: random.Random, store: DrawnStore) -> list[int]:
    """Days of costs: around the arrivals, often up to the last of them, and now and then more than a year before."""
    length = (store.end - store.begin) // DAY
    around = [store.begin // DAY + chance.randrange(-15, length + 10) for _ in range(chance.randint(1, 25))]
    around += [store.begin // DAY - 4 - n for n in range(5)] if chance.random() < 0.3 else []
    last = max((row.arrived for row in store.rows), default=store.end) // DAY
    around += [last - n for n in range(7)] if chance.random() < 0.5 else []
    long_ago = [BEGIN // DAY - chance.randrange(360, 500)] if chance.random() < 0.15 else []
    return sorted({*around, *long_ago})


def draw_rows(chance: random.Random, store: DrawnStore, campaign: Campaign, currency: str | None) -> list[Cost]:
    """The rows of one campaign, at most one for each identifier and day."""
    network, identifier = campaign.key
    named = [identifier]
    if not identifier.startswith("campaign-id"):
        named = chance.sample([identifier, *campaign.ad_sets, campaign.ad_sets[0][1:]], chance.randint(1, 2))
    rows = []
    for each in named:
        kind = chance.choice(("none", "dated", "dated", "dated", "undated"))
        days: list[int | None] = [*draw_days(chance, store)] if kind == "dated" else [None] * (kind == "undated")
        currencies = [currency] if currency else list(RATES)
        rows += [Cost(network, each, draw_amount(chance), chance.choice(currencies), day) for day in days]
        rows += [] if days else [Cost(network, each)]
    return rows


def draw_costs(chance: random.Random, store: DrawnStore, currency: str | None) -> list[Cost]:
    """Rows of the file; all in this currency, if one is given. Some campaigns are in no row."""
    rows = [
        row
        for campaign in store.campaigns
        if chance.random() < 0.85
        for row in draw_rows(chance, store, campaign, currency)
    ]
    if chance.random() < 0.3:
        rows.append(Cost("unseen.example", "77", draw_amount(chance), currency or "EUR", store.begin // DAY))
    chance.shuffle(rows)
    return rows


def file_of_costs(rows: list[Cost]) -> str:
    """The file as CSV."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    for row in rows:
        date = "" if row.day is None else datetime.fromtimestamp(row.day * DAY, timezone.utc).date().isoformat()
        writer.writerow(
            {
                "network": row.network,
                "network_name": f"Ads of {row.network}",
                "identifier": row.identifier,
                "campaign": f"Campaign {row.campaign[1]}",
                "ad_set": row.identifier if len(row.identifier) in (3, 4) else "",
                "cost": row.cost,
                "currency": row.currency if row.cost else "",
                "date": date,
            }
        )
    return file.getvalue()
