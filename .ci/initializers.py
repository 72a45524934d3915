"""No class leaks when it cannot be made: initializers.py [SOURCE TREE].

Embedded Swift does not free the object of a class whose initializer throws or answers nil before all of its properties
are set. In modules that are compiled as Embedded Swift, such an initializer is therefore a `convenience init`: it does
what may fail first and hands the results to another one, which always succeeds.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

TYPE = re.compile(r"\b(class|struct|enum|protocol|actor|extension)\s+([\w.]+)[^{}()]*\{|[{}]|\binit\b")
INITIALIZER = re.compile(r"init(?P<fails>[?!]?)\s*(?:<[^>]*>)?\s*\(")


def code(path: Path) -> str:
    """A file without its comments and texts; each line stays where it is."""
    text = re.sub(r'"""(?s:.*?)"""', lambda found: "\n" * found[0].count("\n"), path.read_text())
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//.*", "", text)


def behind(text: str, start: int) -> int:
    """The place behind the bracket that closes the one at the start."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def failing(text: str) -> Iterator[tuple[int, str]]:
    """The line and class of each initializer that allocates an object and may fail afterwards."""
    types: list[str] = []
    for found in TYPE.finditer(text):
        if found[0] == "}":
            types = types[:-1]
        elif found[0].endswith("{"):
            types.append(found[2] if found[1] == "class" else "")
        elif types and types[-1] and (initializer := INITIALIZER.match(text, found.start())):
            words = text[text.rfind("\n", 0, found.start()) + 1 : found.start()].split()
            throws = re.match(r"\s*throws\b", text[behind(text, initializer.end() - 1) :])
            if "convenience" not in words and (throws or initializer["fails"]):
                yield text.count("\n", 0, found.start()) + 1, types[-1]


def main() -> int:
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    named = re.findall(r'module\(\s*"\w+",\s*"([^"]+)"', (tree / "Package.swift").read_text())
    # The storeys named Swift are plain Swift alone.
    files = {path for name in named if Path(name).name != "Swift" for path in (tree / "Sources" / name).rglob("*.swift")}
    faults = [
        f"{path}:{line}: an init of the class {name} may fail: make it a convenience init, or its object leaks"
        for path in sorted(files)
        if "Swift" not in path.relative_to(tree).parts
        for line, name in failing(code(path))
    ]
    for fault in faults:
        print(fault)
    print(f"initializers: {len(files)} files, {len(faults)} faults")
    return 1 if faults or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
