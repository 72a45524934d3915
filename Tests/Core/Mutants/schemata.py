"""A copy of the tree in which every mutant is compiled once: a number in the environment says which of them runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import places

CORE = Path("Sources/Core")
MODULES = ("Rules", "Engine")
# What a build reads.
COPIED = ("Package.swift", "Sources", "Include", "Tests")
ENVIRONMENT = "SKAN_MUTANT"
LEFT_OUT = "does not compile"

# One in each module. The number is read when it is asked for first.
SWITCH = f"""
import Glibc

private let chosen = getenv("{ENVIRONMENT}").map {{ atoi($0) }} ?? 0

func mutant(_ number: Int32) -> Bool {{ chosen == number }}
"""

# Only what the tests of the core are built on.
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


def draw(tree: Path, seed: int) -> Drawn:
    """The mutants of each file."""
    statuses = re.findall(r"static var (\w+): Status\b", (tree / CORE / "Rules/Call/Status.swift").read_text())
    drawn: Drawn = {}
    for path in sorted(path for module in MODULES for path in (tree / CORE / module).rglob("*.swift")):
        name = str(path.relative_to(tree / CORE))
        text = path.read_text()
        turns: dict[tuple[str, str, str], int] = defaultdict(int)
        drawn[name] = []
        for place in places.chosen(name, text, statuses, seed):
            change = (whole_lines(text, place), plain(place.was), plain(place.became))
            turns[change] += 1
            line = text.count("\n", 0, place.start) + 1
            mutant = Mutant(name, line, place.kind, *change, turn=turns[change])
            drawn[name].append((place, mutant))
    return drawn


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

    def __init__(self, tree: Path, copy: Path, targets: list[str], swift: str) -> None:
        self.tree, self.copy, self.targets, self.swift = tree, copy, targets, swift

    def begin(self) -> None:
        """Makes the copy that of the tree. What is the same stays as it is, so that it is not built again."""
        files = {name: (self.tree / name).read_bytes() for name in self.names(self.tree)}
        files["Package.swift"] += (CUT_PACKAGE % ", ".join(f'"{target}"' for target in self.targets)).encode()
        files |= {str(CORE / module / "Mutant.swift"): SWITCH.encode() for module in MODULES}
        for name in set(self.names(self.copy)) - set(files):
            (self.copy / name).unlink()
        for name, content in files.items():
            if not name.startswith(tuple(str(CORE / module) for module in MODULES)) or name.endswith("Mutant.swift"):
                put(self.copy / name, content)

    def names(self, root: Path) -> list[str]:
        paths = [path for name in COPIED for path in [root / name, *(root / name).rglob("*")]]
        return [str(path.relative_to(root)) for path in paths if path.is_file()]

    def write(self, drawn: Drawn, numbers: dict[Identity, int]) -> None:
        for name, mutants in drawn.items():
            kept = [(numbers[mutant.identity], place) for place, mutant in mutants if mutant.outcome != LEFT_OUT]
            text = rewritten((self.tree / CORE / name).read_text(), kept)
            put(self.copy / CORE / name, text.encode())

    def swift_build(self, *arguments: str) -> str | None:
        """What the compiler says of a build that fails, nil of one that does not."""
        command = [self.swift, "build", "-c", "release", "-Xswiftc", "-enable-testing", *arguments]
        ended = subprocess.run(
            command, check=False, cwd=self.copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return ended.stdout if ended.returncode != 0 else None

    def build(self, drawn: Drawn, numbers: dict[Identity, int]) -> Path:
        """Leaves out what does not compile, until all else does, and builds the tests. Another run begins with that."""
        left = self.copy.parent / "left_out.json"
        forget(drawn, left)
        while True:
            self.write(drawn, numbers)
            said = self.swift_build("--target", "SKANEngine")
            if said is None:
                break
            if not leave_out(said, drawn):
                raise SystemExit(said)
            remember(drawn, left)
        said = self.swift_build("--build-tests")
        if said is not None:
            raise SystemExit(said)
        return next((self.copy / ".build/release").glob("*PackageTests.xctest"))


def put(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def leave_out(said: str, drawn: Drawn) -> bool:
    """What stands where the compiler found an error; where nothing does, the nearest before."""
    found = False
    for name, line in set(re.findall(rf"{re.escape(os.sep + str(CORE) + os.sep)}(\S+?):(\d+):\d+: error:", said)):
        left = [mutant for _, mutant in drawn.get(name, []) if mutant.outcome != LEFT_OUT]
        hit = [m for place, m in drawn.get(name, []) if m in left and reaches(m, place, int(line))]
        if not hit:
            hit = [m for m in left if m.line <= int(line)][-1:]
        for mutant in hit:
            mutant.outcome = LEFT_OUT
            found = True
    return found


def remember(drawn: Drawn, path: Path) -> None:
    left = [m.identity for mutants in drawn.values() for _, m in mutants if m.outcome == LEFT_OUT]
    path.write_text(json.dumps(left))


def forget(drawn: Drawn, path: Path) -> None:
    """What did not compile in a run before."""
    left = {tuple(identity) for identity in json.loads(path.read_text())} if path.exists() else set()
    for mutants in drawn.values():
        for _, mutant in mutants:
            if mutant.identity in left:
                mutant.outcome = LEFT_OUT


def reaches(mutant: Mutant, place: places.Place, line: int) -> bool:
    return mutant.line <= line <= mutant.line + place.was.count("\n")
