"""Are the rules proven? One change at a time is made to the sources, and the tests have to notice.

    mutants.py                      draws, builds and runs the mutants; ends with 1 if one survives that is not known
    mutants.py --area NAME ...      only those of these areas: core, models, exchange, pool, sqlite, redis, postgres,
                                    http, postbacks, server, outbox, receive, report, campaigns, page, estimates,
                                    records, classes, python, asyncio, cpp
    mutants.py --told               only those of told.json
    mutants.py --list               the mutants that would be tried
    mutants.py --again BEFORE       only those that survived in another run's result; with --whose PATTERN, those
                                    whose line there has it: a file, say, or the test that killed them
    mutants.py --compare BEFORE     of two results: what died before and survives now

An area has modules, and tests that have to notice what is changed there (areas.py). All mutants are compiled once, into
a copy of the tree (schemata.py); places of changes are drawn by a seed (places.py), the same ones of the same sources,
and told.json has changes that no test had noticed once, or that are a defect of before. What kills, the fastest first:
tests in Swift, programs in C, and the command's tests in Python, each built of the copy. An endless loop is noticed by
its time. Mutants of the bindings, and of classes as Embedded Swift has them, stand in a copy one at a time
(bindings.py).

A survivor has to get its test, or a line in equivalents.json that says why no test can tell it from the original.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

import areas
import bindings
import schemata
from running import SURVIVED, Tests
from schemata import Drawn, Mutant

FOLDER = Path(__file__).resolve().parent
TREE = FOLDER.parents[1]
EQUIVALENTS = FOLDER / "equivalents.json"
TOLD = FOLDER / "told.json"


def all_of(drawn: Drawn) -> list[Mutant]:
    return [mutant for mutants in drawn.values() for _, mutant in mutants]


def read(path: Path) -> list[Mutant]:
    return [Mutant(**entry) for entry in json.loads(path.read_text())["mutants"]]


def line(mutant: Mutant) -> str:
    return f"{mutant.outcome}: {mutant.told()}"


def known() -> dict[schemata.Identity, str]:
    """Mutants that no test can tell from the original, each with the reason."""
    entries = json.loads(EQUIVALENTS.read_text())
    return {(e["file"], e["text"], e["was"], e["became"], e.get("turn", 1)): e["reason"] for e in entries}


def save(options: argparse.Namespace, mutants: list[Mutant]) -> None:
    result = {"seed": options.seed, "mutants": [mutant.entry() for mutant in mutants]}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def report(mutants: list[Mutant], started: float) -> bool:
    """Survivors and totals. Whether all survivors are known."""
    equivalents = known()
    survivors = [mutant for mutant in mutants if mutant.outcome == SURVIVED]
    new = [mutant for mutant in survivors if mutant.identity not in equivalents]
    for mutant in new:
        print(f"survives: {mutant.told()}")
    names = {mutant.identity: mutant for mutant in mutants}
    for identity in equivalents:
        if identity in names and names[identity].outcome != SURVIVED:
            print(f"known as an equivalent, but {names[identity].outcome}: {names[identity].told()}")
    for what in ("kind", "area"):
        counts = Counter(getattr(mutant, what) for mutant in mutants)
        print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    print(
        f"{len(mutants)} mutants in {len({mutant.file for mutant in mutants})} files: "
        f"{len(mutants) - len(survivors)} killed, {len(survivors) - len(new)} equivalent, {len(new)} survive; "
        f"{(time.monotonic() - started) / 60:.0f} minutes"
    )
    return not new


def drawn(options: argparse.Namespace) -> Drawn:
    compiled, of_bindings = apart(areas.named(options.area))
    told = json.loads(TOLD.read_text())
    for entry in told:
        if not any(area.has(entry["file"]) for area in areas.AREAS):
            raise SystemExit(f"{entry['file']}, which told.json changes, is in no area")
    found = schemata.draw(TREE, compiled, options.seed, told) | bindings.draw(TREE, of_bindings, options.seed, told)
    if not options.told:
        return found
    return {name: [pair for pair in pairs if pair[1].kind == "told"] for name, pairs in found.items()}


def apart(chosen: list[areas.Area]) -> tuple[list[areas.Area], list[areas.Area]]:
    """Those whose mutants are compiled together, and those that have one at a time, in a copy."""
    return [area for area in chosen if not area.is_copied], [area for area in chosen if area.is_copied]


def run(options: argparse.Namespace) -> bool:
    started = time.monotonic()
    drawn_mutants = drawn(options)
    numbers = {mutant.identity: number for number, mutant in enumerate(all_of(drawn_mutants), 1)}
    chosen = areas.named(options.area)
    compiled, of_bindings = apart(chosen)
    runners: dict[bool, Tests] = {}
    if compiled:
        copy = schemata.Copy(TREE, options.folder / "tree", compiled, options.swift)
        copy.begin()
        runners[False] = Tests(TREE, copy.copy, copy.build(drawn_mutants, numbers))
    if of_bindings:
        runners[True] = one = bindings.Bindings(TREE, options.folder / "bindings", drawn_mutants, numbers)
        one.begin(of_bindings)
    mutants = [mutant for mutant in all_of(drawn_mutants) if not mutant.outcome]
    print(f"{len(mutants)} mutants; {len(numbers) - len(mutants)} more do not compile", flush=True)
    if options.again:
        again = {mutant.identity for mutant in read(options.again) if re.search(options.whose, line(mutant))}
        mutants = [mutant for mutant in mutants if mutant.identity in again]
    for area in chosen:
        of_area = [mutant for mutant in mutants if mutant.area == area.name]
        tests = runners[area.is_copied]
        for mutant in of_area:
            mutant.outcome = tests.kill(numbers[mutant.identity], area)
            print(line(mutant), flush=True)
            save(options, mutants)
    return report([mutant for mutant in mutants if mutant.outcome != schemata.LEFT_OUT], started)


def compare(before: list[Mutant], after: list[Mutant]) -> bool:
    """Whether nothing survives that died."""
    died = {mutant.identity for mutant in before if mutant.outcome != SURVIVED}
    lost = [mutant for mutant in after if mutant.outcome == SURVIVED and mutant.identity in died]
    for mutant in lost:
        print(f"died before, survives now: {mutant.told()}")
    both = {mutant.identity for mutant in before} & {mutant.identity for mutant in after}
    for name, mutants in (("before", before), ("after", after)):
        survived = sum(mutant.outcome == SURVIVED for mutant in mutants)
        print(f"{name}: {len(mutants)} mutants, {len(mutants) - survived} killed, {survived} survive")
    print(f"{len(both)} in both; {len(lost)} died before and survive now")
    return not lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--swift", default="swift")
    parser.add_argument("--area", nargs="+", choices=areas.NAMES, default=list(areas.NAMES), metavar="NAME")
    parser.add_argument("--folder", type=Path, default=TREE / "build/mutants", help="of the copy")
    parser.add_argument("--json", type=Path, default=TREE / "build/mutants.json")
    parser.add_argument("--told", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", type=Path, metavar="BEFORE")
    parser.add_argument("--whose", default=f"^{SURVIVED}", metavar="PATTERN")
    parser.add_argument("--compare", type=Path, metavar="BEFORE")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    if options.list:
        for mutant in all_of(drawn(options)):
            print(f"{mutant.area}: {mutant.told()}")
        return 0
    passed = compare(read(options.compare), read(options.json)) if options.compare else run(options)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
