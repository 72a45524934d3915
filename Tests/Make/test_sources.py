"""What .ci/sources.py finds in sources that break the order."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / ".ci"))

import sources


def modules(needs: dict[str, str]) -> list[sources.Module]:
    """The folders that NEVER names, and the program, with what the modules in them need."""
    folders = {folder for pair in sources.NEVER for folder in pair if folder} | {"Command/Program", "Other"}
    return [sources.Module(folder, folder, needs.get(folder, "").split()) for folder in sorted(folders)]


def test_modules_that_need_nothing_have_no_fault(tmp_path: Path) -> None:
    assert sources.forbidden(modules({}), tmp_path) == []


@pytest.mark.parametrize(
    ("user", "used"),
    [
        ("Command/Outbox", "Command/Report"),
        ("Command/Server", "Command/Report"),
        ("Truth", "Command/Outbox"),
        ("Core/Rules", "Core/Engine"),
        ("Other", "Command/skan"),
        ("../Tests/Truth/Device", "Truth"),
    ],
)
def test_a_module_that_needs_what_it_must_never_use_is_named(tmp_path: Path, user: str, used: str) -> None:
    for needs in [{user: used}, {user: "Stores", "Stores": used}]:
        rows = [*modules(needs), sources.Module("Stores", "Stores", needs.get("Stores", "").split())]
        assert any(fault.startswith(f"{user} is built on {used},") for fault in sources.forbidden(rows, tmp_path))


def test_an_import_counts_as_a_need(tmp_path: Path) -> None:
    rows = [*modules({}), sources.Module("SKANCommandRows", "Command/Rows", [])]
    folder = tmp_path / "Sources" / "Truth"
    folder.mkdir(parents=True)
    (folder / "Rows.swift").write_text("internal import SKANCore\npackage import SKANCommandRows\n")
    faults = sources.forbidden(rows, tmp_path)
    assert faults == ["Truth is built on SKANCommandRows, which Truth must never be"]


def test_who_has_a_program_has_none_of_its_code(tmp_path: Path) -> None:
    assert sources.forbidden(modules({"Command/Program": "Command/skan", "Other": "Command/Program"}), tmp_path) == []


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    rows = [row for row in modules({}) if row.folder != "Command/Outbox"]
    assert sources.forbidden(rows, tmp_path) == ["NEVER: no module is in Command/Outbox"]


def test_folders_that_use_each_other_are_a_circle() -> None:
    one, other = Path("A/One.swift"), Path("B/Other.swift")
    third = Path("A/Third.swift")
    code = {one: "struct One { let b: Other }", other: "struct Other { let c: Third }", third: "struct Third {}"}
    edges = sources.uses(code)
    assert sources.circles(edges) == []
    assert [set(way) for way in sources.circles(sources.folder_uses(edges))] == [{Path("A"), Path("B")}]
