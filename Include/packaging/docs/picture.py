"""Takes the picture of a report's first screen: picture.py PICTURE.

The report is of a simulated world, whose networks and campaigns are given names here. BUILD has the commands that play
the world and report on it.
"""

from __future__ import annotations

import base64
import csv
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(TOP / "Tests" / "Truth"), str(TOP / "Tests" / "Command" / "Report" / "Program")]

import worlds  # noqa: E402 - the path is set above
from browser import Browser  # noqa: E402

FAMILY, SEED, TARGET = "natural", 53, "60%@D35"
# The world's costs times this: a player of a world pays more than most.
COSTS = 5
WIDTH, HEIGHT = 1280, 860
CAMPAIGNS = ["US lookalike", "Europe broad", "Rewarded video", "Playables", "Brand search", "Payers worldwide"]
NETWORKS = ["Harbour Ads", "Northlight", "Mosaic"]


def name_campaigns(path: Path) -> None:
    """Gives the campaigns and networks of a world names, in their order."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    campaigns = dict(zip(dict.fromkeys(row["campaign"] for row in rows), CAMPAIGNS))
    networks = dict(zip(sorted({row["network"] for row in rows}), NETWORKS))
    for row in rows:
        row["campaign"] = campaigns[row["campaign"]]
        row["cost"] = row["cost"] and f"{COSTS * float(row['cost']):.2f}"
        row["network_name"] = networks[row["network"]]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def report(folder: Path) -> Path:
    """The page of a report on a world that is played into the folder."""
    words = worlds.world(folder, FAMILY, SEED)
    name_campaigns(folder / "campaigns.csv")
    page = folder / "report.html"
    page.write_bytes(subprocess.run([*words, "--html", "--target", TARGET], stdout=subprocess.PIPE, check=True).stdout)
    return page


def main() -> None:
    """Plays, reports, and takes the picture."""
    picture = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        browser = Browser()
        try:
            browser.look(WIDTH, "light")
            browser.call(
                "Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False
            )
            browser.open(report(Path()).resolve().as_uri())
            taken = browser.call("Page.captureScreenshot", format="png")["data"]
        finally:
            browser.close()
    picture.write_bytes(base64.b64decode(taken))


if __name__ == "__main__":
    main()
