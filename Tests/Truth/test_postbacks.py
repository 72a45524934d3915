"""The postbacks that a world's receiver has stored are what Apple's tables of tiers, windows and delays allow."""

from __future__ import annotations

import csv
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import worlds

Row = dict[str, str]
FAMILIES = ("none", "coarse", "redownloads", "aak", "mixed", "skan3")


@pytest.fixture(scope="module", params=FAMILIES)
def rows(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    folder = tmp_path_factory.mktemp("world")
    worlds.world(folder, request.param, 1000, 8000, 70)
    words = [worlds.COMMAND, "postbacks", f"sqlite:{folder / 'world.db'}", "--csv"]
    run = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(run.stdout.splitlines()))


def of_window(rows: list[Row], *windows: str) -> list[Row]:
    """Postbacks of ads that won; those of version 3 have no window."""
    return [row for row in rows
            if row["did_win"] == "true" and row["version"] != "3.0" and row["postback_sequence_index"] in windows]


def test_later_postbacks_have_two_digits_and_nothing_of_window_0(rows: list[Row]) -> None:
    for row in of_window(rows, "1", "2"):
        assert len(row["source_identifier"]) == 2
        assert not row["conversion_value"] + row["source_app_id"] + row["source_domain"] + row["country_code"]


def test_coarse_and_hidden_values_have_two_digits_and_no_source(rows: list[Row]) -> None:
    """Tiers 1 and 0."""
    for row in of_window(rows, "0"):
        assert not (row["conversion_value"] and row["coarse_conversion_value"])
        if not row["conversion_value"]:
            assert len(row["source_identifier"]) == 2
            assert not row["source_app_id"] + row["source_domain"] + row["country_code"]


def test_a_country_is_there_only_beside_a_source(rows: list[Row]) -> None:
    """Tier 3. AdAttributionKit has no field for a website."""
    for row in of_window(rows, "0"):
        if row["country_code"] and row["framework"] == "SKAdNetwork":
            assert row["source_app_id"] or row["source_domain"]


def test_ads_that_did_not_win_have_no_value_and_no_source(rows: list[Row]) -> None:
    lost = [row for row in rows if row["did_win"] == "false"]
    assert lost
    for row in lost:
        assert row["postback_sequence_index"] in ("", "0")
        assert not row["conversion_value"] + row["coarse_conversion_value"]
        assert not row["source_app_id"] + row["source_domain"]


def test_version_3_has_one_postback_with_a_fine_value_or_none(rows: list[Row]) -> None:
    for row in rows:
        if row["version"] == "3.0":
            assert row["campaign_id"]
            assert row["postback_sequence_index"] in ("", "0")
            assert not row["coarse_conversion_value"] + row["source_identifier"] + row["source_domain"]


def test_an_install_has_no_window_twice(rows: list[Row]) -> None:
    """A transaction id may be that of one postback, or of all three of an install."""
    windows: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        windows[row["ad_network_id"], row["transaction_id"]][row["postback_sequence_index"]] += 1
    assert max(count for counts in windows.values() for count in counts.values()) == 1


def test_later_windows_are_rarer_than_those_before(rows: list[Row]) -> None:
    """Only who updates a coarse value in a window has a postback of it."""
    counts = [len(of_window(rows, window)) for window in ("0", "1", "2")]
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize(("family", "share"), [("none", 0.05), ("redownloads", 0.25)])
def test_a_share_of_the_installs_is_redownloads(tmp_path: Path, family: str, share: float) -> None:
    worlds.world(tmp_path, family, 1000, 8000, 70)
    with (tmp_path / "brought.tsv").open(newline="") as file:
        brought = list(csv.DictReader(file, delimiter="\t"))
    assert sum(row["redownload"] == "1" for row in brought) / len(brought) == pytest.approx(share, abs=0.02)


def test_costs_of_days_are_proportional_to_their_installs(tmp_path: Path) -> None:
    """In the first world that has dated costs."""
    for seed in range(1000, 1010):
        worlds.world(tmp_path, "none", seed, 8000, 70)
        with (tmp_path / "campaigns.csv").open(newline="") as file:
            costs = [row for row in csv.DictReader(file) if row["cost"]]
        if costs[0]["date"]:
            break
        (tmp_path / "world.db").unlink()
    with (tmp_path / "brought.tsv").open(newline="") as file:
        brought = list(csv.DictReader(file, delimiter="\t"))
    installs = Counter((row["network"], row["campaign"], row["day"]) for row in brought)
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in costs:
        count = installs.pop((row["network"], row["identifier"], row["date"]))
        spent[row["network"], row["identifier"]].append(float(row["cost"]) / count)
    assert not installs
    assert all(max(prices) < 10 * min(prices) for prices in spent.values())
