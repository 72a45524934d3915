"""Comments name rules of Sources/Core/Rules.md, Rules, "Register" for instance: rules.py [SOURCE TREE].

Every name has to be one of its headings, and every rule has to be named in Sources, where who reads it finds its code.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

RULES = Path("Sources/Core/Rules.md")
PLACES = ("Sources", "Include", "Bindings", "Tests", "README.md", "Makefile", "Package.swift")
KINDS = {".swift", ".c", ".h", ".hpp", ".cpp", ".py", ".sh", ".md", ".mk", ".1", ".modulemap", ".pc", ".cmake"}
BUILT = {".build", "build", "__pycache__"}

HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(#([^)]*)\)")
# What begins the lines of a comment, so that a name may go on in the next one.
LEADER = re.compile(r"^[ \t]*(?:///?|\*(?!/)|#)", re.MULTILINE)
NAMES = re.compile(r'\bRules,\s+"[^"]*"(?:(?:,|\s+and)\s+"[^"]*")*')
NAME = re.compile(r'"([^"]*)"')
# The word, a comma and no name; and sections of the documents in which rules once stood, not spelled out here.
NAMELESS = re.compile(r'\bRules,(?!\s+"[^"]+")')
ELSEWHERE = re.compile("\\b(?:SP" + "EC|DES" + "IGN)\\b|\u00a7")


def files() -> Iterator[Path]:
    """What is written by hand, in the order of names."""
    for place in map(Path, PLACES):
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            is_text = path.suffix in KINDS or path.name == "Makefile"
            if is_text and path.is_file() and not BUILT.intersection(path.parts):
                yield path


def slug(heading: str) -> str:
    """The anchor that Markdown gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def faults() -> Iterator[str]:
    """What is wrong, with file and line."""
    text = RULES.read_text(encoding="utf-8")
    rules = {heading[1]: text.count("\n", 0, heading.start()) + 1 for heading in HEADING.finditer(text)}
    if not rules:
        yield f"{RULES}:1: has no rules"
    anchors = {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    for heading in HEADING.finditer(text):
        line = text.count("\n", 0, heading.start()) + 1
        if rules[heading[1]] != line:
            yield f'{RULES}:{line}: "{heading[1]}" stands twice'
    for link in LINK.finditer(text):
        if link[1] not in anchors:
            yield f"{RULES}:{text.count(chr(10), 0, link.start()) + 1}: no heading has the anchor #{link[1]}"

    named = set()
    for path in files():
        text = path.read_text(encoding="utf-8")
        text = LEADER.sub(lambda leader: " " * len(leader[0]), text)

        def at(position: int, path: Path = path, text: str = text) -> str:
            return f"{path}:{text.count(chr(10), 0, position) + 1}"

        for word in ELSEWHERE.finditer(text):
            yield f"{at(word.start())}: {word[0]} is not in this tree: name a rule of {RULES}"
        for word in NAMELESS.finditer(text):
            yield f"{at(word.start())}: expected the name of a rule in quotes"
        for names in NAMES.finditer(text):
            for name in NAME.finditer(names[0]):
                rule = " ".join(name[1].split())
                if rule not in rules:
                    yield f'{at(names.start() + name.start())}: {RULES} has no rule "{rule}"'
                elif path.parts[0] == "Sources" and path != RULES:
                    named.add(rule)
    for rule, line in rules.items():
        if rule not in named:
            yield f'{RULES}:{line}: nothing in Sources names the rule "{rule}"'


def main() -> int:
    """1 where something is wrong."""
    found = list(faults())
    print("\n".join([*found, f"rules: {len(found)} faults"]))
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.chdir(sys.argv[1])
    sys.exit(main())
