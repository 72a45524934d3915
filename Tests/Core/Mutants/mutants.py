"""Are the rules proven? One change at a time is made to SKANCore and SKANEngine, and the tests have to notice.

    mutants.py                      draws, builds and runs the mutants; ends with 1 if one survives that is not known
    mutants.py --list               the mutants that would be tried
    mutants.py --again BEFORE       only those that survived in another run's result; with --whose PATTERN, those
                                    whose line there has it: a file, say, or the test that killed them
    mutants.py --compare BEFORE     of two results: what died before and survives now

All mutants are compiled once, into a copy of the tree (schemata.py); places of changes are drawn by a seed (places.py),
the same ones of the same sources. What kills: the Swift tests of the core (its rules and the engine, with its stores
that fail), and the vectors of lives and models by the Swift runner. An endless loop is noticed by its time.

A survivor has to get its test, or a line in equivalents.json that says why no test can tell it from the original.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import schemata
from schemata import Drawn, Mutant

FOLDER = Path(__file__).resolve().parent
TREE = FOLDER.parents[2]
EQUIVALENTS = FOLDER / "equivalents.json"
# What kills, in this order: the core's tests but for the few that take nearly all of their time, the vectors with the
# stores that fail, and those few.
CORE = r"^SKANCoreTests\."
SLOW = (
    "aSequenceIsAsLongAsTheTableSays|everySequenceOfFourEndsCountsOnce|everyDoubleIsReadAsItsDescription|"
    "aRecordIsReadAsItWasWritten|anyDigitsAtAnyPlaceAreReadAsTheirDescription"
)
STEPS = {
    "the core": ["--filter", CORE, "--skip", SLOW],
    "the vectors": ["--filter", "VectorsTests|StoreFaultTests"],
    "the core's slow tests": ["--filter", SLOW],
}
FAILED = re.compile(r"✘\S* (?:Test |Suite )?(\w+)")
# A table that grows without need is not to take the machine's memory.
MEMORY = 6 << 30
SURVIVED = "survived"


class Tests:
    """The built tests, step by step."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.limits: dict[str, float] = {}

    def measure(self) -> None:
        """Without a mutant all have to pass; with one they get five times as much of a processor, and a bit."""
        for step in STEPS:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if (ended := self.run(0, step, 3600)) is not None:
                raise SystemExit(f"without a mutant: {ended} in {step}")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            self.limits[step] = 5 * seconds + 5
            print(f"{step}: {seconds:.1f} s of a processor", flush=True)

    def kill(self, number: int) -> str:
        for step in STEPS:
            if (ended := self.run(number, step, self.limits[step])) is not None:
                return f"{ended} in {step}"
        return SURVIVED

    def run(self, number: int, step: str, seconds: float) -> str | None:
        """How the tests noticed; nil where they did not. The first failure is enough."""
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", **{schemata.ENVIRONMENT: str(number)})
        process = subprocess.Popen(
            [self.program, "--testing-library", "swift-testing", *STEPS[step]],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        # What waits for ever uses no processor.
        waited = threading.Timer(60 + 20 * seconds, process.kill)
        waited.start()
        assert process.stdout is not None
        failed, count = None, 0
        for line in process.stdout:
            failed = FAILED.search(line)
            count += "Test run with" in line
            if failed:
                process.kill()
                break
        status = process.wait()
        waited.cancel()
        if failed:
            return f"failed {failed[1]}"
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "endless"
        if status != 0:
            return f"crashed ({-status})"
        return None if count > 0 else "no test"


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


def save(path: Path, options: argparse.Namespace, mutants: list[Mutant]) -> None:
    result = {"seed": options.seed, "mutants": [mutant.entry() for mutant in mutants]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


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
    kinds = Counter(mutant.kind for mutant in mutants)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    print(
        f"{len(mutants)} mutants in {len({mutant.file for mutant in mutants})} files: "
        f"{len(mutants) - len(survivors)} killed, {len(survivors) - len(new)} equivalent, {len(new)} survive; "
        f"{(time.monotonic() - started) / 60:.0f} minutes"
    )
    return not new


def run(options: argparse.Namespace) -> bool:
    started = time.monotonic()
    drawn = schemata.draw(TREE, options.seed)
    numbers = {mutant.identity: number for number, mutant in enumerate(all_of(drawn), 1)}
    copy = schemata.Copy(TREE, options.folder / "tree", options.targets, options.swift)
    copy.begin()
    tests = Tests(copy.build(drawn, numbers))
    mutants = [mutant for mutant in all_of(drawn) if not mutant.outcome]
    print(f"{len(mutants)} mutants; {len(numbers) - len(mutants)} more do not compile", flush=True)
    if options.again:
        again = {mutant.identity for mutant in read(options.again) if re.search(options.whose, line(mutant))}
        mutants = [mutant for mutant in mutants if mutant.identity in again]
    tests.measure()
    for mutant in mutants:
        mutant.outcome = tests.kill(numbers[mutant.identity])
        print(line(mutant), flush=True)
        save(options.json, options, mutants)
    return report(mutants, started)


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
    parser.add_argument("--folder", type=Path, default=TREE / "build/mutants", help="of the copy")
    parser.add_argument("--json", type=Path, default=TREE / "build/mutants.json")
    parser.add_argument("--targets", nargs="+", default=["SKANCoreTests", "SKANTests"], help="of tests, to be built")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", type=Path, metavar="BEFORE")
    parser.add_argument("--whose", default=f"^{SURVIVED}", metavar="PATTERN")
    parser.add_argument("--compare", type=Path, metavar="BEFORE")
    options = parser.parse_args()
    if options.list:
        for mutant in all_of(schemata.draw(TREE, options.seed)):
            print(mutant.told())
        return 0
    passed = compare(read(options.compare), read(options.json)) if options.compare else run(options)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
