"""What `make check CHANGED=…` runs of a change, as the folders say who judges what."""

import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
ALWAYS = {"check-format", "check-names"}
EVERYTHING = {"check-swift", "check-python", "check-command", "check-vectors", "check-sqlite", "check-http"}


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "-s", *arguments], cwd=TOP, capture_output=True, text=True, check=False)


def chosen(*files: str) -> tuple[set[str], set[str]]:
    """The parts, and the targets of Swift's tests, of a change in these files."""
    run = make("chosen", "CHANGED=1", f"CHANGED_FILES={' '.join(files)}")
    assert run.returncode == 0, run.stderr
    words = run.stdout.split()
    return {word for word in words if word.startswith("check-")}, {word for word in words if word.startswith("SKAN")}


@pytest.mark.parametrize(
    ("file", "parts", "swift_tests"),
    [
        ("Sources/Core/Rules/New.swift", {"check-swift", "check-c", "check-vectors"}, {"SKANCoreTests"}),
        ("Sources/Stores/SQLite/Library/New.swift", {"check-sqlite", "check-postback", "check-leaks-of-refusals"}, set()),
        ("Sources/Command/Receive/New.swift", {"check-swift", "check-outbox", "check-command"}, {"SKANCommandTests"}),
        ("Tests/Command/Report/Program/test_page.py", {"check-report"}, set()),
        ("Tests/Core/Rules/NewTests.swift", {"check-swift"}, {"SKANCoreTests"}),
        ("Tests/Vectors/traces.c", {"check-vectors"}, set()),
        ("Bindings/Cpp/skan/skan.hpp", {"check-cpp"}, set()),
        ("README.md", set(), set()),
    ],
)
def test_a_change_runs_what_judges_it(file: str, parts: set[str], swift_tests: set[str]) -> None:
    assert chosen(file) == (parts | ALWAYS, swift_tests)


def test_several_changes_run_what_judges_any_of_them() -> None:
    parts, _ = chosen("Bindings/Cpp/skan/skan.hpp", "Tests/Vectors/traces.c")
    assert parts == {"check-cpp", "check-vectors"} | ALWAYS


@pytest.mark.parametrize("file", ["Makefile", "Package.swift", "Include/skan/skan.h", "Tests/Command/tools.py", "New"])
def test_what_no_part_judges_runs_all(file: str) -> None:
    parts, swift_tests = chosen(file)
    assert EVERYTHING <= parts
    assert swift_tests == set()


def test_without_a_change_only_form_and_names_are_checked() -> None:
    assert chosen() == (ALWAYS, set())


def test_a_commit_that_git_does_not_know_is_refused() -> None:
    run = make("chosen", "CHANGED=no-such-commit")
    assert run.returncode != 0
    assert "CHANGED=no-such-commit: git knows no such commit" in run.stderr
