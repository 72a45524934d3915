"""Plays simulated worlds.

A world is a game of some weeks that Tests/Truth/World plays through the real engine, a device that sends
postbacks, and the real receiver; it knows what each of the installs that postbacks tell of really brought. README.md
describes the families of worlds.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

BUILD = Path(os.environ.get("BUILD", Path(__file__).resolve().parents[2] / "build")).resolve()
COMMAND = os.environ.get("SKAN_COMMAND", str(BUILD / "bin" / "skan"))
WORLD = str(BUILD / "bin" / "world")
# What an estimate takes for granted is true in these.
TRUE = ("none", "lognormal", "pareto", "whales", "countries", "weekends", "late", "refunds", "currencies", "models",
        "young", "tiny", "coarse", "old", "redownloads", "quiet", "aak")
# Players of one value differ from campaign to campaign.
NATURAL = ("natural", "payers")
# Lines of SKAN 3 break what an estimate takes for granted, and so do lines that have some in them; the others do not.
MIXED = ("mixed",)
# These break on purpose what an estimate takes for granted.
BROKEN = ("skan3", "borders", "hiding", "spending", "rate", "cohorts", "payer", "silence", "absence", "leaving")
FAMILIES = TRUE + NATURAL + MIXED + BROKEN
# Of the two models: where bands of ad revenue begin, and bands of all revenue. Before them stand five values of play.
BANDS: list[tuple[list[float], list[float]]] = [
    ([0.05, 0.15], [0.5, 1, 2, 3, 5, 8, 12, 20, 35, 60, 100]),
    ([0.1], [0.4, 1.5, 4, 10, 25, 75]),
]
PLAY: list[dict[str, Any]] = [{}, *({"sessions": {"min": least}} for least in (2, 3, 5))]
PLAY += [{"events": [{"name": "level_10"}]}]
RATES = {"EUR": "1.09", "JPY": "0.0066", "GBP": "1.27", "BRL": "0.18", "KRW": "0.00073", "TRY": "0.029"}


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


def made_at(folder: Path) -> str:
    """The time at which the report of a world is made."""
    return (folder / "said").read_text().split()[0]


def report_words(folder: Path) -> list[str]:
    """The words of the report of a world that was played into the folder."""
    at, count = made_at(folder), (folder / "said").read_text().split()[1]
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


@contextmanager
def played(job: Job) -> Iterator[Path]:
    """The folder of a world, which is removed at the end if it is not one to be kept."""
    if job.keep:
        yield kept(job)
        return
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="skan-world-", dir=memory if Path(memory).is_dir() else None) as name:
        world(Path(name), job.family, job.seed, *job.sizes)
        yield Path(name)
