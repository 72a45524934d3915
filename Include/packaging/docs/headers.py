"""Writes a page for each header, with its declarations in the header's own order and under its own headings.

    headers.py LANGUAGE XML FOLDER HEADER...    LANGUAGE is c or cpp; XML is Doxygen's folder

The pages only name what Breathe shows of Doxygen's XML.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from header_comments import documented

RULER = re.compile(r"^/\* -{8,} *(\S.*?\S) *\*/$", re.MULTILINE)
KINDS = {
    "class": "class",
    "struct": "struct",
    "function": "function",
    "enum": "enum",
    "define": "define",
    "typedef": "typedef",
    "variable": "variable",
}


class Declaration(NamedTuple):
    """What a header declares: the line, and the directive of Breathe that shows it."""

    line: int
    directive: str
    name: str


def text(element: ElementTree.Element | None) -> str:
    """All text below an element."""
    return "".join(element.itertext()) if element is not None else ""


def line_in(element: ElementTree.Element, header: str) -> int | None:
    """The line of an element's declaration if it is in the header."""
    location = element.find("location")
    if location is None:
        return None
    place = location.attrib
    is_there = place.get("declfile", place.get("file", "")).endswith("/" + header)
    return int(place.get("declline", place.get("line", "0"))) if is_there else None


def is_described(element: ElementTree.Element) -> bool:
    """Whether a comment describes it, or one of an enum's values."""
    parts = [element, *element.iter("enumvalue")]
    return any(text(part.find(kind)).strip() for part in parts for kind in ("briefdescription", "detaileddescription"))


def full_name(member: ElementTree.Element) -> str:
    """The name with its namespace, and the arguments where other functions have the name."""
    return text(member.find("qualifiedname")) or text(member.find("name"))


def declarations(compounds: list[ElementTree.Element], header: str) -> Iterator[Declaration]:
    """What a header declares, in no order; nothing that no comment describes."""
    seen: set[str] = set()
    types = {text(each.find("compoundname")) for each in compounds if each.get("kind") in ("class", "struct")}
    for compound in compounds:
        kind = compound.get("kind", "")
        line = line_in(compound, header)
        name = text(compound.find("compoundname"))
        is_inside = name.rpartition("::")[0] in types
        if name in types and line is not None and not is_inside and is_described(compound):
            yield Declaration(line, kind, name)
        if kind not in ("file", "namespace"):
            continue
        for member in compound.iter("memberdef"):
            line = line_in(member, header)
            if line is None or member.get("id", "") in seen or not is_described(member):
                continue
            seen.add(member.get("id", ""))
            yield Declaration(line, KINDS[member.get("kind", "")], full_name(member) + arguments(member, compounds))


def arguments(member: ElementTree.Element, compounds: list[ElementTree.Element]) -> str:
    """The arguments of a function whose name others have, too."""
    if member.get("kind") != "function":
        return ""
    name = full_name(member)
    same = {
        each.get("id")
        for compound in compounds
        if compound.get("kind") in ("file", "namespace")
        for each in compound.iter("memberdef")
        if full_name(each) == name
    }
    return "(" + ", ".join(text(each.find("type")) for each in member.iter("param")) + ")" if len(same) > 1 else ""


def page(language: str, header: Path, compounds: list[ElementTree.Element]) -> str:
    """The page of a header, in reStructuredText."""
    title = f"skan/{header.name}"
    lines = [
        title,
        "=" * len(title),
        "",
        f".. highlight:: {language}",
        "",
        f".. doxygenfile:: {header.name}",
        f"   :project: {language}",
        "   :sections: detaileddescription",
        "   :no-link:",
        "",
    ]
    source = documented(header.read_text(encoding="utf-8"), header.name)
    rulers = [(source.count("\n", 0, found.start()) + 1, found[1]) for found in RULER.finditer(source)]
    found = sorted(declarations(compounds, header.name))
    for (begin, heading), (end, _) in zip([(0, "Declarations"), *rulers], [*rulers, (sys.maxsize, "")]):
        part = [each for each in found if begin < each.line < end]
        if part:
            heading = heading[:1].upper() + heading[1:]
            lines += [heading, "-" * len(heading), ""]
        for each in part:
            lines += [f".. doxygen{each.directive}:: {each.name}", f"   :project: {language}"]
            lines += ["   :members:", ""] if each.directive in ("class", "struct") else [""]
    return "\n".join(lines)


def main() -> None:
    """Writes all pages."""
    language, xml, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    compounds = [
        compound
        for path in sorted(xml.glob("*.xml"))
        if path.name != "index.xml"
        for compound in ElementTree.parse(path).getroot().iter("compounddef")
    ]
    for header in map(Path, sys.argv[4:]):
        (folder / f"{header.stem}.rst").write_text(page(language, header, compounds), encoding="utf-8")


if __name__ == "__main__":
    main()
