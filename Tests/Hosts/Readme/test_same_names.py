"""The article "The same names" has every function of an engine, and each has the same name in all four languages, in
each one's own style. That the names exist is what test_names.py checks."""

from __future__ import annotations

import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
ARTICLE = TOP / "Sources" / "Articles" / "Names.md"
SECTIONS = dict(
    section.split("\n", 1) for section in re.split(r"^## ", ARTICLE.read_text(encoding="utf-8"), flags=re.M)[1:]
)
# Where a language has no choice: constructors, and C++'s keyword.
OTHERWISE = {("skan_create", "Engine"), ("skan_create", "skan::engine"), ("skan_register", "register_install")}
WORDS = {"json": "JSON", "id": "ID", "url": "URL"}


def rows(section: str) -> list[list[str]]:
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("|")][2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def camel(name: str) -> str:
    first, *later = name.split("_")
    return first + "".join(WORDS.get(word, word.capitalize()) for word in later)


def functions_of_an_engine() -> set[str]:
    found = {"skan_create"}
    for header in (TOP / "Include" / "skan").glob("*.h"):
        found |= set(re.findall(r"\b(skan_\w+)\(skan_engine \*engine, ", header.read_text(encoding="utf-8")))
    return found


def test_every_function_of_an_engine_is_there() -> None:
    named = [row[0] for row in rows("Calls of an engine")]
    assert len(named) > 15
    assert sorted(named) == sorted(functions_of_an_engine())


def test_calls_and_members_have_one_name() -> None:
    for section in ("Calls of an engine", "Members"):
        for c, cpp, python, swift in (row[:4] for row in rows(section)):
            name = python if c == "JSON" else c.removeprefix("skan_")
            for other, expected in ((cpp, name), (python, name), (swift, camel(name))):
                is_otherwise = (c, other) in OTHERWISE | {("name", "event_name"), ("lock_window", "locksWindow")}
                assert other == expected or is_otherwise, f"{c} is {other}, expected {expected}"


def test_types_have_one_name() -> None:
    others = {"skan_model", "skan_call", "skan_revenue"}  # ConversionModel, AppCall, RevenueItem
    for c, cpp, python, swift in (row[:4] for row in rows("Types")):
        name = cpp if c == "JSON" or c in others else c.removeprefix("skan_")
        assert cpp == name
        expected = "".join(word.capitalize() for word in name.split("_"))
        for other in (python, swift):
            assert other == expected or c in others or other.startswith(("arguments", "number or")), f"{c}: {other}"
    assert all(row[2] == row[3] for row in rows("Types") if row[0] in {"skan_model", "skan_call"})


def test_every_error_is_there() -> None:
    header = (TOP / "Include" / "skan" / "skan.h").read_text(encoding="utf-8")
    table = {c: (python, swift) for c, python, swift in rows("Errors")}
    assert set(table) == set(re.findall(r"^ +(SKAN_ERROR_\w+) = \d+", header, re.M))
    for c, (python, swift) in table.items():
        words = c.removeprefix("SKAN_ERROR_").lower()
        assert swift == camel(words)
        name = "".join(word.capitalize() for word in words.split("_"))
        assert python in {name, f"{name}Error"}
