"""Random stores: who advertised what, and which postbacks arrived when. Apple's rules for digits and values hold."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from postback_rows import ATTRIBUTION_KIT, OLD_VERSIONS, Row

DAY = 86400
BEGIN = 1736726400  # 2025-01-13, a Monday
APPS = (525463029, 610391947)
COARSE_VALUES = ("low", "medium", "high")
# The model has no rule for fine value 5, so that it cannot be decoded.
FINE_VALUES = (0, 0, 10, 10, 20, 63, 5)


@dataclass(frozen=True)
class Campaign:
    """Identifiers of its ad sets: four digits whose last two are the campaign's, or one id before 4.0."""

    network: str
    version: str
    ad_sets: tuple[str, ...]
    app: int

    @property
    def key(self) -> tuple[str, str]:
        """Network and identifier, as a line of the report has them."""
        return Row(0, self.version, self.network, self.ad_sets[0], self.app, "").campaign


@dataclass
class DrawnStore:
    """Campaigns, the rows of all postbacks in the order of their arrival, and the days between which they arrived."""

    campaigns: list[Campaign]
    rows: list[Row] = field(default_factory=list)
    begin: int = BEGIN
    end: int = BEGIN


def draw_campaigns(chance: random.Random) -> list[Campaign]:
    campaigns = []
    for network in chance.sample(["one.example", "two.example", "three.example", "four.example"], chance.randint(1, 3)):
        for digits in chance.sample(range(100), chance.randint(1, 4)):
            version = chance.choice([*OLD_VERSIONS, *["4.0"] * 5, *[ATTRIBUTION_KIT] * 3])
            ad_sets = tuple(f"{start:02}{digits:02}" for start in chance.sample(range(100), chance.randint(1, 3)))
            app = chance.choice((APPS[0], APPS[0], *APPS))
            campaigns.append(Campaign(network, version, (str(digits),) if version in OLD_VERSIONS else ad_sets, app))
    return campaigns


def with_value(chance: random.Random, row: Row) -> Row:
    """The row with digits, value, country and source app of a random tier."""
    tier = 0 if not row.won else chance.choice((0, 1, 2, 3, 3))
    if row.is_old:
        fine = chance.choice(FINE_VALUES) if tier else None
        return replace(row, fine=fine, source_app=chance.choice((None, 11, 12)) if tier else None)
    if row.window:
        return replace(row, identifier=row.identifier[-2:], coarse=chance.choice(COARSE_VALUES))
    if tier < 2:
        return replace(row, identifier=row.identifier[-2:], coarse=chance.choice(COARSE_VALUES) if tier else None)
    shown = replace(row, identifier=row.identifier[-chance.choice((2, 3, 4, 4)) :])
    fine = chance.choice((*FINE_VALUES, None))
    if tier == 2:
        return replace(shown, fine=fine)
    return replace(shown, fine=fine, source_app=chance.choice((0, 11, 12)), country=chance.choice((None, "DE", "US")))


def draw_install(chance: random.Random, campaign: Campaign, arrived: int, number: int) -> list[Row]:
    """The postback of window 0 and, of some, those of windows 1 and 2."""
    kinds = ["install"] * 6 + ["redownload"] * (campaign.version != "2.0")
    if campaign.version == ATTRIBUTION_KIT:
        kinds += ["re-engagement"] * 2
    can_lose = campaign.version >= "3.0"
    first = Row(
        arrived,
        campaign.version,
        campaign.network,
        chance.choice(campaign.ad_sets),
        campaign.app,
        f"t-{number}",
        won=not can_lose or chance.random() > 0.15,
        conversion=chance.choice(kinds),
        is_view=chance.random() < 0.3,
    )
    rows = [with_value(chance, first)]
    delays = {} if first.is_old or not first.won else {1: (96, 240), 2: (768, 912)}
    for window, (least, most) in delays.items():
        if chance.random() < 0.4:
            later = replace(first, window=window, arrived=arrived + chance.randrange(least * 3600, most * 3600))
            rows.append(with_value(chance, later))
    return rows


def draw_store(chance: random.Random) -> DrawnStore:
    store = DrawnStore(draw_campaigns(chance))
    store.begin = BEGIN + chance.randrange(60) * DAY
    store.end = store.begin + chance.choice((3, 20, 45, 90, 150)) * DAY
    # A campaign that nobody installed from still costs money.
    seen = [campaign for campaign in store.campaigns if chance.random() < 0.9]
    for number in range(int(chance.lognormvariate(4, 1)) + 3 if seen else 0):
        arrived = chance.randrange(store.begin, store.end)
        store.rows += draw_install(chance, chance.choice(seen), arrived, number)
    # A second copy changes nothing; the first arrival holds.
    copies = chance.sample(store.rows, len(store.rows) // 30)
    store.rows += [replace(row, arrived=row.arrived + chance.randrange(5 * DAY)) for row in copies]
    store.rows.sort(key=lambda row: row.arrived)
    return store
