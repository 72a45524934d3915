"""Plays simulated worlds, and reads what is true in them and what `skan report --installs` says of them.

A world is a game of some weeks that Tests/Command/Truth/World plays through the real engine, a device that sends
postbacks, and the real receiver; it knows what each of the installs that postbacks tell of really brought. README.md
describes the families of worlds.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

BUILD = Path(os.environ.get("BUILD", Path(__file__).resolve().parents[3] / "build")).resolve()
COMMAND = os.environ.get("SKAN_COMMAND", str(BUILD / "bin" / "skan"))
WORLD = str(BUILD / "bin" / "world")
LEVELS = ("total", "network", "campaign", "ad set")
# What an estimate takes for granted is true in these.
TRUE = ("none", "lognormal", "pareto", "whales", "countries", "weekends", "late", "refunds", "currencies", "models",
        "young", "tiny", "coarse", "old", "redownloads", "quiet", "aak")
# Players of one value differ from campaign to campaign.
NATURAL = ("natural", "payers")
# These break on purpose what an estimate takes for granted.
BROKEN = ("mixed", "skan3", "borders", "hiding", "spending", "rate", "cohorts", "payer", "silence", "absence",
          "leaving")
FAMILIES = TRUE + NATURAL + BROKEN
# Of the two models: where bands of ad revenue begin, and bands of all revenue. Before them stand five values of play.
BANDS: list[tuple[list[float], list[float]]] = [
    ([0.05, 0.15], [0.5, 1, 2, 3, 5, 8, 12, 20, 35, 60, 100]),
    ([0.1], [0.4, 1.5, 4, 10, 25, 75]),
]
PLAY: list[dict[str, Any]] = [{}, *({"sessions": {"min": least}} for least in (2, 3, 5))]
PLAY += [{"events": [{"name": "level_10"}]}]
RATES = {"EUR": "1.09", "JPY": "0.0066", "GBP": "1.27", "BRL": "0.18", "KRW": "0.00073", "TRY": "0.029"}


class Line(NamedTuple):
    """What a line of a report says of one horizon, and what is true."""

    family: str
    world: int
    level: str
    name: str
    horizon: str
    installs: int
    hidden: float
    truth: float
    estimate: float | None
    low: float | None
    high: float | None
    today: float | None
    practice: float | None
    # What the report of the world warns of, with spaces between.
    warnings: str

    @property
    def holds(self) -> bool:
        return self.low is not None and self.high is not None and self.low <= self.truth <= self.high

    @property
    def is_in_its_interval(self) -> bool:
        found = self.low, self.estimate, self.high
        return None in found or found[0] <= found[1] <= found[2]  # type: ignore[operator]

    @property
    def is_comparable(self) -> bool:
        """There are all estimates that the horizon has."""
        others = {"day_2": (self.today, self.practice), "day_7": (self.today,), "day_35": (self.today,)}
        return self.estimate is not None and None not in others.get(self.horizon, ())


# ------------------------------------------------------------------------------------------------------------- playing


def revenue_rules(fine: int, kind: str, begins: list[float]) -> Iterator[dict[str, Any]]:
    for least, end in zip(begins, [*begins[1:], None]):
        revenue = {"kind": kind, "min": least} | ({"max": end} if end else {})
        is_last = kind == "all" and end is None
        yield {"fine": fine, "coarse": 2 if least >= 10 else 1, "lock": is_last, "when": {"revenue": revenue}}
        fine += 1


def model(ads: list[float], bands: list[float]) -> dict[str, Any]:
    """A conversion model; the last value locks its window."""
    first = [{"fine": fine, "coarse": 0, "when": when} for fine, when in enumerate(PLAY)]
    first += [*revenue_rules(len(PLAY), "ad", ads), *revenue_rules(len(PLAY) + len(ads), "all", bands)]
    later = [{"coarse": place, "when": {"revenue": {"kind": "all", "min": least}}}
             for place, least in enumerate([0, 0.1, 5])]
    windows = [{"rules": first}, *[{"rules": later}] * 2]
    return {"schema": 1, "id": "world", "currency": "USD", "rates": RATES, "raise_only": True, "windows": windows}


def middles(ads: list[float], bands: list[float]) -> list[float]:
    """Of each fine value, the middle of its band; the lower end of the last."""
    ends = [*ads[1:], ads[-1]], [*bands[1:], bands[-1]]
    return [0.0] * len(PLAY) + [(low + high) / 2 for low, high in zip(ads + bands, ends[0] + ends[1])]


class Job(NamedTuple):
    """A world to be judged; `keep`: the folder that worlds are kept in by family and seed, and taken from again."""

    family: str
    seed: int
    sizes: tuple[int, ...] = ()
    keep: Path | None = None


def world(folder: Path, family: str, seed: int, *sizes: int) -> list[str]:
    """Plays one into the folder; answers the words of its report."""
    models = [folder / f"{name}.json" for name in ("first", "second")]
    for path, bands in zip(models, BANDS):
        path.write_text(json.dumps(model(*bands)))
    words = [WORLD, folder, family, seed, *models, *sizes]
    said = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=True).stdout
    (folder / "said").write_text(said)
    return report_words(folder)


def report_words(folder: Path) -> list[str]:
    """The words of the report of a world that was played into the folder."""
    at, count = (folder / "said").read_text().split()
    store = f"sqlite:{folder / 'world.db'}"
    options = [f"--installs={store}", f"--at={at}", f"--campaigns={folder / 'campaigns.csv'}"]
    models = [f"--model={folder / name}.json" for name in ("first", "second")]
    return [COMMAND, "report", store, *options, *models[: int(count)]]


def kept(job: Job) -> Path:
    """The folder of a world that is kept, played where it was not yet."""
    folder = Path(job.keep or "") / job.family / str(job.seed)
    if not (folder / "said").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "world.db").unlink(missing_ok=True)
        world(folder, job.family, job.seed, *job.sizes)
    return folder


def play(job: Job) -> list[Line]:
    """What the report says of one world."""
    if job.keep:
        return reported(job, kept(job))
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="skan-world-", dir=memory if Path(memory).is_dir() else None) as name:
        world(Path(name), job.family, job.seed, *job.sizes)
        return reported(job, Path(name))


# ------------------------------------------------------------------------------------------------------------- reading


class Truth:
    """What the installs of a line brought, in all and by the published practice."""

    def __init__(self) -> None:
        self.installs = self.fine = self.shown = 0
        self.revenue: dict[str, float] = defaultdict(float)
        self.middles = 0.0

    def add(self, row: list[str], revenue: list[tuple[str, float]], middle: float) -> None:
        self.installs += 1
        self.shown += row[2] != "hidden"
        self.fine += row[2] == "fine"
        self.middles += middle
        for horizon, amount in revenue:
            self.revenue[horizon] += amount

    @property
    def practice(self) -> float | None:
        return self.middles * self.installs / self.fine if self.fine else None


Key = tuple[str, ...]


def key_of(network: str, identifier: str) -> Key:
    """Network, campaign, ad set; an identifier of SKAN 3 stands for itself."""
    return (network, identifier[-2:], identifier[-3:]) if identifier.isdigit() else (network, identifier, identifier)


def truths(path: Path) -> dict[Key, Truth]:
    """By the lines of a report: (), (network,), (network, campaign), (network, campaign, ad set)."""
    found: dict[Key, Truth] = defaultdict(Truth)
    worth = [middles(*bands) for bands in BANDS]
    with path.open(newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        horizons = next(rows)[6:]
        for row in rows:
            if not row[0]:
                continue
            middle = worth[int(row[4])][int(row[3])] if row[2] == "fine" else 0.0
            revenue = [(horizon, int(amount) / 1e6) for horizon, amount in zip(horizons, row[6:])]
            key = key_of(row[0], row[1])
            for depth in range(4):
                found[key[:depth]].add(row, revenue, middle)
    return found


def lines(total: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Every line of a report, with its key."""
    yield (), total
    for network in total["networks"]:
        yield (network["network"],), network
        for campaign in network["campaigns"]:
            key = (network["network"], campaign["identifier"])
            yield key, campaign
            yield from (((*key, ad_set["identifier"]), ad_set) for ad_set in campaign["ad_sets"])


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


def today(line: dict[str, Any], horizon: str) -> float | None:
    """The older column, of the windows that have ended at a horizon."""
    ended = {"day_2": 1, "day_7": 2, "day_35": 3}.get(horizon, 0)
    told = [number(window["revenue"]["extrapolated"]) for window in line["windows"][:ended]]
    return sum(amount or 0.0 for amount in told) if told and told[0] is not None else None


def reported(job: Job, folder: Path) -> list[Line]:
    """What the report says of a world in a folder."""
    run = subprocess.run([*report_words(folder), "--json"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"skan report on {job.family} {job.seed}: exit code {run.returncode}\n{run.stderr}")
    return list(judged(job, json.loads(run.stdout), truths(folder / "counted.tsv")))


def judged(job: Job, document: dict[str, Any], true: dict[Key, Truth]) -> Iterator[Line]:
    warnings = " ".join(warning["assumption"] for warning in document["basis"]["warnings"])
    for key, line in lines(document["total"]):
        truth = true.get(key, Truth())
        if truth.installs != (counted := line["installs"] + line["redownloads"]):
            counts = f"{truth.installs} installs and redownloads, not {counted}"
            raise SystemExit(f"world {job.family} {job.seed}: {key} has {counts}")
        if truth.installs == 0 or (len(key) == 3 and key[2] == key[1]):
            continue
        depth = max(2, len(key))
        below = [of.practice for other, of in true.items() if len(other) == depth and other[: len(key)] == key]
        practice = sum(amount or 0.0 for amount in below) if any(below) else None
        for horizon, revenue in truth.revenue.items():
            if (brought := line["estimated_revenue"].get(horizon)) is None:
                continue
            estimate, low, high = (number(brought[name]) for name in ("estimate", "low", "high"))
            hidden = 1 - truth.shown / truth.installs
            others = today(line, horizon), practice if horizon == "day_2" else None
            of = job.family, job.seed, LEVELS[len(key)], " ".join(key), horizon, truth.installs, hidden
            yield Line(*of, revenue, estimate, low, high, *others, warnings)
