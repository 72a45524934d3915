"""Mutants of the bindings and of classes: one at a time stands in a copy, and the tests' programs in C++ are built of
it."""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import places
import python_places
import schemata
from areas import Area, Step
from running import Tests
from schemata import Drawn, Identity, Mutant

BINDINGS = Path("Bindings")


def draw(tree: Path, areas: list[Area], seed: int, told: list[dict[str, str | int]]) -> Drawn:
    """The mutants of each file, drawn and told; those of a file that is in two areas are of the later one."""
    drawn: Drawn = {}
    for area in areas:
        of_area: Drawn = {}
        for path in sorted(path for name in area.modules for path in sources(tree / area.root / name)):
            name, text = str(path.relative_to(tree)), path.read_text()
            chosen = (python_places if path.suffix == ".py" else places).chosen(name, text, [], seed, area.lines)
            turns: dict[tuple[str, str, str], int] = defaultdict(int)
            of_area[name] = []
            for place in map(in_cpp, chosen) if path.suffix == ".hpp" else chosen:
                change = (schemata.whole_lines(text, place), schemata.plain(place.was), schemata.plain(place.became))
                turns[change] += 1
                line = text.count("\n", 0, place.start) + 1
                of_area[name].append((place, Mutant(name, line, place.kind, *change, turns[change], area.name)))
        of_area = schemata.bounded(of_area, area.most, seed)
        schemata.add_told(tree, area, told, of_area)
        drawn |= of_area
    return drawn


def sources(path: Path) -> list[Path]:
    return [path] if path.is_file() else [*path.rglob("*.py"), *path.rglob("*.hpp")]


def in_cpp(place: places.Place) -> places.Place:
    """A condition of C++ stands in parentheses, negated or not."""
    if place.kind != "condition":
        return place
    return places.Place(place.start, place.end, place.kind, False, place.was, f"(!{place.was})")


class Bindings(Tests):
    """Runs the tests of the tree on a copy of its bindings."""

    def __init__(self, tree: Path, folder: Path, drawn: Drawn, numbers: dict[Identity, int]) -> None:
        super().__init__(tree, tree, None)
        self.folder, self.bindings, self.programs = folder, folder / BINDINGS, folder / "programs"
        self.places = {
            numbers[mutant.identity]: (name, place) for name, pairs in drawn.items() for place, mutant in pairs
        }

    def begin(self, areas: list[Area]) -> None:
        """Makes the copy, and what no mutant changes."""
        shutil.rmtree(self.bindings, ignore_errors=True)
        shutil.copytree(self.tree / BINDINGS, self.bindings, ignore=shutil.ignore_patterns("__pycache__", "build"))
        shutil.copytree(self.tree / "Sources", self.folder / "Sources", dirs_exist_ok=True)
        shutil.copy(self.tree / "Package.swift", self.folder)
        libraries = self.bindings / "Python/libskan/_lib"
        libraries.mkdir()
        for library in (self.tree / "build/python").glob("*.so"):
            (libraries / library.name).symlink_to(library)
        made = [str(self.programs / target) for area in areas for target in area.targets]
        if (said := self.make("build/venv/libskan", *made)) is not None:
            raise SystemExit(said)

    def make(self, *targets: str) -> str | None:
        """What make says that fails; nil where it does not."""
        includes = f"-IInclude -I{self.bindings}/Cpp -ITests -ITests/Hosts/C"
        ended = subprocess.run(
            ["make", "-s", f"T={self.programs}", f"CHECK_INCLUDES={includes}", *targets],
            check=False, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return ended.stdout if ended.returncode != 0 else None

    def command(self, step: Step) -> list[str]:
        text = "\0".join(step.arguments).replace("PROGRAMS", str(self.programs)).replace("COPY", str(self.folder))
        arguments = text.split("\0")
        if step.kind == "program":
            return [str(self.programs / arguments[0]), *arguments[1:]]
        python = str(self.tree / "build/venv/bin/python")
        return [python, *(["-m", "pytest", "-x", "-q"] if step.kind == "pytest" else []), *arguments]

    def environment(self, number: int) -> dict[str, str]:
        """The copy's package comes before the one that is installed. What it compiles is not kept."""
        paths = [str(self.bindings / "Python"), "Tests/Hosts/Python", "Tests/Vectors/Reference"]
        return super().environment(number) | {
            "PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1", "SKAN_SERVERS": "",
        }  # fmt: skip

    def run(self, number: int, step: Step, seconds: float) -> str | None:
        """Runs a step on the copy, where the mutant stands for so long."""
        if number == 0:
            return self.made_and_run(number, step, seconds)
        name, place = self.places[number]
        path, text = self.bindings.parent / name, (self.tree / name).read_text()
        nothing = "pass" if path.suffix == ".py" else ";"
        became = place.became or (nothing if place.is_statement else "")
        path.write_text(text[: place.start] + became + text[place.end :])
        try:
            return self.made_and_run(number, step, seconds)
        finally:
            path.write_text(text)

    def made_and_run(self, number: int, step: Step, seconds: float) -> str | None:
        if step.kind == "program" and (said := self.make(str(self.programs / step.arguments[0]))) is not None:
            if number == 0:
                raise SystemExit(said)
            return schemata.LEFT_OUT
        return super().run(number, step, seconds)

    def kill(self, number: int, area: Area) -> str:
        ended = super().kill(number, area)
        return schemata.LEFT_OUT if ended.startswith(schemata.LEFT_OUT) else ended
