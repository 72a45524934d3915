"""The package in programs of their own, as it is installed or as a copy that a test changes."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Optional

import libskan

PACKAGE = Path(libskan.__file__).parent


def modules() -> "list[ModuleType]":
    """All that the package has, imported: those of companions, too, that nothing else has imported yet."""
    return [import_module(f"libskan.{each.name}") for each in iter_modules([str(PACKAGE)])]


def copied(folder: Path) -> Path:
    """The folder of the libraries in a copy of the package, which programs in `folder` find."""
    shutil.copytree(PACKAGE, folder / "libskan")
    return folder / "libskan" / "_lib"


def run(program: str, folder: Optional[Path] = None) -> subprocess.CompletedProcess[str]:
    """Runs a program's text; whatever comes of it."""
    environment = {**os.environ, "PYTHONPATH": str(folder or "")}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
