"""Judges what `skan report --installs` says of simulated worlds, family by family.

Seeds below 10 000 are for choosing a method, and for tests; those from 10 000 on judge it.
"""

from __future__ import annotations

import argparse
import csv
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import ratios
import scores
import statements
from bars import FULL
from findings import found_in
from reports import Line
from worlds import BROKEN, FAMILIES, Job, kept, world

FIRST_JUDGING_SEED = 10_000


def measure(folder: Path) -> int:
    """Says what a report of 1 000 000 installs and 300 000 postbacks costs; 1 where a second one differs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "world.db").unlink(missing_ok=True)
    words = [*world(folder, "none", 1, 1_000_000, 20), "--json"]
    reports = []
    for _ in range(2):
        run = subprocess.run(["/usr/bin/time", "-f", "%e s, %U s of processor, %M KB", *words],
                             stdout=subprocess.PIPE, check=True)
        reports.append(run.stdout)
    counted = json.loads(reports[0])["counted"]
    print(f"{counted}; both reports are {'the same' if reports[0] == reports[1] else 'different'}")
    return int(reports[0] != reports[1])


def write(found: list[Line], path: Path) -> None:
    with path.open("w", newline="") as file:
        rows = csv.writer(file, delimiter="\t")
        rows.writerow(Line._fields)
        rows.writerows(found)


def main() -> int:
    """1 where a family does not hold what it has to."""
    options = argparse.ArgumentParser()
    options.add_argument("--families", default=",".join(FAMILIES), help="names with commas between them")
    options.add_argument("--worlds", type=int, default=100, help="worlds of each family that is judged")
    options.add_argument("--broken", type=int, default=20, help="worlds of each family that breaks an assumption")
    options.add_argument("--first", type=int, default=FIRST_JUDGING_SEED, help="the first seed")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--keep", type=Path, help="a folder in which worlds are kept, and used again")
    options.add_argument("--only-play", action="store_true", help="with --keep: no report is made")
    options.add_argument("--lines", type=Path, help="a file for what was said of each line, separated by tabs")
    options.add_argument("--measure", type=Path, help="a folder for a large world, whose report is timed")
    asked = options.parse_args()
    if asked.measure:
        return measure(asked.measure)
    counts = {family: asked.broken if family in BROKEN else asked.worlds for family in asked.families.split(",")}
    if unknown := counts.keys() - set(FAMILIES):
        options.error(f"no such families: {', '.join(sorted(unknown))}")
    jobs = [Job(family, asked.first + place, (), asked.keep)
            for place in range(max(counts.values())) for family, count in counts.items() if place < count]
    if asked.only_play:
        with multiprocessing.Pool(asked.jobs) as pool:
            pool.map(kept, jobs)
        return 0
    found = found_in(jobs, asked.jobs)
    if asked.lines:
        write(found.lines, asked.lines)
    faults = FULL.faults(found) + FULL.unnoticed(found)
    tables = [*scores.told(found.lines), *ratios.told(found.ratios), *statements.told(found.statements)]
    print("\n".join([*tables, *faults, f"truth: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
