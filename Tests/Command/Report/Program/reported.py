"""A drawn store on disk, and what skan report says of it, each figure as an exact fraction."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from postback_rows import ARRIVAL_FIELD, keys_document, line_of_file
from random_costs import Cost, draw_costs, file_of_costs
from random_stores import DrawnStore, draw_store
from report_options import Options, draw_options
from reported_values import MODEL
from tools import COMMAND


@dataclass(frozen=True)
class Drawn:
    """All that one report is made of."""

    store: DrawnStore
    options: Options
    costs: list[Cost]


def drawn(seed: int) -> Drawn:
    chance = random.Random(seed)
    store = draw_store(chance)
    options = draw_options(chance, store)
    # Without a model there are no rates, so all costs are in one currency.
    return Drawn(store, options, draw_costs(chance, store, None if options.has_model else "USD"))


def run(*words: str) -> str:
    ended = subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False
    )
    assert ended.returncode == 0, (words, ended.stderr)
    return ended.stdout


def amount(text: str | None, places: str = "{2,12}") -> Fraction | None:
    """An amount as JSON and CSV write it: a plain decimal."""
    if text in (None, ""):
        return None
    assert re.fullmatch(rf"-?[0-9]+\.[0-9]{places}", text), text
    return Fraction(text)


class Reporter:
    """Takes drawn postbacks into stores of a folder, as a user does, and reports them."""

    def __init__(self, folder: Path, installs: str) -> None:
        """Expects the URL of a store of own installs."""
        self.folder, self.installs = folder, installs
        self.written("keys.json", keys_document())
        self.written("model.json", json.dumps(MODEL))

    def written(self, name: str, content: str) -> str:
        (self.folder / name).write_text(content, newline="")
        return str(self.folder / name)

    def received(self, name: str, store: DrawnStore) -> str:
        """The URL of a store with the postbacks."""
        file = self.written(f"{name}.jsonl", "".join(f"{line_of_file(row)}\n" for row in store.rows))
        url, keys = f"sqlite:{self.folder / name}.db", str(self.folder / "keys.json")
        out = run("receive", url, file, "--any-app", "--postback-keys", keys, "--received-field", ARRIVAL_FIELD)
        assert out.startswith(f"{len(store.rows)} postback"), out
        return url

    def words(self, url: str, options: Options, costs: list[Cost], has_installs: bool) -> list[str]:
        words = ["report", url, *options.words(), f"--campaigns={self.written('costs.csv', file_of_costs(costs))}"]
        if options.has_model:
            words.append(f"--model=any={self.folder / 'model.json'}")
        return [*words, f"--installs={self.installs}"] if has_installs else words

    def document(self, url: str, options: Options, costs: list[Cost], has_installs: bool = False) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            run(*self.words(url, options, costs, has_installs), "--json"), parse_float=Fraction
        )
        return found

    def rows(self, url: str, options: Options, costs: list[Cost], has_installs: bool = False) -> list[dict[str, str]]:
        """Rows of CSV about all windows."""
        text = run(*self.words(url, options, costs, has_installs), "--csv")
        return [row for row in csv.DictReader(io.StringIO(text, newline="")) if row["window"] == "all"]
