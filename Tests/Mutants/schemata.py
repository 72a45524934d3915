"""A copy of the tree in which every mutant is compiled once: a number in the environment says which of them runs."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import places
from areas import Area

SOURCES = Path("Sources")
# What a build reads.
COPIED = ("Package.swift", "Makefile", ".ci", "Sources", "Include", "Bindings", "Tests")
ENVIRONMENT = "SKAN_MUTANT"
LEFT_OUT = "does not compile"

# One in each module. The number is read when it is asked for first.
SWITCH = f"""
internal import Glibc

private let chosen = getenv("{ENVIRONMENT}").map {{ atoi($0) }} ?? 0

func mutant(_ number: Int32) -> Bool {{ chosen == number }}
"""

# Only what the areas' tests and programs are built on.
CUT_PACKAGE = """
do {
    var kept: Set = [%s]
    for _ in package.targets {
        for target in package.targets where kept.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll()
}
"""


Identity = tuple[str, str, str, str, int]


@dataclass
class Mutant:
    """File, text of the line, change and, where a file has that several times, the turn tell it from all others."""

    file: str
    line: int
    kind: str
    text: str
    was: str
    became: str
    turn: int
    area: str
    outcome: str = ""

    @property
    def identity(self) -> Identity:
        return self.file, self.text, self.was, self.became, self.turn

    def told(self) -> str:
        return f"{self.file}:{self.line}: {self.was} → {self.became or 'dropped'}"

    def entry(self) -> dict[str, str | int]:
        return asdict(self)


Drawn = dict[str, list[tuple[places.Place, Mutant]]]


def plain(text: str) -> str:
    return " ".join(text.split())


def draw(tree: Path, areas: list[Area], seed: int, told: list[dict[str, str | int]]) -> Drawn:
    """The mutants of each file: those that are told of it, and those that are drawn."""
    call = tree / SOURCES / "Core/Rules/Base/Status.swift"
    statuses = re.findall(r"static var (\w+): Status\b", call.read_text())
    drawn: Drawn = {}
    for area in areas:
        of_area = bounded(drawn_of(tree, area, statuses, seed), area.most, seed)
        add_told(tree, area, told, of_area)
        drawn |= of_area
    return drawn


def drawn_of(tree: Path, area: Area, statuses: list[str], seed: int) -> Drawn:
    drawn: Drawn = {}
    for path in sorted(path for folder in area.modules for path in (tree / SOURCES / folder).rglob("*.swift")):
        name = str(path.relative_to(tree / SOURCES))
        text = path.read_text()
        turns: dict[tuple[str, str, str], int] = defaultdict(int)
        drawn[name] = []
        for place in places.chosen(name.removeprefix("Core/"), text, statuses, seed, area.lines):
            change = (whole_lines(text, place), plain(place.was), plain(place.became))
            turns[change] += 1
            line = text.count("\n", 0, place.start) + 1
            drawn[name].append((place, Mutant(name, line, place.kind, *change, turns[change], area.name)))
    return drawn


def bounded(drawn: Drawn, most: int, seed: int) -> Drawn:
    """At most so many, drawn by their lines: a change in one file leaves those of the others as they were."""
    identities = [mutant.identity for mutants in drawn.values() for _, mutant in mutants]
    kept = set(sorted(identities, key=lambda identity: random.Random(f"{seed} {identity}").random())[: most or None])
    return {
        name: [(place, mutant) for place, mutant in mutants if mutant.identity in kept]
        for name, mutants in drawn.items()
    }


def add_told(tree: Path, area: Area, told: list[dict[str, str | int]], drawn: Drawn) -> None:
    """Changes that once made no test fail, in an area. One whose line is no longer there is an error."""
    for entry in told:
        name, was, became, turn = str(entry["file"]), str(entry["was"]), str(entry["became"]), int(entry.get("turn", 1))
        if not area.has(name):
            continue
        path = tree / name if area.is_copied else tree / SOURCES / name
        text = path.read_text() if path.exists() else ""
        starts = [
            found.start() + found[0].index(was)
            for found in re.finditer(rf"^[^\n]*{re.escape(str(entry['text']))}[^\n]*$", text, re.MULTILINE)
            if was in found[0]
        ]
        if len(starts) < turn:
            raise SystemExit(f"{name} has no line {entry['text']!r} any more: look for its place, or take it from told.json")
        place = places.Place(starts[turn - 1], starts[turn - 1] + len(was), "told", "statement" in entry, was, became)
        line = text.count("\n", 0, place.start) + 1
        change = (whole_lines(text, place), plain(was), plain(became))
        drawn[name] = [pair for pair in drawn.get(name, []) if pair[0].end <= place.start or place.end <= pair[0].start]
        drawn[name].append((place, Mutant(name, line, "told", *change, turn, area.name)))


def whole_lines(text: str, place: places.Place) -> str:
    end = text.find("\n", place.end)
    return plain(text[text.rfind("\n", 0, place.start) + 1 : end])


def rewritten(text: str, mutants: list[tuple[int, places.Place]]) -> str:
    """Each line stays where it is, so that the compiler's words can be told."""
    for number, place in sorted(mutants, key=lambda pair: -pair[1].start):
        was, became = text[place.start : place.end], plain(place.became)
        if not place.is_statement:
            schema = f"(mutant({number}) ? {became} : {was})"
        elif became:
            schema = f"if mutant({number}) {{ {became} }} else {{ {was} }}"
        else:
            schema = f"if !mutant({number}) {{ {was} }}"
        text = text[: place.start] + schema + text[place.end :]
    return text


class Copy:
    """The copy and what is built of it."""

    def __init__(self, tree: Path, copy: Path, areas: list[Area], swift: str) -> None:
        self.tree, self.copy, self.areas, self.swift = tree, copy, areas, swift
        self.folders = [folder for area in areas for folder in area.modules]

    def begin(self) -> None:
        """Makes the copy that of the tree. What is the same stays as it is, so that it is not built again."""
        files = {name: (self.tree / name).read_bytes() for name in self.names(self.tree)}
        kept = sorted({name for area in self.areas for name in (*area.modules.values(), *area.tests, *area.roots)})
        files["Package.swift"] += (CUT_PACKAGE % ", ".join(f'"{name}"' for name in kept)).encode()
        changed = tuple(f"{SOURCES / folder}/" for folder in self.folders)
        # Areas may have folders of one module, one in the other.
        outermost = [folder for folder in changed if not folder.startswith(tuple(set(changed) - {folder}))]
        files |= {f"{folder}Mutant.swift": SWITCH.encode() for folder in outermost}
        for name in set(self.names(self.copy)) - set(files):
            (self.copy / name).unlink()
        for name, content in files.items():
            if not (name.endswith(".swift") and name.startswith(changed)) or name.endswith("Mutant.swift"):
                put(self.copy / name, content, (self.tree / name).stat().st_mode if (self.tree / name).exists() else 0)

    def names(self, root: Path) -> list[str]:
        paths = [path for name in COPIED for path in [root / name, *(root / name).rglob("*")]]
        return [str(path.relative_to(root)) for path in paths if path.is_file() and "__pycache__" not in path.parts]

    def write(self, drawn: Drawn, numbers: dict[Identity, int]) -> None:
        for folder in self.folders:
            for path in sorted((self.tree / SOURCES / folder).rglob("*.swift")):
                name = str(path.relative_to(self.tree / SOURCES))
                pairs = drawn.get(name, [])
                kept = [(numbers[mutant.identity], place) for place, mutant in pairs if mutant.outcome != LEFT_OUT]
                put(self.copy / SOURCES / name, rewritten(path.read_text(), kept).encode())

    def run(self, *command: str) -> str | None:
        """What a command says that fails, nil of one that does not."""
        ended = subprocess.run(
            command, check=False, cwd=self.copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return ended.stdout if ended.returncode != 0 else None

    def swift_build(self, *arguments: str) -> str | None:
        """In the place and with the flags that libraries.mk has for the kind `mutant`, whose programs make links."""
        flags = ("-c", "release", "-Xswiftc", "-enable-testing", "--scratch-path", ".build/mutant")
        return self.run(self.swift, "build", *flags, *arguments)

    def build(self, drawn: Drawn, numbers: dict[Identity, int]) -> Path | None:
        """Leaves out what does not compile, until all else does, and builds the tests. Another run begins with that."""
        left = self.copy.parent / "left_out.json"
        forget(drawn, left)
        for module in [module for area in self.areas for module in area.modules.values()]:
            while True:
                self.write(drawn, numbers)
                said = self.swift_build("--target", module)
                if said is None:
                    break
                if not leave_out(said, drawn):
                    raise SystemExit(said)
                remember(drawn, left)
        tests = any(area.tests for area in self.areas)
        programs = sorted({f"build/mutant/{name}" for area in self.areas for name in area.programs()})
        said = (self.swift_build("--build-tests") if tests else None) or (self.run("make", *programs) if programs else None)
        if said is not None:
            raise SystemExit(said)
        return next((self.copy / ".build/mutant/release").glob("*PackageTests.xctest")) if tests else None


def put(path: Path, content: bytes, mode: int = 0) -> None:
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if mode:
        path.chmod(mode)


def leave_out(said: str, drawn: Drawn) -> bool:
    """What stands where the compiler found an error; where nothing does, the nearest before."""
    found = False
    for name, line in set(re.findall(rf"/{SOURCES}/(\S+?):(\d+):\d+: error:", said)):
        left = [mutant for _, mutant in drawn.get(name, []) if mutant.outcome != LEFT_OUT]
        hit = [m for place, m in drawn.get(name, []) if m in left and reaches(m, place, int(line))]
        if not hit:
            hit = [m for m in left if m.line <= int(line)][-1:]
        for mutant in hit:
            mutant.outcome = LEFT_OUT
            found = True
    return found


def remember(drawn: Drawn, path: Path) -> None:
    left = {m.identity for mutants in drawn.values() for _, m in mutants if m.outcome == LEFT_OUT}
    path.write_text(json.dumps(sorted(left | read_left_out(path))))


def read_left_out(path: Path) -> set[Identity]:
    return {tuple(identity) for identity in json.loads(path.read_text())} if path.exists() else set()


def forget(drawn: Drawn, path: Path) -> None:
    """What did not compile in a run before."""
    left = read_left_out(path)
    for mutants in drawn.values():
        for _, mutant in mutants:
            if mutant.identity in left:
                mutant.outcome = LEFT_OUT


def reaches(mutant: Mutant, place: places.Place, line: int) -> bool:
    return mutant.line <= line <= mutant.line + place.was.count("\n")
