"""The package, its example and these tests are typed and clean."""

import os
import subprocess
import sys
from pathlib import Path

import libskan

ROOT = Path(__file__).resolve().parents[3]
BINDING = ROOT / "Bindings" / "Python"
TESTS = [
    ROOT / "Tests" / folder
    for folder in ("Hosts/Python", "Vectors", "Phone", "Trouble/HTTP", "Postbacks/Reference", "Bench/Python", "Demo")
]
CONFIGURATION = str(BINDING / "pyproject.toml")


def run(*arguments: str) -> None:
    """Runs a module of this Python; it has nothing to say."""
    environment = {**os.environ, "MYPYPATH": "Tests/Hosts/Python:Tests/Vectors/Reference"}
    ended = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=ROOT, check=False, env=environment
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def mypy(*paths: str, cache: Path) -> None:
    """Strictly."""
    run("mypy", "--strict", "--config-file", CONFIGURATION, "--cache-dir", str(cache), *paths)


def test_the_package_is_typed(tmp_path: Path) -> None:
    mypy(str(BINDING / "libskan"), cache=tmp_path)


def test_what_uses_the_installed_package_is_typed(tmp_path: Path) -> None:
    for folder in [*TESTS, BINDING / "Examples"]:
        mypy(*map(str, folder.glob("*.py")), cache=tmp_path)


def test_the_installed_package_says_that_it_is_typed() -> None:
    assert (Path(libskan.__file__).parent / "py.typed").is_file()


def test_ruff_finds_nothing() -> None:
    for command in (["check"], ["format", "--check"]):
        run("ruff", *command, "--no-cache", "--config", CONFIGURATION, str(BINDING), *map(str, TESTS))
