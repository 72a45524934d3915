"""The order of the sources: sources.py [SOURCE TREE].

Names of files are unique in Sources, as SwiftPM's objects and everybody's searches want it. And the files of a Swift
module stand in an order: none uses a type or a function of a file that uses one of its own, also by way of others. So
do the folders of a module: what all files of one use counts as used by the folder. What modules must never be built on
stands in NEVER. No line has more than 120 columns: swift format cannot break comments and literals.
"""

import re
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

# Types at any depth, and functions outside of types; what is private to a file cannot be used by another.
DECLARATION = re.compile(
    r"^(?P<indent>[ ]*)(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?P<words>(?:(?:public|package|internal|private|fileprivate|final|indirect|open|nonisolated)\s+)*)"
    r"(?P<kind>struct|class|enum|protocol|actor|typealias|func)\s+(?P<name>\w+)",
    re.M,
)
# A type by its name, a function by its call; not what follows a dot, which is some value's own.
USE = re.compile(r"(?<![.\w])(\w+)(\()?")


def code(path: Path) -> str:
    """A file without its comments and texts."""
    text = re.sub(r'"""(?s:.*?)"""', '""', path.read_text())
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//.*", "", text)


def declared(text: str) -> tuple[set[str], set[str]]:
    """What other files may use, and what only this one may; a function's name ends with its bracket."""
    shared: set[str] = set()
    own: set[str] = set()
    for found in DECLARATION.finditer(text):
        name = found["name"] + ("(" if found["kind"] == "func" else "")
        is_shared = "private" not in found["words"] and not (found["kind"] == "func" and found["indent"])
        (shared if is_shared else own).add(name)
    return shared, own


def used(text: str) -> set[str]:
    """The names of types that a file may use, and of functions that it calls."""
    found = USE.findall(text)
    return {name for name, _ in found} | {name + bracket for name, bracket in found if bracket}


def uses(files: dict[Path, str]) -> dict[Path, dict[Path, str]]:
    """Which files each uses, and a name of each. One that several files declare says nothing."""
    owners: dict[str, set[Path]] = defaultdict(set)
    own: dict[Path, set[str]] = {}
    for path, text in files.items():
        shared, private = declared(text)
        own[path] = shared | private
        for name in shared:
            owners[name].add(path)
    found: dict[Path, dict[Path, str]] = {}
    for path, text in files.items():
        names = sorted(used(text) - own[path])
        found[path] = {next(iter(owners[name])): name for name in names if len(owners.get(name, ())) == 1}
    return found


# The modules of the first folder, and of folders in it, must never be built on those of the second, nor import them.
# Folders are those of Package.swift; "" is every one.
NEVER = [
    ("Command/Outbox", "Command/Report"),
    ("Command/Server", "Command/Report"),
    ("Truth", "Command"),
    ("Core/Rules", "Core/Engine"),
    ("", "Command/skan"),
    ("../Tests/Truth/Device", "Truth"),
    ("../Tests/Truth/Device", "Core/Engine"),
    ("../Tests/Truth/Device", "Command"),
]
# The programs that run the command; others have them, but none of its code.
PROGRAMS = {"Command/Program", "../Tests/Command/Faulty"}
MODULE = re.compile(r'module\(\s*"(\w+)",\s*"([^"]+)",\s*((?:"[^"]*"[\s+]*)+)')
IMPORT = re.compile(r"^(?:@testable )?(?:\w+ )?import (\w+)", re.M)


class Module(NamedTuple):
    """A row of Package.swift's table."""

    name: str
    folder: str
    needs: list[str]


def table(tree: Path) -> list[Module]:
    """The modules that have code of their own."""
    rows = MODULE.findall((tree / "Package.swift").read_text())
    return [Module(name, folder, re.sub(r'["+]', " ", needs).split()) for name, folder, needs in rows]


def built_on(modules: list[Module], tree: Path) -> dict[str, set[str]]:
    """What each module needs or imports, and what these do; a program's code is of no one that has the program."""
    direct = {module.name: set(module.needs) for module in modules}
    for module in modules:
        for path in (tree / "Sources" / module.folder).rglob("*.swift"):
            direct[module.name].update(set(IMPORT.findall(path.read_text())) & direct.keys())
    programs = {module.name for module in modules if module.folder in PROGRAMS}
    found: dict[str, set[str]] = {}

    def below(name: str) -> set[str]:
        if name not in found:
            found[name] = set()
            needs = direct.get(name, set())
            found[name] = needs.union(*(below(need) for need in needs if need not in programs))
        return found[name]

    return {module.name: below(module.name) for module in modules}


def is_in(folder: str, other: str) -> bool:
    """Whether a folder is another one, or in it."""
    return other == "" or folder == other or folder.startswith(other + "/")


def forbidden(modules: list[Module], tree: Path) -> list[str]:
    """What is built on what it must never be built on; and folders of NEVER that are no module's."""
    faults: list[str] = []
    below = built_on(modules, tree)
    for user, used in NEVER:
        for folder in (user, used):
            if not any(is_in(module.folder, folder) for module in modules):
                faults.append(f"NEVER: no module is in {folder}")
        for module in modules:
            if not is_in(module.folder, user) or is_in(module.folder, used) or module.folder in PROGRAMS:
                continue
            for other in modules:
                if is_in(other.folder, used) and other.name in below[module.name]:
                    faults.append(f"{module.name} is built on {other.name}, which {user or 'no module'} must never be")
    return faults


def folder_uses(edges: dict[Path, dict[Path, str]]) -> dict[Path, dict[Path, str]]:
    """Which folders each uses, and of each a file that uses it, and what."""
    found: dict[Path, dict[Path, str]] = {path.parent: {} for path in edges}
    for path, others in edges.items():
        for other, name in others.items():
            if other.parent != path.parent:
                found[path.parent].setdefault(other.parent, f"{name} (in {path.name})")
    return found


def circles(edges: dict[Path, dict[Path, str]]) -> list[list[Path]]:
    """A way back for each file that has one; each circle once."""
    found: list[list[Path]] = []
    told: set[Path] = set()
    for start in sorted(edges):
        ways = [[start]]
        seen: set[Path] = set()
        while ways and start not in told:
            way = ways.pop(0)
            for following in sorted(edges[way[-1]]):
                if following == start:
                    found.append([*way, start])
                    told.update(way)
                    ways.clear()
                    break
                if following not in seen:
                    seen.add(following)
                    ways.append([*way, following])
    return found


def long_lines(tree: Path) -> list[str]:
    """Lines of Sources with more columns than there may be."""
    files = [path for path in (tree / "Sources").rglob("*") if path.suffix in {".swift", ".c", ".h"}]
    return [
        f"{path}:{number}: {len(line)} columns"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 120
    ]


def main() -> int:
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    faults: list[str] = []
    names = Counter(path.name for path in (tree / "Sources").rglob("*") if path.suffix in {".swift", ".c", ".h", ".mk"})
    faults += [f"{name}: {count} files of Sources have this name" for name, count in names.items() if count > 1]
    faults += long_lines(tree)
    modules = table(tree)
    folders = [tree / "Sources" / module.folder for module in modules]
    folders = [folder for folder in folders if any(folder.rglob("*.swift"))]
    if len(folders) < 10:
        faults.append(f"Package.swift: found {len(folders)} modules, which cannot be all of them")
    faults += forbidden(modules, tree)
    for folder in folders:
        files = {path: code(path) for path in folder.rglob("*.swift")}
        edges = uses(files)
        for way in circles(edges):
            steps = [f"{user.name} uses {edges[user][other]} of {other.name}" for user, other in pairwise(way)]
            faults.append(f"{folder}: a circle: " + ", ".join(steps))
        between = folder_uses(edges)
        for way in circles(between):
            steps = [f"{user.name} uses {between[user][other]} of {other.name}" for user, other in pairwise(way)]
            faults.append(f"{folder}: a circle of folders: " + ", ".join(steps))
    for fault in sorted(faults):
        print(fault)
    print(f"sources: {len(folders)} modules, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
